import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineEvents } from './codec.js';
import type { EventMetadata } from './metadata.js';
import { NewerEvent } from './newer-event.js';

const metadata = (schemaVersion: number): EventMetadata => ({
  eventId: 'e',
  schemaVersion,
  occurredAt: '2026-01-01T00:00:00.000Z',
  organizationId: 'org',
  actor: 'user:1',
  requestId: 'r',
  causationId: null,
  traceparent: null,
});

const codec = defineEvents({
  LampMoved: {
    version: 3,
    data: z.object({ room: z.string(), floor: z.int(), movedBy: z.string() }),
    upcasters: {
      1: ({ data, personal }) => ({ data: { ...data, floor: 0 }, personal }),
      2: ({ data, personal }, { actor }) => ({ data: { ...data, movedBy: actor }, personal }),
    },
  },
  LampGiven: { version: 1, data: z.object({ lamp: z.int() }), personal: z.object({ to: z.string() }) },
});

describe('a codec', () => {
  it('walks every upcaster from the stored version to the current one', () => {
    const stored = { type: 'LampMoved', data: { room: 'hall' }, personal: null };
    expect(codec.decode(stored, metadata(1))).toEqual({
      type: 'LampMoved',
      data: { room: 'hall', floor: 0, movedBy: 'user:1' },
    });
    expect(codec.decode({ ...stored, data: { room: 'hall', floor: 2 } }, metadata(2))).toEqual({
      type: 'LampMoved',
      data: { room: 'hall', floor: 2, movedBy: 'user:1' },
    });
  });

  it('refuses an event of a newer release instead of reading half of it', () => {
    const stored = { type: 'LampGiven', data: { lamp: 1 }, personal: { to: 'Ada' } };
    expect(() => codec.decode(stored, metadata(2))).toThrow(NewerEvent);
  });

  it('refuses a type that it does not know as one of a newer release, names of Object.prototype included', () => {
    for (const type of ['LampBroken', 'constructor', '__proto__'])
      expect(() => codec.decode({ type, data: {}, personal: null }, metadata(1))).toThrow(NewerEvent);
  });

  it('keeps the personal part apart from the data', () => {
    expect(codec.encode({ type: 'LampGiven', data: { lamp: 1 }, personal: { to: 'Ada' } })).toEqual({
      type: 'LampGiven',
      version: 1,
      data: { lamp: 1 },
      personal: { to: 'Ada' },
    });
  });

  it('reads an event whose subject was forgotten, without its personal part', () => {
    expect(codec.decode({ type: 'LampGiven', data: { lamp: 1 }, personal: null }, metadata(1))).toEqual({
      type: 'LampGiven',
      data: { lamp: 1 },
      personal: null,
    });
  });

  it('does not write an event without its personal part, nor one that breaks its schema', () => {
    expect(() => codec.encode({ type: 'LampGiven', data: { lamp: 1 }, personal: null })).toThrow();
    expect(() => codec.encode({ type: 'LampGiven', data: { lamp: 0.5 }, personal: { to: 'Ada' } })).toThrow();
  });

  it('does not start with a gap in the upcasters', () => {
    expect(() => defineEvents({ A: { version: 2, data: z.object({}) } })).toThrow(
      'A has no upcaster from version 1',
    );
  });
});
