// The requests that calls-logs answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { CallStanding } from '../values/agent-facts.js';
import { callId, TranscriptTurn } from '../values/call.js';
import { CallInRoom } from '../values/call-facts.js';
import { AnsweredBy, CallStatus, Direction, EndedReason, Outcome } from '../values/call-status.js';
import { QuotaUse } from '../values/storage.js';
import { timestamp, uuid } from '../values/text.js';
import {
  agentId,
  beginning,
  callIds,
  erasedPiece,
  organizationCleared,
  person,
  personErasure,
} from './parts.js';

/** A verified webhook of the media server. The platform wrote the room metadata when it made the room. */
export const RoomEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  at: timestamp,
  room: z.object({ name: z.string(), sid: z.string(), metadata: z.string() }),
  participant: z
    .object({
      identity: z.string(),
      kind: z.enum(['sip', 'agent', 'standard', 'ingress', 'egress', 'other']),
      attributes: z.record(z.string(), z.string()),
      disconnectReason: z.string().nullable(),
    })
    .optional(),
});
export type RoomEvent = z.infer<typeof RoomEvent>;

/** The progress of a call, for a service that may have missed an event. */
export const CallFacts = z.object({
  callId: z.string(),
  /** Absent from the answer of an older release. */
  agentId: z.string().optional(),
  outboundCallId: z.string().nullable(),
  status: CallStatus,
  outcome: Outcome.nullable(),
  endedReason: EndedReason.nullable(),
  answeredBy: AnsweredBy.nullable(),
  startedAt: timestamp,
  answeredAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  durationSeconds: z.number().nullable(),
  costMicros: z.int().nullable(),
});
export type CallFacts = z.infer<typeof CallFacts>;

export const callsLogsRequests = {
  callsRoomEvent: serviceRequest({
    id: 'calls.roomEvent',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Record a report of the media server about a room',
    body: RoomEvent,
    data: z.object({ recorded: z.boolean() }),
  }),
  callsStorage: serviceRequest({
    id: 'calls.storage',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'What the organization stores as recordings, and its quota',
    body: z.object({}),
    data: QuotaUse,
  }),
  callsBegin: serviceRequest({
    id: 'calls.begin',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Set the quota of an organization that is about to be made',
    body: beginning,
    data: z.object({}),
  }),
  callsTextTurns: serviceRequest({
    id: 'calls.textTurns',
    service: 'calls-logs',
    askedBy: ['widgets'],
    summary:
      'Show these turns of a conversation in text while it lasts; a turn that was shown before is ignored',
    body: z.object({
      callId,
      agentId: uuid,
      turns: z
        .array(TranscriptTurn.required({ createdAt: true }))
        .min(1)
        .max(100),
    }),
    data: z.object({}),
  }),
  callsFacts: serviceRequest({
    id: 'calls.facts',
    service: 'calls-logs',
    askedBy: ['outbound-dialer'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The states of these calls; unknown ones are left out',
    body: callIds,
    data: z.array(CallFacts),
  }),
  callsNumbers: serviceRequest({
    id: 'calls.numbers',
    service: 'calls-logs',
    askedBy: ['outbound-dialer'],
    summary: 'The telephone numbers of this call',
    body: z.object({ callId }),
    /** Both numbers are null for a call without a telephone, and for one that was erased. @throws CALL_NOT_FOUND */
    data: z.object({
      direction: Direction,
      fromNumber: z.string().nullable(),
      toNumber: z.string().nullable(),
    }),
  }),
  callsBelongsToOther: serviceRequest({
    id: 'calls.belongsToOther',
    service: 'calls-logs',
    askedBy: [],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'Is this the call of another organization than the one that asks',
    body: z.object({ callId }),
    /** False for a call that nobody has reported yet. */
    data: z.object({ isForeign: z.boolean() }),
  }),
  callsStanding: serviceRequest({
    id: 'calls.standing',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'The organization and the agent of this call of any organization, and whether it is over',
    body: z.object({ callId }),
    /** Null for a call that nobody has reported yet. */
    data: z.object({ standing: CallStanding.nullable() }),
  }),
  callsInRoom: serviceRequest({
    id: 'calls.inRoom',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'The live call of this room, and the services that end their part of it first',
    body: z.object({ roomName: z.string() }),
    /** Null for a room without a live call of the organization. */
    data: z.object({ call: CallInRoom.nullable() }),
  }),
  callsOutboundCall: serviceRequest({
    id: 'calls.outboundCall',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'The outbound call that this call is an attempt of',
    body: z.object({ callId }),
    /** Null for a call without one, and for an unknown call. */
    data: z.object({ outboundCallId: z.string().nullable() }),
  }),
  callsLiveCountOfAgent: serviceRequest({
    id: 'calls.liveCountOfAgent',
    service: 'calls-logs',
    askedBy: ['gateway'],
    formerly: { askedBy: ['agents-config'], upTo: '0.2.0' },
    summary: 'The number of calls that this agent holds right now',
    body: agentId,
    data: z.object({ live: z.int() }),
  }),
  callsOpenCount: serviceRequest({
    id: 'calls.openCount',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'The number of calls of the organization that have not ended, or wait for their hand-over',
    body: z.object({}),
    data: z.object({ open: z.int() }),
  }),
  callsCountPerson: serviceRequest({
    id: 'calls.countPerson',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Count the calls of the organization with this number',
    body: person,
    data: z.object({ calls: z.int(), recordings: z.int() }),
  }),
  callsErasePerson: serviceRequest({
    id: 'calls.erasePerson',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Erase some of the calls with this number; repeated until nothing is left',
    body: personErasure,
    data: erasedPiece,
  }),
  callsErase: serviceRequest({
    id: 'calls.erase',
    service: 'calls-logs',
    askedBy: ['outbound-dialer'],
    summary: 'Erase these calls of the organization; unknown and deleted ones are left out',
    body: callIds.extend({
      /** Same in each repetition. */
      erasureId: uuid,
      /** `user:<id>` or `key:<id>`, for the records. */
      requestedBy: z.string(),
    }),
    data: z.object({ erased: z.int().min(0) }),
  }),
  callsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'calls.organizationCleared',
    service: 'calls-logs',
  }),
} as const;
