// Deletes a call for the platform or for a person, as `DELETE /calls/{callId}` does.
import { AppError } from '@parlance/errors';
import type { Calls } from '../call/call-repository.js';

/** The `by` of calls that were deleted because they are old. */
export const retentionActor = 'platform:retention';

export interface Deletion {
  readonly organizationId: string;
  readonly callId: string;
  /** As in the event: `user:<id>`, `platform:<part>`. */
  readonly by: string;
  /** Names the reason; a repetition has the same. */
  readonly requestId: string;
  readonly now: string;
}

/** False when there is no such call, or none any more. */
export const deleteCall = async (
  calls: Pick<Calls, 'handle'>,
  { organizationId, callId, by, requestId, now }: Deletion,
): Promise<boolean> => {
  try {
    const { events } = await calls.handle(
      callId,
      { type: 'DeleteCall', now, organizationId, by },
      { commandId: `delete:${requestId}`, organizationId, actor: by, requestId, occurredAt: now },
    );
    return events.length > 0;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CALL_NOT_FOUND') return false;
    throw error;
  }
};
