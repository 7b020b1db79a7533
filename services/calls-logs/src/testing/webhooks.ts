// For tests: the six webhooks of a room with an answered call, and the orders in which they may come.
import { randomUUID } from 'node:crypto';
import type { RoomEvent } from '@parlance/contracts';
import fc from 'fast-check';
import { agent, callee, inboundRoom } from './dialled.js';

export const agentId = randomUUID();

type Participant = NonNullable<RoomEvent['participant']>;

/** LiveKit's event of a telephone that hung up. */
const hungUp = {
  ...callee,
  attributes: { 'sip.callStatus': 'hangup' },
  disconnectReason: 'CLIENT_INITIATED',
};

export interface HeldInARoom {
  readonly webhooks: readonly RoomEvent[];
  /** The entry of the log once the call is ended, after any order. */
  readonly log: object;
}

/** One call, which began at this moment. */
export const heldInARoom = (organizationId: string, callId: string, began: number): HeldInARoom => {
  const at = (second: number): string => new Date(began + second * 1_000).toISOString();
  const metadata = JSON.stringify({ ...inboundRoom(organizationId).room.metadata, callId, agentId });
  const room = { name: `in_${callId}`, sid: 'RM_1', metadata };
  const told = (type: string, second: number, participant?: object): RoomEvent => ({
    ...{ id: `EV_${randomUUID()}`, type, at: at(second), room },
    ...(participant === undefined ? {} : { participant: participant as Participant }), // of the contract's shape
  });
  return {
    webhooks: [
      told('room_started', 0),
      told('participant_joined', 1, agent),
      told('participant_joined', 2, callee),
      told('participant_left', 6, hungUp),
      told('participant_left', 7, agent),
      told('room_finished', 8),
    ],
    log: {
      ...{ id: callId, agentId, agentName: 'Front desk', channel: 'phone', direction: 'inbound' },
      ...{ status: 'completed', outcome: 'answered', endedReason: 'user_hangup' },
      ...{ startedAt: at(0), answeredAt: at(2), endedAt: at(6), ringSeconds: 2, durationSeconds: 4 },
    },
  };
};

const permutations = (list: readonly number[]): number[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((first) =>
        permutations(list.filter((one) => one !== first)).map((rest) => [first, ...rest]),
      );

/** Each of the 720 orders of six. In each order up to three come again, anywhere after their first time. */
export const ordersOfSix = (seed: number): number[][] => {
  const orders = permutations([0, 1, 2, 3, 4, 5]);
  const again = fc.array(fc.tuple(fc.nat(5), fc.nat(9)), { maxLength: 3 });
  return fc.sample(again, { seed, numRuns: orders.length }).map((repetitions, index) => {
    const order = [...(orders[index] ?? [])];
    for (const [which, later] of repetitions) order.splice(order.indexOf(which) + 1 + later, 0, which);
    return order;
  });
};
