// The first steps of an organization. A step is done once the organization has what the step makes.
import type { Agent } from '@parlance/client';
import { useEffect, useState } from 'react';
import { useCan } from '../../app/permission.js';
import { useCaller } from '../../app/session.js';
import { useOperation } from '../../data/queries.js';

export type StepId = 'agent' | 'try' | 'number' | 'call' | 'campaign';

export interface Step {
  readonly id: StepId;
  readonly isDone: boolean;
}

export interface FirstSteps {
  readonly steps: readonly Step[];
  /** The agent that the steps after the first one use. */
  readonly agent: Agent | undefined;
  hide(): void;
}

const keyOf = (organizationId: string): string => `parlance.first-steps.${organizationId}`;
const over = 'over';

const isOver = (organizationId: string): boolean => {
  try {
    return localStorage.getItem(keyOf(organizationId)) === over;
  } catch {
    return false;
  }
};

/** Spares five requests at each later look at the overview. */
const remember = (organizationId: string): void => {
  try {
    localStorage.setItem(keyOf(organizationId), over);
  } catch {
    // A browser that forbids storage asks again.
  }
};

const one = { limit: 1 } as const;
const isMade = (rows: readonly unknown[] | undefined): boolean | undefined => rows && rows.length > 0;

const useProgress = (isAsked: boolean) => {
  const [canListAgents, canListCalls] = [useCan('agents.list').allowed, useCan('calls.list').allowed];
  const [canListNumbers, canListCampaigns] = [
    useCan('numbers.list').allowed,
    useCan('outboundCalls.listBatches').allowed,
  ];
  const agents = useOperation('agents.list', {}, { enabled: isAsked && canListAgents });
  const tries = useOperation(
    'calls.list',
    { query: { ...one, channel: 'preview' } },
    { enabled: isAsked && canListCalls },
  );
  const numbers = useOperation('numbers.list', {}, { enabled: isAsked && canListNumbers });
  const calls = useOperation(
    'calls.list',
    { query: { ...one, channel: 'phone' } },
    { enabled: isAsked && canListCalls },
  );
  const campaigns = useOperation('outboundCalls.listBatches', {}, { enabled: isAsked && canListCampaigns });
  const all = [agents, tries, numbers, calls, campaigns];
  const made: Readonly<Record<StepId, boolean | undefined>> = {
    agent: isMade(agents.data),
    try: isMade(tries.data),
    number: isMade(numbers.data),
    call: isMade(calls.data),
    campaign: isMade(campaigns.data),
  };
  return { made, isLoading: all.some(({ isLoading }) => isLoading), agents: agents.data };
};

const order: readonly StepId[] = ['agent', 'try', 'number', 'call', 'campaign'];

/** Undefined while it is not known, and once all steps are done or somebody has hidden them in this browser. */
export const useFirstSteps = (): FirstSteps | undefined => {
  const organizationId = useCaller()?.organizationId;
  const [hidden, setHidden] = useState<string>();
  const isHidden = organizationId !== undefined && (hidden === organizationId || isOver(organizationId));
  const { made, isLoading, agents } = useProgress(organizationId !== undefined && !isHidden);
  // A step without an answer is one that this person may not look at, or whose service is away.
  const steps = order.flatMap((id) => (made[id] === undefined ? [] : [{ id, isDone: made[id] }]));
  const isComplete = steps.length === order.length && steps.every(({ isDone }) => isDone);
  useEffect(() => {
    if (isComplete && organizationId !== undefined) remember(organizationId);
  }, [isComplete, organizationId]);
  if (organizationId === undefined || isHidden || isLoading || isComplete || steps.length === 0)
    return undefined;
  return {
    steps,
    agent: agents?.find(({ hasConfig, isActive }) => hasConfig && isActive) ?? agents?.[0],
    hide: () => {
      remember(organizationId);
      setHidden(organizationId);
    },
  };
};
