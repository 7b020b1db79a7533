// The events of one call, in stream `call-<callId>`. This file is the storage format: renaming anything here is a
// migration. Each event states the facts after it, so that a projection can store them without the facts before.
import {
  AnalysisStatus,
  AnsweredBy,
  CallStatus,
  Channel,
  Direction,
  EndedReason,
  Provider,
  storedJson,
} from '@parlance/contracts';
import { defineEvents, type EventsOf } from '@parlance/event-sourcing';
import { z } from 'zod';

const moment = z.iso.datetime();
const seconds = z.number().min(0);

/** The sources of a call's description, the best informed one first. */
export const sources = ['dialer', 'runtime', 'room'] as const;
export type Source = (typeof sources)[number];

/**
 * The side that ended a participation in a room: the participant itself, or others. A telephone that hangs up is the
 * participant itself. Others are, for example, an operator that deleted the room or a connection that broke.
 */
export const departures = ['itself', 'others'] as const;
export type Departure = (typeof departures)[number];

const recordedAt = { recordedAt: moment };

/** The description of a call, without the data that identify a person. */
const description = {
  organizationId: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  configVersion: z.int().nullable(),
  channel: Channel,
  direction: Direction,
  provider: Provider.nullable(),
  providerCallId: z.string().nullable(),
  roomName: z.string().nullable(),
  outboundCallId: z.string().nullable(),
  campaignId: z.string().nullable(),
  widgetId: z.string().nullable(),
  /** Of a visitor with consent before the call began: the version of the text, and the time. */
  consentVersion: z.string().optional(),
  consentAt: moment.optional(),
  /** The call is a conversation in text, and has no room at the media server. */
  inText: z.literal(true).optional(),
  startedAt: moment,
};

const people = {
  fromNumber: z.string().nullable(),
  toNumber: z.string().nullable(),
  dynamicVariables: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), storedJson),
};

/** The end of a call; `source` is `inferred` when no report came and the room was simply gone. */
const ending = {
  source: z.enum(['dialer', 'runtime', 'inferred']),
  status: CallStatus,
  endedReason: EndedReason,
  answeredBy: AnsweredBy.nullable(),
  answeredAt: moment.nullable(),
  endedAt: moment,
  /** Talk time; null for a call that was not answered. */
  durationSeconds: seconds.nullable(),
};

const latencyMs = z.number().nullable();

const turn = z.object({
  seq: z.int(),
  role: z.enum(['agent', 'user', 'system', 'tool']),
  text: z.string(),
  spokenText: z.string().nullable(),
  interrupted: z.boolean(),
  startMs: z.int(),
  endMs: z.int().nullable(),
  confidence: z.number().nullable(),
  language: z.string().nullable(),
  toolCall: z
    .object({
      toolId: z.string().nullable(),
      name: z.string(),
      arguments: z.record(z.string(), storedJson),
      result: storedJson,
      status: z.enum(['ok', 'error', 'timeout']),
      durationMs: z.int(),
    })
    .nullable(),
  sources: z.array(z.object({ knowledgeSourceId: z.string(), chunkId: z.string(), score: z.number() })),
  latencyMs: z.int().nullable(),
  /** Absent where the runtime does not report it. */
  model: z.string().nullable().optional(),
  sttModel: z.string().optional(),
  ttsModel: z.string().optional(),
  fallbacks: z
    .array(
      z.object({ kind: z.enum(['stt', 'llm', 'tts']), from: z.string(), to: z.string(), reason: z.string() }),
    )
    .optional(),
  timings: z
    .object({
      endOfTurnMs: z.int().optional(),
      recognitionMs: z.int().optional(),
      firstTokenMs: z.int().optional(),
      firstSoundMs: z.int().optional(),
    })
    .optional(),
  createdAt: moment,
});

/** The turns that prove a result, and words of one of them. Absent from the analysis of a runtime that does not tell. */
const evidence = { turns: z.array(z.int()).optional(), quote: z.string().optional() };
const dataCollected = z.record(
  z.string(),
  z.object({ value: storedJson, rationale: z.string().nullable(), ...evidence }),
);
const evaluation = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    result: z.enum(['success', 'failure', 'unknown']),
    score: z.number().nullable(),
    rationale: z.string().nullable(),
    ...evidence,
  }),
);

