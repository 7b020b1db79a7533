// One call as the carrier saw it pass, from its INVITE to its end.
import type { CallEntry } from '@parlance/fake-kit';
import type { Telephone } from './behaviours.js';
import type { HeardVoice } from './hearing.js';
import type { Programme } from './media.js';
import { type Address, callerOf, type SipMessage, tagOf } from './sip-message.js';

/** The facts of a call; times are milliseconds since 1970. */
export interface CallFacts {
  readonly direction: 'to-telephone' | 'from-telephone';
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  readonly beganAt: number;
  readonly rangAt: number | undefined;
  readonly answeredAt: number | undefined;
  readonly endedAt: number | undefined;
  /** The final answer to the INVITE. */
  readonly status: number | undefined;
  readonly endedBy: 'telephone' | 'far-end' | undefined;
  /** The digits that the telephone heard. */
  readonly heard: string;
  /** When the telephone heard any voice. */
  readonly voices: readonly HeardVoice[];
}

export type WireCall = { -readonly [K in keyof CallFacts]: CallFacts[K] } & {
  /** LiveKit's end. */
  readonly far: Address;
  /** SIPp's end; undefined where the INVITE is swallowed, and until a caller has said its first word. */
  phone: Address | undefined;
  /** Where the far end takes audio. */
  audio: Address | undefined;
  readonly programme: Programme;
  readonly telephone: Telephone | undefined;
  /** The call's part of its lines in the ledger; undefined for calls of telephones that call in. */
  readonly entry: Omit<CallEntry, 'kind' | 'at'> | undefined;
  /** CSeq and Via of the INVITE that the phone got last. */
  lastInvite: string | undefined;
  /** Datagrams of a call pass one after the other, each after its line in the ledger. */
  work: Promise<void>;
};

const attemptHeader = 'X-Attempt-Id';

/** Names of an attempt's room and callee follow from its id, which the dialer sends along with the INVITE. */
export const ledgerEntryOf = (invite: SipMessage): Omit<CallEntry, 'kind' | 'at'> => {
  const attemptId = invite.header(attemptHeader);
  return {
    room: attemptId === undefined ? '' : `ob_${attemptId}`,
    identity: attemptId === undefined ? '' : `pstn_${attemptId}`,
    to: invite.number,
    from: callerOf(invite),
    // livekit-sip marks its side of the call with its own id of it
    sipCallId: tagOf(invite.header('From')) ?? invite.callId,
  };
};
