// The parts of a call that its page asks again, and the moments at which it does.
import type { CallLog } from '@parlance/client';

const terminal: ReadonlySet<string> = new Set(['completed', 'no_answer', 'busy', 'failed', 'cancelled']);

interface Followed {
  readonly status: string;
  readonly analysisStatus: string;
  readonly endedAt: string | null;
}

/** Live events tell changes sooner. These looks are for changes that they do not tell, and for a connection that is cut. */
const whileLiveMs = 5_000;
const afterwardsMs = 10_000;
/** The hand-over, its analysis and messages to webhooks arrive within this time, as a rule. */
const settlesWithinMs = 120_000;

export const isOver = ({ status }: Pick<Followed, 'status'>): boolean => terminal.has(status);

/** Milliseconds until the page asks again; undefined for a call of which no news is expected. */
export const followEveryMs = (call: Followed, now: number): number | undefined => {
  if (!isOver(call)) return whileLiveMs;
  const isFresh = call.endedAt !== null && now - Date.parse(call.endedAt) < settlesWithinMs;
  return isFresh || call.analysisStatus === 'pending' ? afterwardsMs : undefined;
};

/**
 * The edition of the transcript. While a call lasts, its transcript grows at its end. The hand-over then replaces all of it, with a new
 * version of the call.
 */
export const editionOf = ({ status, updatedAt }: Pick<CallLog, 'status' | 'updatedAt'>): string =>
  isOver({ status }) ? updatedAt : 'live';
