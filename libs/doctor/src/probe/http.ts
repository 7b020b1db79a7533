// Requests whose answers tell more than their content: the status, and the time of the server.
import type { Looking } from './check.js';

const limitMs = 4_000;

export interface AskOptions extends Omit<RequestInit, 'signal'> {
  /** Name of the server, for findings about its clock. No clock is read without it. */
  readonly clockOf?: string;
}

/** Follows no redirect. @throws the error of `fetch` */
export const ask = async (
  { machine, signal, clock }: Pick<Looking, 'machine' | 'signal' | 'clock'>,
  url: string | URL,
  { clockOf, ...init }: AskOptions = {},
): Promise<Response> => {
  const askedAt = machine.now();
  const answer = await fetch(url, {
    redirect: 'manual',
    ...init,
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
  const date = answer.headers.get('date');
  if (clockOf !== undefined && date !== null) clock(clockOf, new Date(date), askedAt, 1_000);
  return answer;
};
