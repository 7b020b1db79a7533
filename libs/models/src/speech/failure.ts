// Why a server of the OpenAI protocol gave no text or no audio.
import { EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import type { ChatFailure } from '../chat/events.js';
import { reasonOfStatus } from '../chat/status.js';

export type ModelFailureReason = Exclude<ChatFailure, 'stalled' | 'overallTimeout' | 'breakerOpen'>;

/** What the server wrote is never part of it. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  constructor(
    readonly reason: ModelFailureReason,
    readonly status?: number,
  ) {
    super(`the model failed: ${reason}${status === undefined ? '' : ` (HTTP ${status})`}`);
  }
}

const reasons: Readonly<Partial<Record<EgressFailure['reason'], ModelFailureReason>>> = {
  timeout: 'timeout',
  too_large: 'tooLarge',
  bad_response: 'invalidResponse',
};

export const asModelFailure = (error: unknown): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  if (error instanceof AppError) return new ModelFailure('notAllowed');
  const reason = error instanceof EgressFailure ? reasons[error.reason] : undefined;
  return new ModelFailure(reason ?? 'unreachable');
};

/** @throws ModelFailure for a status that is no success */
export const refuseStatus = (status: number): void => {
  if (status === 200) return;
  // A redirect is not followed: the key is for this address.
  throw new ModelFailure(reasonOfStatus(status), status);
};
