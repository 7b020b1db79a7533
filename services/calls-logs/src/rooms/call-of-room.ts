// Which call a room holds. A telephone call's room says it all; a browser's room says the id of the call, because its
// visitor can read the rest, and the rest is on record here or at agents-config. Webhooks may come in any order: each of
// them is looked up alike.
import { type BrowserRoom, type CallContext, serviceRequests } from '@parlance/contracts';
import type { Call } from '../call/call-state.js';
import type { Parts } from '../parts.js';
import { type CallOfRoom, readRoomMetadata } from './room-metadata.js';

type Needed = Pick<Parts, 'calls' | 'rpc' | 'platformToken'>;

/** Its description of before, which says nothing new. */
const onRecord = (callId: string, { description, people }: Call): CallOfRoom => ({
  ...description,
  callId,
  fromNumber: people?.fromNumber ?? null,
  toNumber: people?.toNumber ?? null,
  dynamicVariables: people?.dynamicVariables ?? {},
  metadata: people?.metadata ?? {},
});

/** Null: no preview session of the last day. */
const askedFor = async (
  { rpc, platformToken }: Needed,
  { callId }: BrowserRoom,
  requestId: string,
): Promise<CallContext | null> => {
  // The room does not say which organization's call it is.
  const caller = await platformToken('');
  const { data } = await rpc.call(
    serviceRequests.agentsPreviewCall,
    { body: { callId } },
    { caller, requestId },
  );
  return data.context;
};

/**
 * Undefined for a room that is not one of ours.
 * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when agents-config does not answer
 */
export const callOfRoom = async (
  parts: Needed,
  metadata: string,
  requestId: string,
): Promise<CallOfRoom | undefined> => {
  const read = readRoomMetadata(metadata);
  if (read === undefined || 'organizationId' in read) return read;
  const known = await parts.calls.find(read.callId);
  if (known !== undefined) return onRecord(read.callId, known);
  return (await askedFor(parts, read, requestId)) ?? undefined;
};
