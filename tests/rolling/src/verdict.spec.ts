import { describe, expect, it } from '@jest/globals';
import type { Findings } from './findings.js';
import { faultsOf } from './verdict.js';

const span = { name: 'quiet', from: 0, to: 100, waited: 0.5 };
const sample = { errand: 'agents.list', sentAt: 1, ms: 5, status: 200 };

const good: Findings = {
  spans: [span, { ...span, name: 'to present', from: 100, to: 200 }],
  samples: [sample],
  answers: [{ from: 1, to: 2, broken: undefined }],
  conversations: [{ from: 1, to: 2 }],
  replacements: [
    {
      ...{ process: 'gateway', from: 'present', to: 'present', readySeconds: 1, beganAt: 100, endedAt: 110 },
      leaving: { seconds: 1, exitCode: 0 },
    },
  ],
  fallen: [],
  refused: [],
  calls: {
    wanted: 10,
    looks: [{ at: 150, inProgress: 10 }],
    outcomes: [{ id: 'c1', status: 'completed', attempts: 1 }],
    tally: {
      ...{ calls: 1, attempts: 1, dials: 1, rings: 1, cancelled: 0 },
      branches: { 'in doubt': 0, adopted: 0, abandoned: 0, unknown: 0 },
    },
    violations: [],
    mostRings: 1,
  },
  writes: { acknowledged: 1, lost: [], doubled: [] },
  errors: [],
  processes: [],
  loadCpuSeconds: 1,
};

describe('the verdict', () => {
  it('finds nothing where all is well', () => {
    expect(faultsOf(good)).toEqual([]);
  });

  const { calls, replacements } = good;
  const leaving = (exitCode: number | null) =>
    replacements.map((one) => ({ ...one, leaving: { seconds: 45, exitCode } }));
  it.each<[string, Partial<Findings>, string]>([
    [
      'a status',
      { samples: [{ ...sample, status: 503, code: 'NOT_READY' }] },
      'a request failed: agents.list 503 NOT_READY (quiet)',
    ],
    [
      'what was replaced while a request failed',
      { samples: [{ ...sample, sentAt: 98, status: 504 }] },
      'a request failed: agents.list 504 (quiet, replacing gateway)',
    ],
    [
      'a broken connection',
      { samples: [{ ...sample, status: undefined, broken: 'reset' }] },
      'a request failed: agents.list no answer reset (quiet)',
    ],
    [
      'an answer that breaks the contract',
      { samples: [{ ...sample, broken: 'data' }] },
      'a request failed: agents.list 200 data (quiet)',
    ],
    [
      'a stream',
      {
        answers: [
          { from: 1, to: 2, broken: 'gone' },
          { from: 1, to: 2, broken: 'gone' },
        ],
      },
      'a stream broke, 2 times: gone',
    ],
    ['a silent run', { answers: [] }, 'no request or no stream was seen'],
    ['a conversation that was refused', { refused: ['full'] }, 'refused: full'],
    [
      'a call that failed',
      { calls: { ...calls, outcomes: [{ id: 'c1', status: 'failed', attempts: 1 }] } },
      'a call was dropped: c1 is failed after 1 attempts',
    ],
    [
      'a call that was tried twice',
      { calls: { ...calls, outcomes: [{ id: 'c1', status: 'completed', attempts: 2 }] } },
      'a call was dropped: c1 is completed after 2 attempts',
    ],
    [
      'a second ring',
      { calls: { ...calls, violations: [{ rule: 'rang more than once', about: 'a1' }] } },
      'rang more than once: a1',
    ],
    [
      'too few calls',
      {
        calls: {
          ...calls,
          looks: [
            { at: 150, inProgress: 7 },
            { at: 300, inProgress: 10 },
          ],
        },
      },
      'only 7 calls were in progress at once, and 10 were wanted',
    ],
    [
      'a lost write',
      { writes: { acknowledged: 1, lost: ['agent 1'], doubled: [] } },
      'an acknowledged write is lost: agent 1',
    ],
    [
      'a write made twice',
      { writes: { acknowledged: 1, lost: [], doubled: ['agent 1'] } },
      'a write was made twice: agent 1',
    ],
    [
      'a copy that was killed',
      { replacements: leaving(null) },
      'gateway did not stop in order: it was killed',
    ],
    [
      'a copy that failed to stop',
      { replacements: leaving(1) },
      'gateway did not stop in order: exit code 1',
    ],
    ['a copy that fell', { fallen: ['widgets'] }, 'a copy of widgets ended by itself'],
    [
      'an error in a log',
      { errors: [{ process: 'widgets', text: 'bad', times: 2 }] },
      'widgets logged an error, 2 times: bad',
    ],
  ])('tells of %s', (_, change, fault) => {
    expect(faultsOf({ ...good, ...change })).toEqual([fault]);
  });
});
