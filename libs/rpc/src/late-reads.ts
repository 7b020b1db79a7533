// The rule for a read that gets no answer in its time: it is tried again, while its service answers other requests.
import { type Bucket, type Callable, isOperation, onlyReads, type ServiceName } from '@parlance/contracts';
import type { ErrorCode } from '@parlance/errors';

/** The buckets of reads in the platform's own stores. Reads elsewhere cost money. */
const ownReads: readonly Bucket[] = ['read', 'publicConfig'];

/** True of a row that may be sent again. Reads with more time than others are expected to take it. */
export const isRepeatable = (row: Callable): boolean =>
  isOperation(row) && onlyReads(row) && ownReads.includes(row.bucket) && row.answerWithinMs === undefined;

/** All tries of a read end within this time, in milliseconds. */
const longestReadMs = 10_000;

/** A copy that says after a third of the time that it cannot serve has waited in vain, and others may not have to. */
const partsOfPatience = 3;

/** Times are those of `performance.now()`. */
export interface FailedTry {
  readonly service: ServiceName;
  readonly code: ErrorCode;
  /** The start of the first try, and of the one that failed. */
  readonly askedAt: number;
  readonly triedAt: number;
}

export class LateReads {
  readonly #usualMs: number;
  readonly #succeededAt = new Map<ServiceName, number>();

  /** @param usualMs the time of one try */
  constructor(usualMs: number) {
    this.#usualMs = usualMs;
  }

  /** For each success of the service. */
  hasSucceeded(service: ServiceName): void {
    this.#succeededAt.set(service, performance.now());
  }

  /**
   * Milliseconds for the next try, and 0 for none. A service without a success since the failed try began is away, hangs or fails, and
   * its readers are told at once.
   */
  nextTryMs({ service, code, askedAt, triedAt }: FailedTry): number {
    const now = performance.now();
    const succeededAt = this.#succeededAt.get(service) ?? Number.NEGATIVE_INFINITY;
    const hasWaited = now - triedAt >= this.#usualMs / partsOfPatience;
    const isLate = code === 'UPSTREAM_TIMEOUT' || (code === 'SERVICE_UNAVAILABLE' && hasWaited);
    if (!isLate || succeededAt < triedAt) return 0;
    return Math.max(0, Math.min(this.#usualMs, longestReadMs - (now - askedAt)));
  }
}
