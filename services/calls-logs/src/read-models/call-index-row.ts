// A row of call_index, and its change by an event.
import { outcomeOf } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from '../call/call-events.js';

/** A row by the names of its columns; moments are ISO 8601. */
export interface IndexRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly revision: number;
  readonly phase: 'live' | 'closing' | 'ended';
  readonly agent_id: string;
  readonly agent_name: string;
  readonly channel: string;
  readonly direction: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly ended_reason: string | null;
  readonly answered_by: string | null;
  readonly outbound_call_id: string | null;
  readonly campaign_id: string | null;
  readonly room_name: string | null;
  readonly started_at: string;
  readonly answered_at: string | null;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  readonly cost_micros: number | null;
  readonly successful: string | null;
  readonly e2e_p50_ms: number | null;
  readonly e2e_p95_ms: number | null;
  readonly closing_due_at: string | null;
  readonly deleted_at: string | null;
}

type OfType<T extends CallEvent['type']> = Extract<CallEvent, { readonly type: T }>;

const ringing = {
  phase: 'live',
  status: 'ringing',
  outcome: null,
  ended_reason: null,
  answered_by: null,
  answered_at: null,
  ended_at: null,
  duration_ms: null,
  cost_micros: null,
  successful: null,
  e2e_p50_ms: null,
  e2e_p95_ms: null,
  closing_due_at: null,
  deleted_at: null,
} as const;

const described = ({ data }: OfType<'CallDescribed'>) => ({
  organization_id: data.organizationId,
  agent_id: data.agentId,
  agent_name: data.agentName,
  channel: data.channel,
  direction: data.direction,
  outbound_call_id: data.outboundCallId,
  campaign_id: data.campaignId,
  room_name: data.roomName,
  started_at: data.startedAt,
});

const ended = ({ data }: OfType<'CallEnded' | 'CallIngested'>) => ({
  phase: 'ended' as const,
  status: data.status,
  outcome: outcomeOf(data),
  ended_reason: data.endedReason,
  answered_by: data.answeredBy,
  answered_at: data.answeredAt,
  ended_at: data.endedAt,
  duration_ms: data.durationSeconds === null ? null : Math.round(data.durationSeconds * 1_000),
  closing_due_at: null,
});

/** The changed columns of a row after an event; undefined for an event that no column shows. */
const changeOf = (event: Exclude<CallEvent, { type: 'CallDescribed' }>): Partial<IndexRow> | undefined => {
  switch (event.type) {
    case 'CallAnswered':
      return { answered_at: event.data.answeredAt, status: 'in_progress' };
    case 'RoomClosed':
      return { phase: 'closing', closing_due_at: event.data.dueAt };
    case 'CallEnded':
      return ended(event);
    case 'CallIngested':
      return {
        ...ended(event),
        cost_micros: event.data.cost?.totalMicros ?? null,
        successful: event.data.successful,
        e2e_p50_ms: event.data.latency?.e2eP50Ms ?? null,
        e2e_p95_ms: event.data.latency?.e2eP95Ms ?? null,
      };
    case 'CallAnalyzed':
      return { successful: event.data.successful };
    case 'CallDeleted':
      return { deleted_at: event.data.recordedAt };
    case 'ParticipantMoved':
    case 'CallEndRequested':
    case 'TranscriptRecorded':
    case 'ToolRan':
    case 'InitiationAnswered':
    case 'RecordingDeleted':
      return undefined;
    default:
      return event satisfies never;
  }
};

/**
 * The row after one more event; the same row after an event that it holds already, or does not show. Its revision is that of
 * the last event that it shows.
 * @throws Error when the stream does not begin with the description of the call
 */
export const rowAfter = (row: IndexRow | undefined, recorded: Recorded<CallEvent>): IndexRow => {
  const { event, entityId } = recorded;
  const revision = Number(recorded.revision);
  if (row !== undefined && revision <= row.revision) return row;
  if (event.type === 'CallDescribed')
    return { ...(row ?? { call_id: entityId, ...ringing }), ...described(event), revision };
  if (row === undefined) throw new Error('the stream does not begin with what the call is');
  const change = changeOf(event);
  return change === undefined ? row : { ...row, ...change, revision };
};

/** Every column but the key. */
export const indexColumns: readonly string[] = Object.keys({
  ...ringing,
  organization_id: '',
  revision: 0,
  agent_id: '',
  agent_name: '',
  channel: '',
  direction: '',
  outbound_call_id: '',
  campaign_id: '',
  room_name: '',
  started_at: '',
} satisfies Record<keyof Omit<IndexRow, 'call_id'>, unknown>);
