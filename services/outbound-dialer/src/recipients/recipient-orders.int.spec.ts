// Dialers, projections and people change recipients in a real Postgres, in any order: the books stay in order.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { progressOf } from '../domain/campaign/campaign-view.js';
import { terminalStates } from '../domain/campaign/recipient-states.js';
import { outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import { abandoned, answered, at, cancelled, ended, rejected, started } from '../testing/histories.js';
import { after, ofCampaign, RecipientBooks } from '../testing/recipient-books.js';
import { recipientCallId } from './recipient-ids.js';
import {
  cancelLeftBehind,
  cancelPending,
  claimRecipients,
  postponeRecipients,
  releaseRecipients,
  skipRecipients,
  stopClaims,
} from './recipients.js';

let books: RecipientBooks;
beforeAll(async () => {
  books = await RecipientBooks.start();
});
afterAll(async () => {
  await books?.stop();
});

/** Outbound calls of one campaign, driven as dialers do it, some of it late, twice, or not at all. */
type Step =
  | { readonly do: 'claim' | 'cancel' | 'cancelLeft' | 'import'; readonly n: number }
  | { readonly do: 'release' | 'skip' | 'postpone' | 'event' | 'again'; readonly n: number };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'claim',
    'claim',
    'event',
    'event',
    'event',
    'again',
    'release',
    'skip',
    'postpone',
    'cancelLeft',
  ),
  n: fc.integer({ min: 0, max: 9 }),
});

class Play {
  readonly streams = new Map<number, OutboundCallEvent[]>();
  readonly campaignId: string;
  now = 0;

  constructor(campaignId: string) {
    this.campaignId = campaignId;
  }

  /** The next events of the stream of a recipient's call; they may or may not end the call. */
  #next(rowNumber: number, n: number): readonly OutboundCallEvent[] {
    const events = this.streams.get(rowNumber) ?? [];
    const state = events.reduce(outboundCallDecider.evolve, outboundCallDecider.initialState);
    switch (state.phase) {
      case 'absent':
        return [ofCampaign(this.campaignId, rowNumber)];
      case 'queued':
        return n === 0 ? [cancelled(null)] : [started(state.past.length + 1)];
      case 'dialing': {
        const { attempt } = state.current;
        const ends = [
          rejected(attempt, null),
          rejected(attempt, at(0)),
          abandoned(attempt, at(0)),
          cancelled(attempt),
        ];
        return [ends[n] ?? answered(attempt)];
      }
      case 'connected':
        return [n === 0 ? cancelled(state.current.attempt) : ended(state.current.attempt)];
      case 'ended':
        return [];
    }
  }

  async take({ do: what, n }: Step): Promise<void> {
    const { campaignId } = this;
    const held = { campaignId, holder: 'h1', rowNumbers: [n + 2, n + 3] };
    this.now += 5;
    await books.db.transaction(async (tx) => {
      if (what === 'claim') {
        const options = { campaignId, holder: `h${n % 2}`, now: after(this.now), limit: 3, forMs: 15_000 };
        for (const { rowNumber } of await claimRecipients(tx, options))
          if (!this.streams.has(rowNumber)) this.streams.set(rowNumber, []);
      }
      if (what === 'release') await releaseRecipients(tx, held);
      if (what === 'skip') await skipRecipients(tx, held, 'suppressed_dnc');
      if (what === 'postpone') await postponeRecipients(tx, held, after(this.now + 20));
      if (what === 'cancel') await cancelPending(tx, campaignId, n);
      if (what === 'cancelLeft') await cancelLeftBehind(tx, campaignId, held.rowNumbers, after(this.now));
    });
    const rowNumber = [...this.streams.keys()][n % Math.max(1, this.streams.size)];
    if (rowNumber === undefined) return;
    const events = this.streams.get(rowNumber) ?? [];
    const id = recipientCallId(campaignId, rowNumber);
    if (what === 'event') {
      // A dialer dials only recipients that it has claimed.
      const isClaimed = (await books.stateOf(campaignId, rowNumber))?.state === 'queued';
      const isUnderWay = /^Attempt(Started|Answered)$/.test(events.at(-1)?.type ?? '');
      const next = isClaimed || isUnderWay ? this.#next(rowNumber, n) : [];
      await books.project(id, [...events, ...next], events.length);
      events.push(...next);
    }
    if (what === 'again') await books.project(id, events);
  }
}

describe('whatever dialers, projections and people do, in whatever order', () => {
  it('progress sums at every read, no terminal count goes back, and the counts are what the rows say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.nat(60),
        async (steps, cancelAt) => {
          const campaignId = await books.withRecipients(10);
          const play = new Play(campaignId);
          let isCancelled = false;
          let before = progressOf(await books.counts(campaignId), isCancelled);
          const look = async (): Promise<void> => {
            const known = isCancelled;
            const seen = progressOf(await books.counts(campaignId), known);
            const { total, percent: _, attempts: __, ...parts } = seen;
            expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
            expect(total).toBe(10);
            for (const name of [
              'completed',
              'voicemail',
              'noAnswer',
              'busy',
              'failed',
              'cancelled',
              'skipped',
            ] as const)
              expect(seen[name]).toBeGreaterThanOrEqual(before[name]);
            expect(seen.attempts).toBeGreaterThanOrEqual(before.attempts);
            before = seen;
          };
          for (const [index, next] of steps.entries()) {
            if (index === cancelAt) {
              await books.db.transaction((tx) => stopClaims(tx, campaignId));
              isCancelled = true;
            }
            const step: Step = isCancelled && next.do === 'postpone' ? { do: 'cancel', n: next.n } : next;
            // Reads come while something is being done, and after it.
            await Promise.all([play.take(step), look().then(look)]);
            await look();
          }
          await books.expectInOrder(campaignId);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 240_000);

  it('never counts fewer terminal ones than before, with many at work at once', async () => {
    const campaignId = await books.withRecipients(200);
    const ended = async (): Promise<number> => {
      const { recipients } = await books.counts(campaignId);
      return terminalStates.reduce((sum, state) => sum + recipients[state], 0);
    };
    let isDone = false;
    const reader = (async () => {
      for (let before = 0; !isDone; ) {
        const now = await ended();
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
      }
    })();
    const dial = async (holder: string): Promise<void> => {
      for (
        let claimed = await books.claim(campaignId, 7, holder);
        claimed.length > 0;
        claimed = await books.claim(campaignId, 7, holder)
      )
        for (const { rowNumber, outboundCallId } of claimed)
          await books.project(outboundCallId, [
            ofCampaign(campaignId, rowNumber),
            started(1),
            rejected(1, null),
          ]);
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(dial));
    isDone = true;
    await reader;
    expect((await books.counts(campaignId)).recipients).toMatchObject({
      busy: 200,
      pending: 0,
      queued: 0,
      in_progress: 0,
    });
    await books.expectInOrder(campaignId);
  }, 240_000);
});
