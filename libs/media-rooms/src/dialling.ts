// The one request of a dial. LiveKit waits for an answer for at most 80 seconds, even if the ringing time is longer.
// Then it takes the call back. A request for a longer ringing therefore does not wait, and the participant is watched.
import { setTimeout as delay } from 'node:timers/promises';
import type { SipClient } from 'livekit-server-sdk';
import { dialFailure, unanswered } from './dial-outcome.js';
import type { Dial, DialOutcome, MediaRooms } from './media-rooms.js';

/** Less than LiveKit's 80 seconds, of which joining the room takes a part. */
export const longestWaitSeconds = 75;
/** LiveKit answers within 30 seconds when it does not wait for the callee. */
const placingSeconds = 35;
const lookEveryMs = 500;

export interface DiallingOptions {
  readonly longestWaitSeconds?: number;
  readonly lookEveryMs?: number;
}

type Clients = Pick<SipClient, 'createSipParticipant'>;

const request = async (sip: Clients, dial: Dial, waits: boolean, timeoutSeconds: number): Promise<string> => {
  const info = await sip.createSipParticipant(dial.trunkId, dial.to, dial.room, {
    fromNumber: dial.from,
    participantIdentity: dial.identity,
    participantAttributes: { 'parlance.attemptId': dial.attemptId },
    headers: { 'X-Attempt-Id': dial.attemptId },
    ringingTimeout: dial.ringingTimeoutSeconds,
    maxCallDuration: dial.longestSeconds,
    waitUntilAnswered: waits,
    timeout: timeoutSeconds,
  });
  return info.sipCallId;
};

const inDoubt = (reason: string): DialOutcome => ({ kind: 'inDoubt', cause: new Error(reason) });

/** A phone that never rang was refused by the carrier. LiveKit keeps no SIP status of a dial that it did not wait for. */
const refusedByCarrier: DialOutcome = { kind: 'unanswered', status: 'failed', endedReason: 'sip_error' };

/** Sends the request of a dial once, and resolves with its outcome. Never throws. */
export const createDialling = (
  sip: Clients,
  participant: MediaRooms['participant'],
  marginSeconds: number,
  options: DiallingOptions = {},
): MediaRooms['dial'] => {
  const { longestWaitSeconds: longest = longestWaitSeconds, lookEveryMs: everyMs = lookEveryMs } = options;

  const watch = async (dial: Dial, sipCallId: string): Promise<DialOutcome> => {
    const overAt = Date.now() + dial.ringingTimeoutSeconds * 1_000;
    let hasRung = false;
    let missed = 0;
    while (Date.now() < overAt + marginSeconds * 1_000) {
      const callee = await participant(dial.room, dial.identity).catch(() => undefined);
      if (callee?.sipCallStatus === 'active') return { kind: 'answered', sipCallId };
      // The list of a room's participants may be a moment behind: one look that finds no callee proves nothing.
      missed = callee === null ? missed + 1 : 0;
      if (missed > 1) return hasRung || Date.now() >= overAt ? unanswered : refusedByCarrier;
      hasRung ||= callee?.sipCallStatus === 'ringing';
      await delay(everyMs);
    }
    return inDoubt('the callee was neither answered nor gone when the ringing time was over');
  };

  return async (dial) => {
    const waits = dial.ringingTimeoutSeconds <= longest;
    const timeout = waits ? dial.ringingTimeoutSeconds + marginSeconds : placingSeconds;
    try {
      const sipCallId = await request(sip, dial, waits, timeout);
      return waits ? { kind: 'answered', sipCallId } : await watch(dial, sipCallId);
    } catch (error) {
      return dialFailure(error);
    }
  };
};
