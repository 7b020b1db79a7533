// The side that ended a participation, as the webhooks of a real LiveKit tell it.
import { describe, expect, it } from '@jest/globals';
import type { RoomEvent } from '@parlance/contracts';
import { factOf } from './room-metadata.js';

type Participant = NonNullable<RoomEvent['participant']>;

const left = (participant: Partial<Participant>): RoomEvent => ({
  ...{ id: 'EV_1', type: 'participant_left', at: '2026-03-01T10:00:00.000Z' },
  room: { name: 'ob_1', sid: 'RM_1', metadata: '' },
  participant: { identity: 'pstn_1', kind: 'sip', attributes: {}, disconnectReason: null, ...participant },
});
const status = (value: string) => ({ attributes: { 'sip.callStatus': value } });

describe('a participant that left the room', () => {
  it.each<readonly [string, Partial<Participant>, string | undefined]>([
    ['a telephone that hung up', { ...status('hangup'), disconnectReason: 'CLIENT_INITIATED' }, 'itself'],
    ['a browser that left', { kind: 'standard', disconnectReason: 'CLIENT_INITIATED' }, 'itself'],
    [
      'a telephone that the SIP service took out',
      { ...status('active'), disconnectReason: 'CLIENT_INITIATED' },
      'others',
    ],
    ['a telephone of an unknown status', { disconnectReason: 'CLIENT_INITIATED' }, 'others'],
    ['a telephone in a deleted room', { ...status('active'), disconnectReason: 'ROOM_DELETED' }, 'others'],
    [
      'a telephone that hung up in a room that was deleted first',
      { ...status('hangup'), disconnectReason: 'ROOM_DELETED' },
      'others',
    ],
    [
      'a telephone that was removed',
      { ...status('active'), disconnectReason: 'PARTICIPANT_REMOVED' },
      'others',
    ],
    ['a participant without a reason', status('hangup'), undefined],
  ])('%s', (_, participant, leftBy) => {
    const fact = factOf('c1', left(participant));
    expect(fact).toMatchObject({ kind: 'moved', moved: 'out' });
    expect(fact).toEqual(
      leftBy === undefined
        ? expect.not.objectContaining({ leftBy: expect.anything() })
        : expect.objectContaining({ leftBy }),
    );
  });

  it.each(['SIGNAL_CLOSE', 'CONNECTION_TIMEOUT', 'MEDIA_FAILURE'])(
    'of a telephone or an agent with the reason %s is a lost connection, and of a browser it is not',
    (disconnectReason) => {
      expect(factOf('c1', left({ ...status('active'), disconnectReason }))).toMatchObject({
        ...{ moved: 'out', leftBy: 'others', lost: true },
      });
      expect(factOf('c1', left({ kind: 'agent', disconnectReason }))).toMatchObject({ lost: true });
      expect(factOf('c1', left({ kind: 'standard', disconnectReason }))).not.toHaveProperty('lost');
    },
  );

  it('is told of without a reason when it comes in', () => {
    const joined = { ...left({ disconnectReason: 'CLIENT_INITIATED' }), type: 'participant_joined' };
    expect(factOf('c1', joined)).not.toHaveProperty('leftBy');
  });
});
