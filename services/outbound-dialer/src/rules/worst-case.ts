// The most that a call may cost, and its real cost: the price of a started minute, times the started minutes.

const secondsPerMinute = 60;

/** A minute that has begun is paid for. */
const startedMinutes = (seconds: number): number => Math.max(1, Math.ceil(seconds / secondsPerMinute));

/** The longest that a call may last, in seconds: as its configuration says, but within the limit of the operator. */
export const longestSeconds = (configured: number | null | undefined, most: number): number =>
  Math.min(configured ?? most, most);

/** Everything that decides the cost of a call. */
export interface Price {
  /** The price of a started minute. */
  readonly rateMicros: number;
  /** The longest that the call may last, in seconds. */
  readonly seconds: number;
}

export const worstCaseMicros = ({ rateMicros, seconds }: Price): number =>
  rateMicros * startedMinutes(seconds);

/** The cost of a call of this duration. Never more than the worst case: the call is hung up when its time is over. */
export const costOfSeconds = (price: Price, seconds: number): number =>
  Math.min(worstCaseMicros(price), price.rateMicros * startedMinutes(seconds));

export const costMicros = (price: Price, answeredAt: string, endedAt: string): number => {
  const talked = (Date.parse(endedAt) - Date.parse(answeredAt)) / 1_000;
  return costOfSeconds(price, talked);
};
