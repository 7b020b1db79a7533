import type { CallStanding } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import { findPreviewCall } from '../preview/preview-calls.js';
import type { Asking } from './abilities.js';

/** A call as the agent that asks for its token sees it. */
export interface Standing {
  /** The call is of another organization. */
  readonly isForeign: boolean;
  readonly isOver: boolean;
  readonly isOfOtherAgent: boolean;
}

/** @param call null for a call that nobody has reported yet */
export const standingOf = async (
  { db }: Pick<Parts, 'db'>,
  { organizationId, agentId }: Asking,
  { callId, call }: { readonly callId: string; readonly call: CallStanding | null },
): Promise<Standing> => {
  const preview = await findPreviewCall(db, callId);
  const owner = preview?.organizationId ?? call?.organizationId ?? organizationId;
  const own = call?.organizationId === organizationId ? call : null;
  return {
    isForeign: owner !== organizationId,
    isOver: own?.isOver === true,
    isOfOtherAgent: own !== null && own.agentId !== agentId,
  };
};
