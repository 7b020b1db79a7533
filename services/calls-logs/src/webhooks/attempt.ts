// One try to deliver one webhook, from opening its target to reading the answer's status. Every outcome becomes a
// result; no word of request or answer becomes part of it.
import { CannotOpen, type Keyring } from '@parlance/crypto';
import { EgressFailure } from '@parlance/egress';
import { AppError, errorCodes } from '@parlance/errors';
import type { Clock, Logger } from '@parlance/observability';
import type { WebhookSender } from '@parlance/webhooks';
import { type Attempt, type Delivery, openTarget } from './delivery.js';
import { wordFor, wordForStatus } from './history/problems.js';
import type { PayloadOf } from './payload.js';
import { retryAfterOf } from './retry.js';
import type { TryResult } from './settle.js';

export interface TryOptions {
  readonly keyring: Keyring;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly payloadOf: PayloadOf;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/** An answer is looked at no further than its status. */
const answer = { maxBytes: 16_384, whenLarger: 'cut' } as const;

/** The store is away, or this process is about to end: no fault of the receiver, so it does not count. */
const isOurs = (error: unknown): boolean =>
  error instanceof EgressFailure
    ? error.reason === 'aborted'
    : error instanceof AppError && errorCodes[error.code].retryable === true;

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const judged = ({ status, headers }: Received, attempt: Attempt, now: Date): TryResult => {
  const error = wordForStatus(status);
  if (error === null) return { kind: 'delivered', attempt };
  const retryAfterMs = retryAfterOf(headers['retry-after'], now);
  return { kind: 'failed', attempt: { ...attempt, error }, retryAfterMs, gone: status === 410 };
};

/** @returns undefined when there is nothing left to say */
const send = async (
  delivery: Delivery,
  { keyring, sender, payloadOf }: TryOptions,
  at: Date,
  signal: AbortSignal,
): Promise<Received | undefined> => {
  const target = openTarget(keyring, delivery);
  const payload = await payloadOf(delivery, target);
  if (payload === undefined) return undefined;
  const { organizationId, id, tries } = delivery;
  const message = { organizationId, id, ...payload, attempt: tries + 1, at, answer, signal };
  return sender.send(target.webhook, message);
};

/** Tries once. Never rejects. */
export const tryOnce = async (
  delivery: Delivery,
  options: TryOptions,
  signal: AbortSignal,
): Promise<TryResult> => {
  const at = options.clock.now();
  const startedAt = performance.now();
  const attempt = (change: Partial<Attempt>): Attempt => ({
    at: at.toISOString(),
    statusCode: null,
    durationMs: Math.round(performance.now() - startedAt),
    error: null,
    ...change,
  });
  try {
    const received = await send(delivery, options, at, signal);
    if (received === undefined) return { kind: 'dropped', attempt: attempt({ error: 'call_deleted' }) };
    return judged(received, attempt({ statusCode: received.status }), options.clock.now());
  } catch (error) {
    if (isOurs(error)) return { kind: 'postponed' };
    if (error instanceof CannotOpen) return { kind: 'dropped', attempt: attempt({ error: 'cannot_open' }) };
    const word = wordFor(error);
    if (word === undefined)
      options.logger.error({ err: error, deliveryId: delivery.id }, 'webhook could not be tried');
    const failed = attempt({ error: word ?? 'INTERNAL_ERROR' });
    return { kind: 'failed', attempt: failed, retryAfterMs: null, gone: false };
  }
};
