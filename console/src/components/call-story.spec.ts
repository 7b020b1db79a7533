// A timeline says in a sentence what happened and why, whatever the entry is.
import { describe, expect, it } from '@jest/globals';
import { linesOf } from './call-story.js';

const common = { at: '2026-11-22T10:00:00.000Z', actor: null };
const attempt = { ...common, attemptNumber: 2 };
const callId = 'a-call';

describe('the story of a call', () => {
  it('names the attempt, how it ended and why', () => {
    const lines = linesOf([
      {
        ...attempt,
        kind: 'attempt.abandoned',
        details: { callId, endedReason: 'suppressed_dnc', nextAttemptAt: null },
      },
      {
        ...common,
        kind: 'call.ended',
        details: {
          ...{ status: 'failed', endedReason: 'agent_unavailable', answeredBy: null },
          ...{ durationSeconds: 5, sipStatus: null, toldBy: 'inferred' },
        },
      },
      {
        ...common,
        kind: 'tool.ran',
        details: { toolId: 't', name: 'book', status: 'timeout', durationMs: 8_000 },
      },
    ]);
    expect(lines.map(({ text, tone }) => [text, tone])).toEqual([
      [
        'Attempt 2 was given up before the phone was dialled. The number is on the do-not-call list.',
        'attention',
      ],
      ['The call ended after 5 s: Failed. The agent did not come to the call.', 'bad'],
      ['The agent used book, which did not answer in 8000 ms.', 'bad'],
    ]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });
});
