// One outbound call: how it stands, and each attempt with its call.
import type { Attempt, OutboundCall } from '@parlance/client';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { PhoneOff, RotateCcw, Trash2 } from 'lucide-react';
import { Answered } from '../../components/answered.js';
import { Button, type ButtonKind } from '../../components/button.js';
import { CallStateBadge } from '../../components/call-status.js';
import { Card, EmptyState } from '../../components/card.js';
import { JsonView } from '../../components/code.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { NotFound, notFoundIn } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { Reasoned } from '../../components/reasoned.js';
import { Notice } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { useFollowed } from '../../data/follow.js';
import { callWords } from '../../strings/call-words.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';
import { calleeOf, isOver, type OutboundAction, useOutboundActions } from './outbound-actions.js';
import { OutboundFacts } from './outbound-facts.js';
import { OutboundTimeline } from './outbound-timeline.js';
import { useAgentNames } from './use-agent-names.js';

const route = getRouteApi('/app/outbound-calls/$outboundId');
const back = { to: '/outbound-calls', label: strings.title };
const whileOpenMs = 2_000;
/** The price of a call arrives a moment after its end. */
const afterwardsMs = 4_000;
const settlesWithinMs = 120_000;

const columns: readonly Column<Attempt>[] = [
  { id: 'attempt', header: strings.attempt, labelled: true, cell: ({ attempt }) => attempt },
  {
    id: 'state',
    header: strings.state,
    cell: (attempt) => (
      <>
        <CallStateBadge {...attempt} />
        <span className="mt-0.5 block text-xs text-ink-soft">
          {attempt.endedReason !== null && callWords.endedReason[attempt.endedReason]}{' '}
          {attempt.sipStatus !== null && strings.sip(attempt.sipStatus)}
        </span>
      </>
    ),
  },
  { id: 'begun', header: strings.begun, cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { id: 'ended', header: strings.ended, cell: ({ endedAt }) => <Moment at={endedAt} /> },
  {
    id: 'call',
    header: strings.conversation,
    cell: ({ callId }) => (
      <Link to="/calls/$callId" params={{ callId }} className="link">
        {strings.openAttempt}
      </Link>
    ),
  },
];

const ActionButton = ({
  action,
  label,
  kind,
  icon,
}: {
  readonly action: OutboundAction;
  readonly label: string;
  readonly kind: ButtonKind;
  readonly icon: React.ReactNode;
}) => (
  <Reasoned reason={action.reason}>
    <Button {...{ kind, icon }} onClick={action.run}>
      {label}
    </Button>
  </Reasoned>
);

const Actions = ({ call, agentName }: { readonly call: OutboundCall; readonly agentName: string }) => {
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/outbound-calls' });
  const { cancel, retry, remove } = useOutboundActions(call, agentName, leave);
  return (
    <>
      <CopyAsCurl operation="outboundCalls.get" parts={{ params: { outboundId: call.id } }} />
      {isOver(call) ? (
        <>
          <ActionButton
            action={remove}
            label={strings.delete}
            kind="danger"
            icon={<Trash2 aria-hidden className="size-4" />}
          />
          <ActionButton
            action={retry}
            label={strings.retry}
            kind="primary"
            icon={<RotateCcw aria-hidden className="size-4" />}
          />
        </>
      ) : (
        <ActionButton
          action={cancel}
          label={strings.cancel}
          kind="danger"
          icon={<PhoneOff aria-hidden className="size-4" />}
        />
      )}
    </>
  );
};

const OwnWords = ({ call }: { readonly call: OutboundCall }) => {
  const { firstMessage, systemPrompt, dynamicVariables } = call;
  const hasVariables = Object.keys(dynamicVariables).length > 0;
  if (firstMessage === null && systemPrompt === null && !hasVariables) return null;
  return (
    <Card title={strings.prompt}>
      <div className="flex flex-col gap-3">
        {firstMessage !== null && <p dir="auto">{firstMessage}</p>}
        {systemPrompt !== null && (
          <p dir="auto" className="whitespace-pre-wrap text-ink-soft">
            {systemPrompt}
          </p>
        )}
        {hasVariables && <JsonView name={strings.variablesName} value={dynamicVariables} />}
      </div>
    </Card>
  );
};

const everyMsOf = (call: OutboundCall, now: number): number | undefined => {
  if (!isOver(call)) return whileOpenMs;
  return call.endedAt !== null && now - Date.parse(call.endedAt) < settlesWithinMs ? afterwardsMs : undefined;
};

export const OutboundCallScreen = () => {
  const { outboundId } = route.useParams();
  const [call, everyMs] = useFollowed('outboundCalls.get', { params: { outboundId } }, everyMsOf);
  const agentName = useAgentNames();
  if (notFoundIn(call.error))
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  return (
    <Page
      title={call.data === undefined ? strings.title : strings.callTitle(calleeOf(call.data))}
      back={back}
      actions={
        call.data !== undefined && <Actions call={call.data} agentName={agentName(call.data.agentId)} />
      }
    >
      <Answered query={call}>
        {(data) => (
          <>
            {!isOver(data) && <Notice>{strings.follows}</Notice>}
            <OutboundFacts call={data} agentName={agentName(data.agentId)} />
            <section className="flex flex-col gap-2">
              <h2 className="font-semibold">{strings.attemptsTitle}</h2>
              <DataTable
                caption={strings.attemptsCaption}
                columns={columns}
                rows={data.attempts ?? []}
                rowId={({ attemptId }) => attemptId}
                empty={<EmptyState title={strings.notBegun} />}
              />
            </section>
            <OutboundTimeline outboundId={data.id} everyMs={everyMs} />
            <OwnWords call={data} />
          </>
        )}
      </Answered>
    </Page>
  );
};
