// The entries of a call in its timeline, from its stream: facts without personal data.
import type { CallTimelineEntry } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from '../call/call-events.js';

/** `user:<id>`, `key:<id>` or `platform:<service>`. */
export const actorOf = (actor: string): CallTimelineEntry['actor'] => {
  const [type = '', ...id] = actor.split(':');
  return { type, id: id.join(':') };
};

/** The wire format, for a moment of any stored precision. */
export const iso = (moment: string): string => new Date(moment).toISOString();

/** A call that was reported at its end alone has the time of its answer in the end. */
export const entriesOfCall = (events: readonly Recorded<CallEvent>[]): readonly CallTimelineEntry[] => {
  const wasToldBefore = events.some(({ event }) => event.type === 'CallAnswered');
  return events.flatMap((recorded) => {
    const { event, metadata } = recorded;
    const entries = entriesOf(recorded);
    if (event.type !== 'CallEnded' || event.data.answeredAt === null || wasToldBefore) return entries;
    const at = iso(event.data.answeredAt);
    return [{ at, actor: actorOf(metadata.actor), kind: 'call.answered', details: {} }, ...entries];
  });
};

/**
 * Empty for an event that says nothing new to a reader. Such events are a part of a transcript, and a better
 * description of the call.
 */
const entriesOf = ({ event, revision, metadata }: Recorded<CallEvent>): readonly CallTimelineEntry[] => {
  const by = (moment: string) => ({ at: iso(moment), actor: actorOf(metadata.actor) });
  const { type, data } = event;
  switch (type) {
    case 'CallDescribed': {
      if (revision !== 0n) return [];
      const { channel, direction, source: toldBy } = data;
      return [{ ...by(data.startedAt), kind: 'call.started', details: { channel, direction, toldBy } }];
    }
    case 'CallAnswered':
      return [{ ...by(data.answeredAt), kind: 'call.answered', details: {} }];
    case 'ParticipantMoved': {
      const who = { participant: data.kind, present: data.present };
      if (data.moved === 'in') return [{ ...by(data.at), kind: 'participant.joined', details: who }];
      const details = { ...who, leftBy: data.leftBy ?? null };
      return [{ ...by(data.at), kind: 'participant.left', details }];
    }
    case 'CallEndRequested':
      return [{ ...by(data.recordedAt), actor: actorOf(data.by), kind: 'call.end_requested', details: {} }];
    case 'RoomClosed':
      return [{ ...by(data.closedAt), kind: 'room.closed', details: {} }];
    case 'CallEnded': {
      const { status, endedReason, answeredBy, durationSeconds, sipStatus, source: toldBy } = data;
      const details = { status, endedReason, answeredBy, durationSeconds, sipStatus, toldBy };
      return [{ ...by(data.endedAt), kind: 'call.ended', details }];
    }
    case 'CallIngested': {
      const { messageCount, analysisStatus, successful, cost } = data;
      // The target of a transfer is a number of a person, so the entry leaves it out.
      const moved = event.personal?.transfer ?? null;
      const transfer = moved === null ? null : { type: moved.type, status: moved.status };
      const costMicros = cost?.totalMicros ?? null;
      const details = { messageCount, analysisStatus, successful, transfer, costMicros };
      return [{ ...by(data.recordedAt), kind: 'call.handed_over', details }];
    }
    case 'ToolRan': {
      const { toolId, name, status, durationMs } = data;
      return [{ ...by(data.at), kind: 'tool.ran', details: { toolId, name, status, durationMs } }];
    }
    case 'RecordingDeleted':
      return [{ ...by(data.recordedAt), kind: 'recording.deleted', details: {} }];
    case 'CallAnalyzed':
    case 'TranscriptRecorded':
    case 'InitiationAnswered':
    case 'CallDeleted':
      return [];
  }
};
