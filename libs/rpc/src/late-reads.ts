// The rule for a read that is not answered in its time: it has a second try, while its service answers other requests.
import { type Bucket, type Callable, isOperation, onlyReads, type ServiceName } from '@parlance/contracts';

/** The buckets of reads in the platform's own stores. Reads elsewhere cost money. */
const ownReads: readonly Bucket[] = ['read', 'publicConfig'];

/** True of a row that may be sent again. Reads with more time than others are expected to take it. */
export const isRepeatable = (row: Callable): boolean =>
  isOperation(row) && onlyReads(row) && ownReads.includes(row.bucket) && row.answerWithinMs === undefined;

/** Both tries of a read end within this time, in milliseconds. */
const longestReadMs = 10_000;

export class LateReads {
  readonly #answeredAt = new Map<ServiceName, number>();

  /** For each success of the service. */
  hasAnswered(service: ServiceName): void {
    this.#answeredAt.set(service, performance.now());
  }

  /**
   * Milliseconds for the second try, and 0 for none. A service that answered nothing since `askedAt` is away or hangs, and its
   * readers are told at once.
   * @param askedAt the start of the first try, in milliseconds of `performance.now()`
   */
  secondTryMs(service: ServiceName, askedAt: number, usualMs: number): number {
    const answeredAt = this.#answeredAt.get(service);
    if (answeredAt === undefined || answeredAt < askedAt) return 0;
    return Math.max(0, Math.min(usualMs, longestReadMs - (performance.now() - askedAt)));
  }
}
