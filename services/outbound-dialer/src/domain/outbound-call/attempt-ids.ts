// The names of one attempt, made from the call and the attempt's number: after a crash they are found again.
import { v5 } from 'uuid';

const namespace = '5b1a2f0e-0f5c-5c0b-9d35-6a2f3a5d7c11';

export interface AttemptIds {
  readonly attemptId: string;
  /** The id of the call's stream in calls-logs. */
  readonly callId: string;
  readonly roomName: string;
}

/** @param attempt from 1 */
export const attemptIds = (outboundCallId: string, attempt: number): AttemptIds => {
  const attemptId = v5(`${outboundCallId}/${attempt}`, namespace);
  return { attemptId, callId: v5(`${attemptId}:call`, namespace), roomName: `ob_${attemptId}` };
};

/** The callee's identity in the attempt's room. */
export const calleeIdentity = (attemptId: string): string => `pstn_${attemptId}`;
