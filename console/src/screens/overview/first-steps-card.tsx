// The checklist of a new organization: each step with its button.
import type { Agent } from '@parlance/client';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactElement } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { overviewStrings } from '../../strings/overview.js';
import type { FirstSteps, Step, StepId } from './first-steps.js';

const strings = overviewStrings.firstSteps;

interface LinkLook {
  readonly kind: 'primary' | 'secondary';
}

const agentFirst = (agent: Agent | undefined): string | undefined =>
  agent === undefined ? strings.agentFirst : undefined;

const links: Readonly<Record<StepId, (agent: Agent | undefined, look: LinkLook) => ReactElement>> = {
  agent: (_, { kind }) => (
    <Guarded operation="agents.create">
      <ButtonLink to="/agents/new" kind={kind}>
        {strings.actions.agent}
      </ButtonLink>
    </Guarded>
  ),
  try: (agent, { kind }) => (
    <Guarded operation="agents.startPreviewConversation" reason={agentFirst(agent)}>
      <ButtonLink
        to="/agents/$agentId"
        params={{ agentId: agent?.id ?? '' }}
        search={{ tab: 'try' }}
        kind={kind}
      >
        {strings.actions.try}
      </ButtonLink>
    </Guarded>
  ),
  number: (_, { kind }) => (
    <Guarded operation="numbers.buy">
      <ButtonLink to="/numbers/buy" kind={kind}>
        {strings.actions.number}
      </ButtonLink>
    </Guarded>
  ),
  call: (agent, { kind }) => (
    <Guarded operation="outboundCalls.quick" reason={agentFirst(agent)}>
      <ButtonLink to="/outbound-calls/new" kind={kind}>
        {strings.actions.call}
      </ButtonLink>
    </Guarded>
  ),
  campaign: (agent, { kind }) => (
    <Guarded operation="outboundCalls.createBatch" reason={agentFirst(agent)}>
      <ButtonLink to="/campaigns/new" kind={kind}>
        {strings.actions.campaign}
      </ButtonLink>
    </Guarded>
  ),
};

const Row = ({
  step: { id, isDone },
  agent,
  isNext,
}: {
  readonly step: Step;
  readonly agent: Agent | undefined;
  readonly isNext: boolean;
}) => (
  <li className="flex flex-wrap items-center gap-3 py-3">
    {isDone ? (
      <CircleCheck role="img" aria-label={strings.done} className="size-5 shrink-0 text-accent" />
    ) : (
      <CircleDashed role="img" aria-label={strings.open} className="size-5 shrink-0 text-ink-soft" />
    )}
    <div className="min-w-0 flex-1 basis-60">
      <p className={isDone ? 'text-ink-soft line-through' : 'font-medium'}>{strings.titles[id]}</p>
      {!isDone && <p className="text-ink-soft">{strings.texts[id]}</p>}
    </div>
    {!isDone && links[id](agent, { kind: isNext ? 'primary' : 'secondary' })}
  </li>
);

export const FirstStepsCard = ({ steps, agent, hide }: FirstSteps) => {
  const next = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title={strings.title}
      actions={
        <Button kind="quiet" onClick={hide}>
          {strings.hide}
        </Button>
      }
    >
      <p className="text-ink-soft">{strings.progress(done, steps.length)}</p>
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <Row key={step.id} step={step} agent={agent} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
};
