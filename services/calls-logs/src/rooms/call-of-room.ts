// The call of a room. The metadata of a telephone call's room describe the call whole. Those of a browser's room only
// name it, because its visitor can read them. The rest is on record here, was announced by widgets, or is at agents-config.
// Webhooks may come in any order: each of them is looked up alike.
import { type BrowserRoom, type CallContext, serviceRequests } from '@parlance/contracts';
import type { Call } from '../call/call-state.js';
import type { Parts } from '../parts.js';
import { type CallOfRoom, readRoomMetadata } from './room-metadata.js';

type Needed = Pick<Parts, 'browserCalls' | 'calls' | 'rpc' | 'callerFor'>;

/** Its description of before, which says nothing new. */
const onRecord = (callId: string, { description, people }: Call): CallOfRoom => ({
  ...description,
  callId,
  fromNumber: people?.fromNumber ?? null,
  toNumber: people?.toNumber ?? null,
  dynamicVariables: people?.dynamicVariables ?? {},
  metadata: people?.metadata ?? {},
  consent:
    description.consentVersion === undefined || description.consentAt === undefined
      ? null
      : { type: 'widget', granted: true, at: description.consentAt, textVersion: description.consentVersion },
});

/**
 * Null: no session of the last day. A widgets service of 0.2.0 announces no sessions, and the room does not say which service made it:
 * both are requested. While one of them is away, the calls of the other are still found.
 */
const askedFor = async (
  { rpc, callerFor }: Needed,
  { callId }: BrowserRoom,
  requestId: string,
): Promise<CallContext | null> => {
  // The room does not say which organization's call it is.
  const context = { caller: callerFor(''), requestId };
  const answers = await Promise.allSettled(
    [serviceRequests.agentsPreviewCall, serviceRequests.widgetsSessionCall].map(
      async (row) => (await rpc.call(row, { body: { callId } }, context)).data.context,
    ),
  );
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (found[0] === undefined && failed !== undefined) throw failed.reason;
  return found[0] ?? null;
};

/**
 * Undefined for a room that is not one of ours.
 * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when a service does not answer and the other does not know the call
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
  const announced = await parts.browserCalls.contextOf(read.callId);
  return announced ?? (await askedFor(parts, read, requestId)) ?? undefined;
};
