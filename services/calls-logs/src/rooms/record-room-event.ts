// Records the observations of a room: a webhook of the media server, or a look by the reconciler.
import type { RoomEvent } from '@parlance/contracts';
import { reportedBy } from '../call/call-repository.js';
import type { Parts } from '../parts.js';
import { callOfRoom } from './call-of-room.js';
import { describedByRoom, factOf, readRoomMetadata } from './room-metadata.js';

export interface Witness {
  readonly reporter: 'media-server' | 'reconciler';
  readonly requestId: string;
}

/**
 * False when the event says nothing about a call of ours.
 * @throws AppError when the event could not be recorded; it may come again
 */
export const recordRoomEvent = async (
  parts: Pick<Parts, 'agentNames' | 'calls' | 'clock' | 'rpc' | 'callerFor'>,
  event: RoomEvent,
  { reporter, requestId }: Witness,
): Promise<boolean> => {
  const { metadata } = event.room;
  const named = readRoomMetadata(metadata);
  const fact = named && factOf(named.callId, event);
  if (fact === undefined) return false;
  const call = await callOfRoom(parts, metadata, requestId);
  if (call === undefined) return false;
  const { organizationId, agentId } = call;
  const agentName = await parts.agentNames.nameOf(organizationId, agentId, requestId);
  await parts.calls.handle(
    call.callId,
    {
      type: 'RecordRoomFacts',
      now: parts.clock.now().toISOString(),
      ...describedByRoom(call, { roomName: event.room.name, startedAt: event.at }, agentName),
      facts: [fact],
    },
    reportedBy(reporter, { factId: event.id, organizationId, occurredAt: event.at }),
  );
  return true;
};
