// An answer that is not the wanted one, by the platform's stable code.
import type { QueuePlace } from './shapes.js';

interface RefusalFacts {
  readonly retryAfterSeconds?: number | undefined;
  readonly queue?: QueuePlace | undefined;
  readonly cause?: unknown;
}

/** `code` is the platform's, or NETWORK where no answer came. The message is English, for developers. */
export class Refusal extends Error {
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** Set while the visitor waits for a place. */
  readonly queue: QueuePlace | undefined;

  constructor(code: string, message: string, { retryAfterSeconds, queue, cause }: RefusalFacts = {}) {
    super(message, { cause });
    this.name = 'Refusal';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.queue = queue;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const queueIn = (details: unknown): QueuePlace | undefined => {
  const queue = isRecord(details) ? details.queue : undefined;
  if (!isRecord(queue)) return undefined;
  const { ticket, position, text } = queue;
  if (typeof ticket !== 'string' || typeof position !== 'number') return undefined;
  return { ticket, position, text: typeof text === 'string' ? text : null };
};

/** Reads the platform's error body. A body of another shape, such as a proxy's page, is SERVICE_UNAVAILABLE. */
export const refusalOf = (body: unknown, retryAfter: string | null): Refusal => {
  const seconds = Number(retryAfter ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(body) || !isRecord(error) || typeof error.code !== 'string')
    return new Refusal('SERVICE_UNAVAILABLE', 'The platform gave no readable answer.', { retryAfterSeconds });
  const message = typeof body.message === 'string' ? body.message : error.code;
  return new Refusal(error.code, message, { retryAfterSeconds, queue: queueIn(error.details) });
};
