// For tests of audits: events as they are read from streams.
import type { StreamEvent } from '../evidence/evidence.js';

/** An event with the given fields alone. @param at in epoch milliseconds */
export const streamEvent = (type: string, at = 0, more: Partial<StreamEvent> = {}): StreamEvent => ({
  type,
  at,
  revision: 0,
  attemptId: undefined,
  deadlineAt: undefined,
  status: undefined,
  endedReason: undefined,
  nextAttemptAt: undefined,
  ...more,
});
