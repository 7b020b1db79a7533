import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OutboundTimelineEntry } from '@parlance/contracts';
import { EventMetadata, type Recorded } from '@parlance/event-sourcing';
import * as history from '../../testing/histories.js';
import type { OutboundCallEvent } from './outbound-call-events.js';
import { timelineOf } from './timeline.js';

const recorded = (events: readonly OutboundCallEvent[], actor = 'platform:outbound-dialer') =>
  events.map(
    (event, index): Recorded<OutboundCallEvent> => ({
      event,
      id: `event-${index}`,
      stream: `outboundCall-${history.outboundCallId}`,
      entityId: history.outboundCallId,
      revision: BigInt(index),
      position: BigInt(index),
      recordedAt: new Date(),
      metadata: EventMetadata.parse({
        ...{ eventId: `event-${index}`, schemaVersion: 1, occurredAt: history.at(index) },
        ...{ organizationId: history.organizationId, actor, requestId: 'request' },
      }),
    }),
  );

const everything: readonly OutboundCallEvent[] = [
  history.placed,
  history.started(1),
  history.answered(1),
  history.rejected(1, history.at(67)),
  history.inDoubt(1),
  history.adopted(1),
  history.abandoned(1, null),
  history.unknown(1),
  history.ended(1),
  history.cancelled(1),
  history.hungUp(1),
  history.retried,
];

describe('the timeline of an outbound call', () => {
  it('has one entry of its own kind for every event that there is, and each fits the contract', () => {
    const entries = timelineOf(recorded(everything));
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(everything.length);
    for (const entry of entries) expect(OutboundTimelineEntry.parse(entry)).toEqual(entry);
    const stored = readFileSync(new URL('./outbound-call-events.ts', import.meta.url), 'utf8');
    const types = [...stored.matchAll(/^ {2}([A-Z]\w+): \{/gm)].map(([, type]) => type);
    expect(new Set(everything.map(({ type }) => type))).toEqual(new Set(types));
    expect(readdirSync(new URL('./golden/', import.meta.url))).not.toHaveLength(0);
  });

  it('says why an attempt was not dialled, when the next one follows, and which attempt it was', () => {
    const [, started, abandoned] = timelineOf(
      recorded([history.placed, history.started(1), history.abandoned(1, history.at(60))]),
    );
    expect(started).toMatchObject({ kind: 'attempt.started', attemptNumber: 1 });
    expect(abandoned).toMatchObject({
      ...{ kind: 'attempt.abandoned', attemptNumber: 1 },
      details: { nextAttemptAt: new Date(history.at(60)).toISOString() },
      actor: { type: 'platform', id: 'outbound-dialer' },
    });
  });

  it('keeps the order of the stream where the media server tells an answer to the second', () => {
    const start = history.started(1);
    const startedAt = new Date(Date.parse(history.at(65)) + 480).toISOString();
    const begun = { ...start, data: { ...start.data, startedAt } };
    const entries = timelineOf(recorded([history.placed, begun, history.answered(1)]));
    expect(entries.map(({ kind }) => kind)).toEqual([
      'outbound.placed',
      'attempt.started',
      'attempt.answered',
    ]);
    expect(entries.at(-1)?.at).toBe(new Date(history.at(65)).toISOString());
  });

  it('names the person who asked, and neither numbers nor words', () => {
    const entries = timelineOf(recorded(everything, 'user:u:1'));
    expect(entries[0]?.actor).toEqual({ type: 'user', id: 'u:1' });
    expect(JSON.stringify(entries)).not.toMatch(/\+1415|Grace|Ada/);
  });
});
