// The calls that ring or go on now.
import type { LiveCall } from '@parlance/client';
import { ButtonLink } from '../../components/button.js';
import { CallStateBadge } from '../../components/call-status.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { useNow } from '../../components/use-now.js';
import { Duration } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { callStrings as strings } from '../../strings/calls.js';
import { CallLink } from './call-link.js';
import { EndCall } from './end-call.js';
import { PlaceCall } from './place-call.js';

/** Live events tell which calls begin and end. The last words are asked for, because each turn of each call is no news for a list. */
const freshEveryMs = 5_000;
const tickMs = 1_000;

/** Counts on between two answers. */
const Running = ({ since }: { readonly since: string }) => (
  <Duration ms={Math.max(0, useNow(tickMs) - Date.parse(since))} />
);

const columns: readonly Column<LiveCall>[] = [
  {
    id: 'party',
    header: strings.party,
    cell: (call) => <CallLink callId={call.callId} call={call} />,
  },
  { id: 'agent', header: strings.agent, cell: ({ agentName }) => agentName },
  {
    id: 'state',
    header: strings.status,
    cell: ({ status }) => <CallStateBadge status={status} outcome={null} />,
  },
  {
    id: 'since',
    header: strings.since,
    cell: ({ startedAt, answeredAt }) => <Running since={answeredAt ?? startedAt} />,
  },
  {
    id: 'lastMessage',
    header: strings.lastMessage,
    cell: ({ lastMessage }) => (
      <span className="line-clamp-2 max-w-md text-ink-soft">{lastMessage ?? strings.nothingSaid}</span>
    ),
  },
];

export const LiveCallsScreen = () => {
  const { data, error, refetch } = useOperation('calls.live', {}, { everyMs: freshEveryMs });
  return (
    <Page
      title={strings.liveTitle}
      intro={strings.liveIntro}
      actions={<ButtonLink to="/calls">{strings.toLog}</ButtonLink>}
    >
      <DataTable
        caption={strings.liveCaption}
        columns={columns}
        rows={data}
        rowId={({ callId }) => callId}
        rowActions={(call) => <EndCall call={call} />}
        error={error}
        retry={() => void refetch()}
        empty={
          <EmptyState title={strings.liveEmptyTitle} text={strings.liveEmptyText} action={<PlaceCall />} />
        }
      />
    </Page>
  );
};
