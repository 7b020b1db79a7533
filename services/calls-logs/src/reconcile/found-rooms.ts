// Rooms whose webhooks were lost: a call without any report, or without a report of its answer, is read off its room.
import type { RoomEvent } from '@parlance/contracts';
import type { Room } from '@parlance/media-rooms';
import type { Logger } from '@parlance/observability';
import type { Call } from '../call/call-state.js';
import type { Parts } from '../parts.js';
import { wellKnownCalls } from '../read-models/room-calls.js';
import { recordRoomReports } from '../rooms/record-room-reports.js';
import { participantHash, readRoomMetadata } from '../rooms/room-metadata.js';
import { reportOf } from '../rooms/room-report.js';

type Needed = Pick<
  Parts,
  'agentNames' | 'browserCalls' | 'calls' | 'clock' | 'db' | 'ids' | 'callerFor' | 'rooms' | 'rpc'
>;

const isIn = (call: Call | undefined, participant: string): boolean => {
  const { inAt = null, outAt = null } = call?.presences[participant] ?? {};
  return inAt !== null && (outAt === null || inAt > outAt);
};

/** The webhooks that a room in its present state would have caused. */
const eventsOf = async (parts: Needed, room: Room, callId: string): Promise<RoomEvent[]> => {
  const at = parts.clock.now().toISOString();
  const [call, there] = await Promise.all([parts.calls.find(callId), parts.rooms.participants(room.name)]);
  const seen = (type: string, more: Pick<RoomEvent, 'participant'> = {}): RoomEvent => ({
    ...{ id: `${room.sid}:${parts.ids.next()}`, type, at, room },
    ...more,
  });
  return [
    ...(call === undefined ? [seen('room_started')] : []),
    ...there
      .filter(({ identity }) => !isIn(call, participantHash(callId, identity)))
      .map(({ identity, kind, attributes }) =>
        seen('participant_joined', {
          participant: { identity, kind, attributes: { ...attributes }, disconnectReason: null },
        }),
      ),
  ];
};

/** Records the news of these rooms. */
export const recordFoundRooms = async (
  parts: Needed,
  logger: Logger,
  rooms: readonly Room[],
  settledBefore: string,
): Promise<void> => {
  const ours = rooms.flatMap((room) => {
    const call = readRoomMetadata(room.metadata);
    return call === undefined ? [] : [{ room, callId: call.callId }];
  });
  if (ours.length === 0) return;
  const callIds = ours.map(({ callId }) => callId);
  const wellKnown = await wellKnownCalls(parts.db, callIds, settledBefore);
  for (const { room, callId } of ours.filter(({ callId }) => !wellKnown.has(callId))) {
    try {
      const events = await eventsOf(parts, room, callId);
      const reports = events.flatMap((event) => reportOf(event)?.reports ?? []);
      await recordRoomReports(
        parts,
        { room, reports },
        { reporter: 'reconciler', requestId: parts.ids.next() },
      );
      if (events.length > 0) logger.info({ callId }, 'call found by its room');
    } catch (err) {
      // One room that cannot be read keeps no other one waiting.
      logger.warn({ err, callId }, 'room not read');
    }
  }
};
