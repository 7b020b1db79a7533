// A turn of a language model: the first endpoint of the list that answers, within deadlines.
import type { ModelGuards } from '../endpoints/egress.js';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import { type AttemptOptions, type AttemptOutcome, attempt } from './attempt.js';
import type { EndpointBreakers, Permit } from './breakers.js';
import type { ChatEvent, ChatFailure, ChatRequest } from './events.js';
import {
  type ChatDeadlines,
  type ChatLimits,
  defaultDeadlines,
  defaultLimits,
  systemTimers,
  type Timers,
} from './limits.js';

export interface ChatOptions {
  readonly egress: ModelGuards;
  readonly breakers: EndpointBreakers;
  readonly deadlines?: Partial<ChatDeadlines>;
  readonly limits?: Partial<ChatLimits>;
  readonly timers?: Timers;
}

type ChatError = Extract<ChatEvent, { type: 'error' }>;

const noEndpoint: ChatError = {
  type: 'error',
  endpointId: undefined,
  reason: 'noEndpoint',
  status: undefined,
  textLength: 0,
};
const skipped: AttemptOutcome = { kind: 'failed', reason: 'breakerOpen', status: undefined, textLength: 0 };

const overdue = ({ textLength }: { readonly textLength: number }) => ({
  reason: 'overallTimeout' as const,
  status: undefined,
  textLength,
});

/** The endpoint works, and its answer to another request may be of use. */
const harmless: ReadonlySet<ChatFailure> = new Set(['rejected', 'empty']);

/** Two organizations may give two servers one id. */
const breakerOf = ({ id, organizationId }: OpenAiEndpoint): string =>
  organizationId === undefined ? id : `${organizationId} ${id}`;

const settle = (permit: Permit, outcome: AttemptOutcome | undefined): void => {
  if (outcome === undefined || outcome.kind === 'aborted') permit.abandoned();
  else if (outcome.kind === 'failed' && !harmless.has(outcome.reason)) permit.failed();
  else permit.succeeded();
};

/** An attempt whose breaker learns the outcome, also when the reader of the events leaves early. */
async function* permitted(
  permit: Permit,
  request: ChatRequest,
  endpoint: OpenAiEndpoint,
  options: AttemptOptions,
): AsyncGenerator<ChatEvent, AttemptOutcome> {
  let outcome: AttemptOutcome | undefined;
  // A reader that neither continues nor returns would keep the breaker waiting indefinitely.
  options.signal.addEventListener('abort', permit.abandoned);
  try {
    outcome = yield* attempt(request, endpoint, options);
    return outcome;
  } finally {
    options.signal.removeEventListener('abort', permit.abandoned);
    settle(permit, outcome);
  }
}

/** Ends with the turn: when the caller gives up, or the time of all endpoints together is over. */
const turnSignal = (
  caller: AbortSignal | undefined,
  timers: Timers,
  overallMs: number,
): { readonly signal: AbortSignal; readonly isOverdue: () => boolean; readonly release: () => void } => {
  const turn = new AbortController();
  const giveUp = (): void => turn.abort();
  caller?.addEventListener('abort', giveUp);
  if (caller?.aborted === true) giveUp();
  let isOverdue = false;
  const cancel = timers.after(overallMs, () => {
    isOverdue = true;
    giveUp();
  });
  return {
    signal: turn.signal,
    isOverdue: () => isOverdue,
    release: () => {
      cancel();
      caller?.removeEventListener('abort', giveUp);
    },
  };
};

/**
 * Streams the answer of the first endpoint that gives one. Another endpoint takes over as long as no text was handed out; after
 * that, a failure is the event `error`. The last event is `end`. Never throws for what an endpoint does.
 */
export async function* chat(
  request: ChatRequest,
  endpoints: readonly OpenAiEndpoint[],
  { egress, breakers, timers = systemTimers, ...overrides }: ChatOptions,
): AsyncGenerator<ChatEvent, void> {
  const deadlines = { ...defaultDeadlines, ...overrides.deadlines };
  const limits = { ...defaultLimits, ...overrides.limits };
  const { signal, isOverdue, release } = turnSignal(request.signal, timers, deadlines.overallMs);
  let error = noEndpoint;
  try {
    for (const [position, endpoint] of endpoints.entries()) {
      const permit = await breakers.permit(breakerOf(endpoint));
      const outcome = permit
        ? yield* permitted(permit, request, endpoint, {
            egress: egress.of(endpoint),
            deadlines,
            limits,
            timers,
            signal,
          })
        : skipped;
      if (outcome.kind === 'ended') {
        yield { type: 'end', reason: outcome.reason };
        return;
      }
      if (outcome.kind === 'aborted' && !isOverdue()) {
        yield { type: 'end', reason: 'aborted' };
        return;
      }
      const { reason, status, textLength } = outcome.kind === 'failed' ? outcome : overdue(outcome);
      error = { type: 'error', endpointId: endpoint.id, reason, status, textLength };
      const next = endpoints[position + 1];
      if (textLength > 0 || signal.aborted || next === undefined) break;
      yield { type: 'fellBack', from: endpoint.id, to: next.id, reason };
    }
  } finally {
    release();
  }
  yield error;
  yield { type: 'end', reason: 'error' };
}
