/** A pause that grows with each attempt. Up to a quarter is added at random, so that replicas and jobs do not retry in step. */
export interface BackOff {
  readonly firstMs: number;
  /** The cap, before the random part. */
  readonly longestMs: number;
  /** Growth from one pause to the next (2). */
  readonly factor?: number;
}

const mostSteps = 20;

/** @param attempts the number of failed attempts, at least one */
export const backOffMs = (
  { firstMs, longestMs, factor = 2 }: BackOff,
  attempts: number,
  random: () => number = Math.random,
): number => Math.min(firstMs * factor ** Math.min(attempts - 1, mostSteps), longestMs) * (1 + random() / 4);

/** The same in SQL. @param attempts SQL of the number of attempts before this one */
export const backOffSql = ({ firstMs, longestMs, factor = 2 }: BackOff, attempts: string): string =>
  `least(${firstMs} * power(${factor}, least(${attempts}, ${mostSteps})), ${longestMs}) * (1 + random() / 4)`;
