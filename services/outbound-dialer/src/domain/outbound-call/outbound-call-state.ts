// The states of an outbound call. Plain data throughout: the read model keeps it as JSON.
import type { AnsweredBy, CallStatus, EndedReason, Outcome } from '@parlance/contracts';
import type { RetryPolicy } from '../campaign/campaign-events.js';
import type { OutboundCallEventOf } from './outbound-call-events.js';

/** One try to reach the phone. `status` is terminal once it is over. */
export interface Attempt {
  readonly attempt: number;
  readonly attemptId: string;
  readonly callId: string;
  readonly roomName: string;
  readonly startedAt: string;
  readonly deadlineAt: string;
  readonly status: CallStatus;
  readonly outcome: Outcome | null;
  readonly endedReason: EndedReason | null;
  readonly sipStatus: number | null;
  readonly providerCode: string | null;
  readonly providerCallId: string | null;
  readonly answeredBy: AnsweredBy | null;
  readonly answeredAt: string | null;
  readonly endedAt: string | null;
  readonly durationSeconds: number | null;
  readonly costMicros: number | null;
  /** True for an attempt that was given up before its dial. */
  readonly isAbandoned?: true;
}

export type Placed = OutboundCallEventOf<'OutboundCallPlaced'>;

/**
 * The callee and the overrides of the agent's configuration; `language` and `voiceId` are absent where the agent's own
 * hold.
 */
export type Personal = Omit<NonNullable<Placed['personal']>, 'language' | 'voiceId'> & {
  readonly language?: string;
  readonly voiceId?: string;
};

/** Facts that every phase has. */
export interface Facts {
  readonly placed: Omit<Placed['data'], 'agentName' | 'configVersion' | 'retryPolicy' | 'longestSeconds'>;
  /** Absent where people decide about every further attempt. */
  readonly retryPolicy?: RetryPolicy;
  /** Null once the person was forgotten. */
  readonly personal: Personal | null;
  readonly agentName: string;
  readonly configVersion: number;
  /** The longest that the call may last, in seconds; absent when an older release placed the call. */
  readonly longestSeconds?: number;
  /** Attempts that are over, oldest first. */
  readonly past: readonly Attempt[];
  /** The number of past attempts when a person last asked for one; the platform itself made the attempts since then. */
  readonly pastWhenAsked: number;
  readonly retryIds: readonly string[];
  readonly queuedAt: string;
  readonly updatedAt: string;
}

/** Waits for a dial worker; not dialled before `notBefore`. */
export type Queued = Facts & { readonly phase: 'queued'; readonly notBefore: string };
/** An attempt was started and has no outcome yet. */
export type Dialing = Facts & {
  readonly phase: 'dialing';
  readonly current: Attempt;
  readonly evidence: 'none' | 'inDoubt' | 'adopted';
};
/** The phone was answered; the call's own stream says when it ends. */
export type Connected = Facts & { readonly phase: 'connected'; readonly current: Attempt };
export type Ended = Facts & {
  readonly phase: 'ended';
  readonly status: CallStatus;
  readonly endedReason: EndedReason | null;
  readonly endedAt: string;
  /** The attempt that the cancellation cut off, as long as something of it may still ring or talk. */
  readonly hangUp: (Attempt & { readonly wasDialing: boolean }) | null;
};

export type OutboundCall = { readonly phase: 'absent' } | Queued | Dialing | Connected | Ended;