const cost = z.object({
  totalMicros: z.int(),
  currency: z.string(),
  items: z.array(
    z.object({
      kind: z.enum(['telephony', 'stt', 'llm', 'tts', 'recording', 'platform']),
      micros: z.int(),
      quantity: z.number(),
      unit: z.string(),
      /** Absent where the price of the kind was used. */
      model: z.string().optional(),
      unpricedModel: z.string().optional(),
      direction: z.enum(['input', 'output']).optional(),
      rate: z.object({ micros: z.int(), per: z.int() }).optional(),
    }),
  ),
});

export const callEvents = defineEvents({
  /** The first event of every stream; again when a better informed source speaks, or fills a gap. */
  CallDescribed: {
    version: 1,
    data: z.object({ ...recordedAt, ...description, source: z.enum(sources) }),
    personal: z.object(people),
  },
  CallAnswered: {
    version: 1,
    data: z.object({
      ...recordedAt,
      answeredAt: moment,
      agentId: z.string(),
      outboundCallId: z.string().nullable(),
    }),
  },
  /** `participant` is a hash of the identity in the room, which may hold a phone number. */
  ParticipantMoved: {
    version: 1,
    data: z.object({
      ...recordedAt,
      participant: z.string(),
      kind: z.enum(['agent', 'person', 'other']),
      moved: z.enum(['in', 'out']),
      at: moment,
      /** Absent of an arrival, and of a departure for which the media server gave no reason. */
      leftBy: z.enum(departures).optional(),
      /** A telephone whose connection to the media server broke, as when its SIP service died. */
      lost: z.literal(true).optional(),
      /** The number of participants in the room now. */
      present: z.int(),
      agentHasJoined: z.boolean(),
    }),
  },
  CallEndRequested: { version: 1, data: z.object({ ...recordedAt, by: z.string() }) },
  /**
   * The room is gone; reports of the end may still come until `dueAt`. Again when the room went earlier than recorded.
   */
  RoomClosed: { version: 1, data: z.object({ ...recordedAt, closedAt: moment, dueAt: moment }) },
  /** Exactly once per stream. */
  CallEnded: {
    version: 1,
    data: z.object({
      ...recordedAt,
      ...ending,
      sipStatus: z.int().nullable(),
      providerCode: z.string().nullable(),
      agentId: z.string(),
      outboundCallId: z.string().nullable(),
      campaignId: z.string().nullable(),
      startedAt: moment,
      costMicros: z.int().nullable(),
    }),
    personal: z.object({ errorDetail: z.string().nullable() }),
  },
  /** A part of a transcript. It counts once the hand-over that it belongs to is complete. */
  TranscriptRecorded: {
    version: 1,
    data: z.object({
      ...recordedAt,
      ingestId: z.string(),
      part: z.int().min(0),
      turns: z.int().min(1),
      /** The number of the last turn, and the tools in this part. Absent from events of release 0.1.0. */
      lastSeq: z.int().optional(),
      tools: z.array(z.object({ name: z.string(), startMs: z.int() })).optional(),
    }),
    personal: z.object({ turns: z.array(turn) }),
    foldsWithoutPersonal: true,
  },
  /** The voice runtime has handed over everything. The status of the call's end stays. */
  CallIngested: {
    version: 1,
    data: z.object({
      ...recordedAt,
      ...ending,
      ingestId: z.string(),
      messageCount: z.int(),
      rateTable: z.string().nullable(),
      cost: cost.nullable(),
      latency: z
        .object({
          e2eP50Ms: latencyMs,
          e2eP95Ms: latencyMs,
          llmP50Ms: latencyMs,
          ttsP50Ms: latencyMs,
          sttP50Ms: latencyMs,
        })
        .nullable(),
      recording: z
        .object({
          storageKey: z.string(),
          durationSeconds: seconds,
          channels: z.union([z.literal(1), z.literal(2)]),
          sha256: z.string(),
        })
        .nullable(),
      consent: z
        .object({
          type: z.enum(['none', 'announce', 'verbal', 'widget']),
          granted: z.boolean().nullable(),
          at: moment.nullable(),
          textVersion: z.string().nullable(),
        })
        .nullable(),
      analysisStatus: AnalysisStatus,
      successful: z.enum(['success', 'failure', 'unknown']).nullable(),
      /** Set if the person asked not to be called again, in a call by telephone. */
      optedOut: z.literal(true).optional(),
    }),
    personal: z.object({
      /** The digest of the whole hand-over: tells a repetition from a contradiction. */
      digest: z.string(),
      summary: z.string().nullable(),
      transfer: z
        .object({
          type: z.enum(['cold', 'warm', 'agent']),
          destination: z.string(),
          status: z.enum(['ongoing', 'succeeded', 'failed']),
        })
        .nullable(),
      dataCollected,
      evaluation,
      dynamicVariables: people.dynamicVariables,
      metadata: people.metadata,
    }),
  },
  /** The platform has analyzed a call whose runtime did not. Once per hand-over. */
  CallAnalyzed: {
    version: 1,
    data: z.object({
      ...recordedAt,
      ingestId: z.string(),
      analysisStatus: z.enum(['completed', 'failed']),
      successful: z.enum(['success', 'failure', 'unknown']).nullable(),
      /** The language model that answered; null for an analysis by rules. */
      model: z.string().nullable(),
    }),
    personal: z.object({ summary: z.string().nullable(), dataCollected, evaluation }),
  },
  /** The initiation webhook of the call answered; again when it was asked once more, later. */
  InitiationAnswered: {
    version: 1,
    data: z.object({ ...recordedAt, at: moment }),
    personal: z.object({ dynamicVariables: people.dynamicVariables }),
  },
  /** A tool ran in the call; told by the platform, which ran it, at any time after the call began. */
  ToolRan: {
    version: 1,
    data: z.object({
      ...recordedAt,
      executionId: z.string(),
      toolId: z.string(),
      name: z.string(),
      status: z.enum(['ok', 'error', 'timeout']),
      at: moment,
      durationMs: z.int().min(0),
    }),
    personal: z.object({
      /** Null: too large, or one of the runs that are only counted. */
      arguments: z.record(z.string(), storedJson).nullable(),
      /** Absent where the report had none, or one that is too large. */
      result: storedJson.optional(),
      /** The variables that the run gave values. */
      assignments: people.dynamicVariables.optional(),
    }),
  },
  /** The file of the recording is gone from the object storage, for good. */
  RecordingDeleted: { version: 1, data: z.object({ ...recordedAt, storageKey: z.string() }) },
  /**
   * Takes the call out of the log and the statistics, and ends all that identifies a person. Its events are still recorded,
   * without their personal parts.
   */
  CallDeleted: { version: 1, data: z.object({ ...recordedAt, by: z.string() }) },
});

export type CallEvent = EventsOf<typeof callEvents>;
type OfType<T extends CallEvent['type']> = Extract<CallEvent, { readonly type: T }>;

export type Description = Omit<OfType<'CallDescribed'>['data'], 'recordedAt' | 'source'>;
export type People = NonNullable<OfType<'CallDescribed'>['personal']>;
export type Ending = Pick<OfType<'CallEnded'>['data'], keyof typeof ending>;
export type Ingested = Omit<OfType<'CallIngested'>['data'], 'recordedAt'>;
export type IngestedPersonal = NonNullable<OfType<'CallIngested'>['personal']>;
export type Analyzed = OfType<'CallAnalyzed'>['data'];
export type AnalyzedPersonal = NonNullable<OfType<'CallAnalyzed'>['personal']>;
export type ToolRun = Omit<OfType<'ToolRan'>['data'], 'recordedAt'> &
  NonNullable<OfType<'ToolRan'>['personal']>;
export type RecordedTurn = NonNullable<OfType<'TranscriptRecorded'>['personal']>['turns'][number];
