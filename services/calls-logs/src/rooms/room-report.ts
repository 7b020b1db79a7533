// Reports of the media server on one room, as they are stored until they are in the stream of their call.
import type { RoomEvent } from '@parlance/contracts';
import { z } from 'zod';
import { type RoomFact } from '../call/call-commands.js';
import { departures } from '../call/call-events.js';
import { factOf, readRoomMetadata } from './room-metadata.js';

const at = z.iso.datetime();

const StoredFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened') }),
  z.object({ kind: z.literal('closed'), at }),
  z.object({
    kind: z.literal('moved'),
    participant: z.string(),
    as: z.enum(['agent', 'person', 'other']),
    moved: z.enum(['in', 'out']),
    at,
    leftBy: z.enum(departures).exactOptional(),
    lost: z.literal(true).exactOptional(),
  }),
]) satisfies z.ZodType<RoomFact>;

/** Column `reports` of `room_reports`: a release reads what another one stored. */
export const StoredReports = z.array(z.object({ id: z.string(), at, fact: StoredFact })).min(1);
export type RoomReport = z.infer<typeof StoredReports>[number];

/** The platform's metadata of a room hold telephone numbers. */
export interface ReportedRoom {
  readonly name: string;
  readonly metadata: string;
}

export interface RoomReports {
  readonly callId: string;
  /** Null where the metadata name the call alone. */
  readonly organizationId: string | null;
  readonly room: ReportedRoom;
  /** At least one, in the order of their arrival. */
  readonly reports: readonly RoomReport[];
}

/** The report in a webhook; undefined when the event says nothing about a call of ours. */
export const reportOf = (event: RoomEvent): RoomReports | undefined => {
  const { id, at, room } = event;
  const call = readRoomMetadata(room.metadata);
  const fact = call && factOf(call.callId, event);
  if (call === undefined || fact === undefined) return undefined;
  return {
    callId: call.callId,
    organizationId: 'organizationId' in call ? call.organizationId : null,
    room: { name: room.name, metadata: room.metadata },
    reports: [{ id, at, fact }],
  };
};
