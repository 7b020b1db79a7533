// The platform's clock. A computer whose own clock is wrong still tells rightly how long ago something was.

/** Answers name whole seconds, and take a while: less than this is no fault of the computer's clock. */
const toleranceMs = 10_000;

let aheadMs = 0;

/**
 * Learns from the header `Date` of an answer.
 * @param sentAt and `receivedAt` are epoch milliseconds by the computer's clock
 */
export const noteDate = (header: string | null, sentAt: number, receivedAt: number): void => {
  const told = Date.parse(header ?? '');
  if (Number.isNaN(told)) return;
  const difference = told - (sentAt + receivedAt) / 2;
  aheadMs = Math.abs(difference) < toleranceMs ? 0 : difference;
};

/** Epoch milliseconds by the platform's clock. */
export const now = (): number => Date.now() + aheadMs;
