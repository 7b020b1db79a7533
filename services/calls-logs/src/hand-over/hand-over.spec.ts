import { describe, expect, it } from '@jest/globals';
import type { IngestInput } from '@parlance/contracts';
import { ingestBody } from '../testing/ingest-body.js';
import { handOverOf, maxBytesPerAppend } from './hand-over.js';

const now = '2026-03-01T10:05:00.000Z';
const turns = (count: number, text = 'hello') =>
  Array.from({ length: count }, (_, seq) => ({ seq, role: 'user', text, startMs: seq }));
const body = (change: object = {}) => ingestBody({ endedAt: '2026-03-01T11:01:00+01:00', ...change });
const digest = (input: IngestInput): string => handOverOf(input, now).last.personal.digest;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('a hand-over', () => {
  it('tells all times in one spelling', () => {
    const { last } = handOverOf(body({ transcript: [{ ...turns(1)[0], startMs: 1_500 }] }), now);
    expect(last.description.startedAt).toBe('2026-03-01T10:00:00.000Z');
    expect(last.end.endedAt).toBe('2026-03-01T10:01:00.000Z');
    expect(last.parts[0]?.turns[0]?.createdAt).toBe('2026-03-01T10:00:01.500Z');
  });

  it.each<[string, object, string]>([
    ['pending', {}, 'a conversation without an analysis'],
    ['pending', { analysisStatus: 'pending' }, 'a conversation that waits for one'],
    ['skipped', { analysisStatus: 'skipped' }, 'a runtime that wants none'],
    ['failed', { analysisStatus: 'failed' }, 'a runtime whose analysis failed'],
    ['skipped', { transcript: [] }, 'a call without words'],
    ['completed', { summary: 'They talked.' }, 'a runtime that has made one'],
    ['completed', { analysisStatus: 'pending', dataCollected: { a: { value: 1, rationale: null } } }, 'data'],
    ['completed', { successful: 'unknown' }, 'a result'],
  ])('has the analysis status %s for %j: %s', (status, change, _why) => {
    const { last } = handOverOf(body({ transcript: turns(2), ...change }), now);
    expect(last.details.analysisStatus).toBe(status);
  });

  it.each([
    ['phone', true, true],
    ['phone', false, undefined],
    ['phone', undefined, undefined],
    ['widget', true, undefined],
    ['preview', true, undefined],
  ])('from a %s that reports %s as an opt-out records %s', (channel, optedOut, expected) => {
    const { last } = handOverOf(body({ channel, ...(optedOut !== undefined && { optedOut }) }), now);
    expect(last.details.optedOut).toBe(expected);
  });

  it('has the digest of earlier releases, which read an absent analysis status as skipped', () => {
    expect(digest(body())).toBe(digest(body({ analysisStatus: 'skipped' })));
  });

  it('has the same digest in any spelling and under any event id, and another for other content', () => {
    const first = digest(body({ metadata: { a: 1, b: 2 } }));
    const again = {
      eventId: '0197f3f0-0000-7000-8000-00000000000c',
      startedAt: '2026-03-01T11:00:00.000+01:00',
    };
    expect(digest(body({ metadata: { b: 2, a: 1 }, ...again }))).toBe(first);
    expect(digest(body({ metadata: { a: 1, b: 3 } }))).not.toBe(first);
    expect(digest(body({ transcript: turns(1) }))).not.toBe(digest(body({ transcript: turns(1, 'hi') })));
  });

  it('orders turns by their number, a hundred to a part', () => {
    const { first, last } = handOverOf(body({ transcript: turns(250).reverse() }), now);
    expect(first).toEqual([]);
    expect(last.parts.map((part) => [part.part, part.turns.length, part.turns[0]?.seq])).toEqual([
      [0, 100, 0],
      [1, 100, 100],
      [2, 50, 200],
    ]);
  });

  it('is cut so that every append fits, with all parts in order', () => {
    const { first, last } = handOverOf(
      body({ transcript: turns(300, 'x'.repeat(9_000)), summary: 's' }),
      now,
    );
    const commands = [...first, last];
    expect(first.length).toBeGreaterThan(2);
    for (const { parts } of commands) expect(sizeOf(parts)).toBeLessThan(maxBytesPerAppend + 1_000);
    expect(commands.flatMap(({ parts }) => parts.map(({ part }) => part))).toEqual(
      commands.flatMap(({ parts }) => parts).map((_, index) => index),
    );
    expect(commands.flatMap(({ parts }) => parts.flatMap((part) => part.turns))).toHaveLength(300);
  });

  it('is refused when a single turn, or everything beside the transcript, does not fit', () => {
    const tooLarge = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' });
    const result = 'x'.repeat(maxBytesPerAppend);
    const toolCall = { toolId: null, name: 't', arguments: {}, result, status: 'ok', durationMs: 1 };
    expect(() => handOverOf(body({ transcript: [{ ...turns(1)[0], toolCall }] }), now)).toThrow(tooLarge);
    const dataCollected = { a: { value: result, rationale: null } };
    expect(() => handOverOf(body({ dataCollected }), now)).toThrow(tooLarge);
  });
});
