// Records the observations of a room: webhooks of the media server, or a look by the reconciler.
import { sha256 } from '@parlance/crypto';
import { reportedBy } from '../call/call-repository.js';
import type { Parts } from '../parts.js';
import { callOfRoom } from './call-of-room.js';
import { describedByRoom } from './room-metadata.js';
import type { RoomReport, RoomReports } from './room-report.js';

export interface Witness {
  readonly reporter: 'media-server' | 'reconciler';
  readonly requestId: string;
}

export type RecordingParts = Pick<
  Parts,
  'agentNames' | 'browserCalls' | 'calls' | 'clock' | 'rpc' | 'callerFor'
>;

/** Reports that wait may be joined by others before they are recorded again, and are another command then. */
const idOf = (reports: readonly RoomReport[], last: RoomReport): string =>
  reports.length === 1 ? last.id : `${last.id}:${sha256(reports.map(({ id }) => id).join(' ')).slice(0, 22)}`;

/**
 * Records all reports in one append.
 * @throws AppError when the reports could not be recorded; they are to be recorded again then
 */
export const recordRoomReports = async (
  parts: RecordingParts,
  { room, reports }: Pick<RoomReports, 'room' | 'reports'>,
  { reporter, requestId }: Witness,
): Promise<void> => {
  const last = reports.at(-1);
  if (last === undefined) return;
  const call = await callOfRoom(parts, room.metadata, requestId);
  if (call === undefined) return;
  const { callId, organizationId, agentId } = call;
  const agentName = await parts.agentNames.nameOf(organizationId, agentId, requestId);
  // The start may be reported several times; the earliest counts.
  const startedAt = reports.reduce((first, { at }) => (at < first ? at : first), last.at);
  const meta = reportedBy(reporter, { factId: last.id, organizationId, occurredAt: last.at });
  await parts.calls.handle(
    callId,
    {
      type: 'RecordRoomFacts',
      now: parts.clock.now().toISOString(),
      ...describedByRoom(call, { roomName: room.name, startedAt }, agentName),
      facts: reports.map(({ fact }) => fact),
    },
    { ...meta, commandId: `${reporter}:${idOf(reports, last)}` },
  );
};
