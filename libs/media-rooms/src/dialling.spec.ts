// A ringing longer than LiveKit waits: the dial is one request all the same, and the callee's participant tells the rest.
import { describe, expect, it } from '@jest/globals';
import { createDialling } from './dialling.js';
import type { Dial, Participant } from './media-rooms.js';

const dial: Dial = {
  ...{ room: 'ob_1', identity: 'pstn_1', to: '+14155550100', from: '+14155550101', trunkId: 'trunk' },
  ...{ ringingTimeoutSeconds: 0.2, longestSeconds: 600, attemptId: '1' },
};
const callee = (sipCallStatus: string): Participant => ({
  ...{ identity: 'pstn_1', kind: 'sip', attributes: {}, sipCallStatus, sipCallId: 'SCL_1' },
});

type Look = Participant | null | 'away';

/** Each look at the room finds the next of `looks`; later looks find the last one again. */
const dialled = async (looks: readonly Look[], longestWaitSeconds = 0.1) => {
  const requests: unknown[] = [];
  let looked = 0;
  const sip = {
    createSipParticipant: async (...[, , , options]: readonly unknown[]) => {
      requests.push(options);
      return { sipCallId: 'SCL_1' };
    },
  };
  const participant = async () => {
    const seen = looks[Math.min(looked, looks.length - 1)];
    looked += 1;
    if (seen === 'away' || seen === undefined) throw new Error('away');
    return seen;
  };
  const dialling = createDialling(sip as unknown as Parameters<typeof createDialling>[0], participant, 0.1, {
    longestWaitSeconds,
    lookEveryMs: 10,
  });
  return { outcome: await dialling(dial), requests };
};

describe('a ringing longer than LiveKit waits', () => {
  it('is asked for once, without waiting, and is answered when the callee is', async () => {
    const { outcome, requests } = await dialled([callee('dialing'), callee('ringing'), callee('active')]);
    expect(outcome).toEqual({ kind: 'answered', sipCallId: 'SCL_1' });
    expect(requests).toMatchObject([{ waitUntilAnswered: false, ringingTimeout: 0.2, timeout: 35 }]);
  });

  it.each<[string, readonly Look[], object]>([
    [
      'rang in vain when the callee leaves after ringing',
      [callee('ringing'), null],
      { status: 'no_answer', endedReason: 'no_answer' },
    ],
    [
      'was refused when the callee leaves without having rung',
      [callee('dialing'), null],
      { status: 'failed', endedReason: 'sip_error' },
    ],
  ])('%s', async (_, looks, end) => {
    expect((await dialled(looks)).outcome).toEqual({ kind: 'unanswered', ...end });
  });

  it('goes on while the media server does not answer for a moment', async () => {
    const { outcome } = await dialled([callee('ringing'), 'away', 'away', callee('active')]);
    expect(outcome).toMatchObject({ kind: 'answered' });
  });

  it('goes on when one look finds no callee, and the next one does', async () => {
    const { outcome } = await dialled([null, callee('ringing'), null, callee('active')]);
    expect(outcome).toMatchObject({ kind: 'answered' });
  });

  it('is in doubt when the callee is there unanswered, or cannot be seen, long after the ringing time', async () => {
    for (const looks of [[callee('ringing')], ['away']] as const)
      expect((await dialled(looks)).outcome).toMatchObject({ kind: 'inDoubt' });
  });

  it('waits for LiveKit’s own answer where that is soon enough', async () => {
    const { requests } = await dialled([null], 1);
    expect(requests).toMatchObject([{ waitUntilAnswered: true }]);
  });
});
