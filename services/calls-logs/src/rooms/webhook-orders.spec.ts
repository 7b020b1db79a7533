// Webhooks come late, twice and in any order: every order leads to the same call.
import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/event-sourcing';
import { callDecider } from '../call/call.js';
import type { CallCommand } from '../call/call-commands.js';
import type { CallEvent } from '../call/call-events.js';
import { toCallLog } from '../call/call-log.js';
import { heldInARoom, ordersOfSix } from '../testing/webhooks.js';
import { describedByRoom, factOf, readRoomMetadata } from './room-metadata.js';

const began = Date.parse('2026-03-01T10:00:00.000Z');
const now = '2026-03-01T10:00:10.000Z';
const { webhooks, log } = heldInARoom('org', 'c1', began);

const commands = webhooks.flatMap((event): CallCommand[] => {
  const call = readRoomMetadata(event.room.metadata);
  const fact = call && factOf(call.callId, event);
  if (call === undefined || fact === undefined || !('organizationId' in call)) return [];
  return [{ type: 'RecordRoomFact', now, ...describedByRoom(call, event, 'Front desk'), fact }];
});

describe('six webhooks of one room', () => {
  const seed = randomInt(2 ** 31);
  const orders = ordersOfSix(seed);

  it('lead to one call, the same in each of their 720 orders, some of them twice', () => {
    expect([commands.length, orders.length]).toEqual([6, 720]);
    for (const order of orders) {
      let events: readonly CallEvent[] = [];
      const told = order.flatMap((which) => commands[which] ?? []);
      for (const command of [...told, { type: 'EndOverdue', now: '2026-03-01T10:01:00.000Z' } as const])
        events = [...events, ...callDecider.decide(command, fold(callDecider, events))];
      const call = fold(callDecider, events);
      if (call.phase === 'absent') throw new Error('no call');
      expect({ seed, order, log: toCallLog('c1', call) }).toMatchObject({ seed, order, log });
      expect(events.filter(({ type }) => type === 'CallEnded')).toHaveLength(1);
    }
  });
});
