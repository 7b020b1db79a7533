// Webhooks come late, twice and in any order: every order leads to the same call.
import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { RoomEvent } from '@parlance/contracts';
import { fold } from '@parlance/event-sourcing';
import fc from 'fast-check';
import { callDecider } from '../call/call.js';
import type { CallCommand } from '../call/call-commands.js';
import type { CallEvent } from '../call/call-events.js';
import { toCallLog } from '../call/call-log.js';
import { heldInARoom, ordersOfSix } from '../testing/webhooks.js';
import { describedByRoom, factOf, readRoomMetadata } from './room-metadata.js';

const began = Date.parse('2026-03-01T10:00:00.000Z');
const now = '2026-03-01T10:00:10.000Z';
const { webhooks, log } = heldInARoom('org', 'c1', began);

/** The command for webhooks that are recorded in one append. */
const commandFor = (events: readonly RoomEvent[]): CallCommand[] => {
  const call = readRoomMetadata(events[0]?.room.metadata ?? '');
  if (call === undefined || !('organizationId' in call)) return [];
  const [startedAt = now] = events.map(({ at }) => at).sort();
  const described = describedByRoom(call, { roomName: `in_${call.callId}`, startedAt }, 'Front desk');
  const facts = events.flatMap((event) => factOf(call.callId, event) ?? []);
  return [{ type: 'RecordRoomFacts', now, ...described, facts }];
};

/** Cuts the webhooks of an order into groups of up to this many. */
const inGroups = (order: readonly number[], sizes: readonly number[]): RoomEvent[][] => {
  const told = order.flatMap((which) => webhooks[which] ?? []);
  const groups: RoomEvent[][] = [];
  for (let from = 0; from < told.length; from += groups.at(-1)?.length ?? 1)
    groups.push(told.slice(from, from + (sizes[groups.length] ?? 1)));
  return groups;
};

describe('six webhooks of one room', () => {
  const seed = randomInt(2 ** 31);
  const orders = ordersOfSix(seed);
  const groupings = fc.sample(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 9 }), {
    ...{ seed, numRuns: orders.length },
  });

  it('lead to one call, the same in each of their 720 orders, some of them twice, in any groups', () => {
    expect([webhooks.length, orders.length]).toEqual([6, 720]);
    for (const [index, order] of orders.entries()) {
      let events: readonly CallEvent[] = [];
      const told = inGroups(order, groupings[index] ?? []).flatMap(commandFor);
      for (const command of [...told, { type: 'EndOverdue', now: '2026-03-01T10:01:00.000Z' } as const])
        events = [...events, ...callDecider.decide(command, fold(callDecider, events))];
      const call = fold(callDecider, events);
      if (call.phase === 'absent') throw new Error('no call');
      expect({ seed, order, log: toCallLog('c1', call) }).toMatchObject({ seed, order, log });
      expect(events.filter(({ type }) => type === 'CallEnded')).toHaveLength(1);
    }
  });
});
