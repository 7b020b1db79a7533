// Any commands in any order, any number of times: the invariants of a campaign hold in every case.
import { describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import fc from 'fast-check';
import { campaignCommands, created, report } from '../../testing/campaign-histories.js';
import { at, organizationId } from '../../testing/histories.js';
import { type CampaignCommand, campaignDecider } from './campaign.js';
import { type CampaignEvent, campaignEvents } from './campaign-events.js';
import type { Campaign, KnownCampaign } from './campaign-state.js';
import { toCampaign } from './campaign-view.js';
import { noRecipients, type RecipientCounts, type RecipientState } from './recipient-states.js';

const moment = fc.integer({ min: 0, max: 10_000 }).map(at);

const command: fc.Arbitrary<CampaignCommand> = fc.oneof(
  fc.constant(campaignCommands.CreateCampaign),
  fc.record({
    type: fc.constant('RecordImport' as const),
    report: fc.nat(3).map((accepted) => ({ ...report, accepted })),
    now: moment,
  }),
  fc.record({
    type: fc.constant('RefuseFile' as const),
    code: fc.constantFrom('FILE_INVALID' as const, 'FILE_TOO_LARGE' as const),
    message: fc.constant('no'),
    report: fc.constantFrom(null, report),
    now: moment,
  }),
  fc.record({
    type: fc.constantFrom('StartCampaign' as const, 'ResumeCampaign' as const, 'CompleteCampaign' as const),
    now: moment,
  }),
  fc.record({
    type: fc.constant('PauseCampaign' as const),
    reason: fc.constantFrom('circuit_breaker' as const, 'provider_unavailable' as const),
    until: fc.option(moment),
    now: moment,
  }),
  fc.record({
    type: fc.constant('CancelCampaign' as const),
    organizationId: fc.constantFrom(organizationId, 'org_2'),
    now: moment,
  }),
);

const run = (sequence: readonly CampaignCommand[]) => {
  const events: CampaignEvent[] = [];
  const states: Campaign[] = [campaignDecider.initialState];
  for (const next of sequence) {
    let decided: readonly CampaignEvent[] = [];
    try {
      decided = campaignDecider.decide(next, states.at(-1) ?? campaignDecider.initialState);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    for (const event of decided) {
      events.push(event);
      states.push(campaignDecider.evolve(states.at(-1) ?? campaignDecider.initialState, event));
    }
  }
  return { events, states };
};

const anyRun = (check: (result: ReturnType<typeof run>) => void): void =>
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (sequence) =>
      check(run([campaignCommands.CreateCampaign, ...sequence])),
    ),
    { numRuns: 300 },
  );

const isTerminal = ({ phase }: Campaign): boolean =>
  phase === 'completed' || phase === 'cancelled' || phase === 'failed';

const known = (states: readonly Campaign[]): KnownCampaign[] =>
  states.filter((state): state is KnownCampaign => state.phase !== 'absent');

describe('whatever is asked of a campaign, in whatever order and however often', () => {
  it('it ends at most once, and stays as it ended', () => {
    anyRun(({ states }) => {
      const end = states.findIndex(isTerminal);
      if (end >= 0) expect(states.length).toBe(end + 1);
    });
  });

  it('it runs only with recipients, and from when it was due', () => {
    anyRun(({ states }) => {
      for (const state of known(states)) {
        if (state.startedAt === null) continue;
        expect(state.file?.accepted).toBeGreaterThan(0);
        expect(state.startedAt >= (created.data.scheduledAt ?? '')).toBe(true);
      }
    });
  });

  it('the state is the fold of the events, and survives being stored as JSON', () => {
    anyRun(({ events, states }) => {
      const state = fold(campaignDecider, events);
      expect(state).toEqual(states.at(-1));
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    });
  });

  it('every event fits the storage format', () => {
    anyRun(({ events }) => {
      for (const event of events) expect(() => campaignEvents.encode(event)).not.toThrow();
    });
  });
});

const count = fc.nat(1_000_000);
const counts: fc.Arbitrary<RecipientCounts> = fc.record({
  recipients: fc.record<Record<RecipientState, number>>({
    ...{ pending: count, queued: count, in_progress: count, completed: count, voicemail: count },
    ...{ no_answer: count, busy: count, failed: count, cancelled: count, skipped: count },
  }),
  attempts: count,
  costMicros: count,
});

describe('the view of a campaign', () => {
  it('has the shape of the contract, and a progress that sums, in every phase', () => {
    const now = new Date(at(20_000));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), counts, (sequence, counted) => {
        for (const state of known(run([campaignCommands.CreateCampaign, ...sequence]).states)) {
          const view = contract.outboundCallsGetBatch.data.parse(
            toCampaign('018f0000-0000-7000-8000-0000000000c1', state, counted, now),
          );
          const { total, percent, attempts: _, ...parts } = view.progress;
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
          expect(total).toBe(Object.values(counted.recipients).reduce((sum, part) => sum + part, 0));
          expect(percent === 100).toBe(total > 0 && parts.pending + parts.queued + parts.inProgress === 0);
          if (state.phase === 'cancelled') expect(parts.pending).toBe(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('says nothing of what a campaign may take before its file was read, and when it will be over after that', () => {
    const view = (state: KnownCampaign | undefined) =>
      state &&
      toCampaign(
        'c',
        state,
        { ...noRecipients, recipients: { ...noRecipients.recipients, pending: 120 } },
        new Date(at(0)),
      );
    const { states } = run([
      campaignCommands.CreateCampaign,
      { type: 'RecordImport', report: { ...report, accepted: 120 }, now: at(5) },
    ]);
    const [validating, scheduled] = known(states);
    expect(view(validating)?.estimate).toBeNull();
    // half of 120 talk for a minute; five lines are the limit: 120 calls of 50 s, and the last one
    expect(view(scheduled)?.estimate).toEqual({
      minutes: 60,
      costMicros: 1_200_000,
      finishesAt: at(600 + 1_200 + 50),
    });
  });
});
