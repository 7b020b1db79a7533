// The shapes of the call log, the live list, transcripts and the dashboard, and of the hand-over by the voice runtime.
import { z } from 'zod';
import {
  AnalysisStatus,
  AnsweredBy,
  CallStatus,
  Channel,
  Direction,
  EndedError,
  EndedReason,
  isTerminal,
  Outcome,
  Provider,
} from './call-status.js';
import { InitiationResult } from './initiation.js';
import { currency, json, metadata, micros, moment, stringMap, text, timestamp, uuid } from './text.js';

const nullish = <T extends z.ZodType>(schema: T) => schema.nullish();
const count = z.int().min(0);

/** Identifier of a call; chosen by the program that starts it. */
export const callId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

export const Cost = z.object({
  totalMicros: micros,
  currency,
  items: z.array(
    z.object({
      kind: z.enum(['telephony', 'stt', 'llm', 'tts', 'recording', 'platform']),
      micros,
      quantity: z.number(),
      unit: z.string(),
      model: z.string().optional().meta({ description: 'the model with whose price it was calculated' }),
      unpricedModel: z.string().optional().meta({
        description: 'the model that was used and has no price: the general price of the kind was applied',
      }),
      direction: z.enum(['input', 'output']).optional(),
      rate: z
        .object({ micros, per: z.int().min(1) })
        .optional()
        .meta({ description: 'price of `per` units; absent on calls that were priced before it existed' }),
    }),
  ),
});
export type Cost = z.infer<typeof Cost>;

export const Consent = z.object({
  type: z.enum(['none', 'announce', 'verbal', 'widget']),
  granted: z.boolean().nullable(),
  at: timestamp.nullable(),
  textVersion: text(1, 64).nullable(),
});
const Transfer = z.object({
  type: z.enum(['cold', 'warm', 'agent']),
  destination: text(1, 256),
  status: z.enum(['ongoing', 'succeeded', 'failed']),
});
const latencyMs = z.number().min(0).nullable();
const Latency = z.object({
  e2eP50Ms: latencyMs,
  e2eP95Ms: latencyMs,
  llmP50Ms: latencyMs,
  ttsP50Ms: latencyMs,
  sttP50Ms: latencyMs,
});
const evidence = {
  turns: z.array(count).max(20).optional().meta({ description: '`seq` of the turns that prove it' }),
  quote: text(0, 1_000).optional().meta({ description: 'words of one of these turns' }),
};
const DataCollected = z.record(
  text(1, 64),
  z.object({ value: json, rationale: text(0, 2_000).nullable(), ...evidence }),
);
const Evaluation = z.object({
  id: text(1, 64),
  name: text(1, 120),
  result: z.enum(['success', 'failure', 'unknown']),
  score: z.number().nullable(),
  rationale: text(0, 2_000).nullable(),
  ...evidence,
});
const Successful = z.enum(['success', 'failure', 'unknown']);

const RunOfTool = z.object({
  toolId: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'error', 'timeout']),
  arguments: z
    .record(z.string(), json)
    .nullable()
    .meta({ description: 'sensitive arguments are shown as "•••"; null if too large or erased' }),
  durationMs: count,
  at: timestamp,
});

export const CallLog = z
  .object({
    id: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    configVersion: z.int(),
    channel: Channel,
    direction: Direction,
    status: CallStatus,
    outcome: Outcome.nullable(),
    endedReason: EndedReason.nullable(),
    error: EndedError.nullable(),
    answeredBy: AnsweredBy.nullable(),
    fromNumber: z.string().nullable(),
    toNumber: z.string().nullable(),
    phoneNumberId: z.string().nullable(),
    provider: Provider.nullable(),
    providerCallId: z.string().nullable(),
    roomName: z.string(),
    outboundCallId: z.string().nullable(),
    campaignId: z.string().nullable(),
    widgetId: z.string().nullable(),
    startedAt: timestamp,
    answeredAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    ringSeconds: z.number().nullable(),
    durationSeconds: z.number().nullable().meta({ description: 'talk time' }),
    dynamicVariables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), json),
    recording: z.object({
      available: z.boolean(),
      url: z.string().nullable(),
      urlExpiresAt: timestamp.nullable(),
      durationSeconds: z.number().nullable(),
      channels: z.union([z.literal(1), z.literal(2)]),
      deletedAt: timestamp.nullable(),
    }),
    consent: Consent,
    transfer: Transfer.nullable(),
    analysisStatus: AnalysisStatus,
    summary: z.string().nullable(),
    successful: Successful.nullable(),
    dataCollected: DataCollected,
    evaluation: z.array(Evaluation),
    latency: Latency.nullable(),
    cost: Cost.nullable(),
    messageCount: count,
    webhookDelivery: z.enum(['none', 'pending', 'delivered', 'failed']),
    initiation: InitiationResult.nullable(),
    toolRuns: z
      .array(RunOfTool)
      .optional()
      .meta({ description: 'tool runs recorded by the platform; only when a single call is read' }),
    optedOut: z.boolean().optional().meta({ description: 'true if the person asked not to be called again' }),
    moreToolRuns: count.optional().meta({ description: 'number of runs beyond the first 200, at most 800' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .meta({ id: 'CallLog', description: 'A call, from its start to its analysis.' });
export type CallLog = z.infer<typeof CallLog>;

const modelId = text(1, 128);

/** A model that answered in place of the one that was to answer. */
export const Fallback = z
  .object({
    kind: z.enum(['stt', 'llm', 'tts']),
    from: modelId.meta({ description: 'the model that failed' }),
    to: modelId.meta({ description: 'the model that answered' }),
    reason: text(1, 64).meta({ description: 'such as `timeout`, `rateLimited`, `serverError`' }),
  })
  .meta({ id: 'Fallback', description: 'A model that replaced another one within a turn.' });
export type Fallback = z.infer<typeof Fallback>;

/** The steps do not overlap: of a spoken answer, they add up to `latencyMs`. */
export const AnswerTimings = z
  .object({
    endOfTurnMs: count
      .optional()
      .meta({ description: "silence until the caller's turn counted as over, without the recognition" }),
    recognitionMs: count.optional().meta({ description: "recognition of the caller's last words" }),
    firstTokenMs: count.optional().meta({ description: 'from the end of the turn to the first words' }),
    firstSoundMs: count.optional().meta({ description: 'from the first words to their first sound' }),
  })
  .meta({ id: 'AnswerTimings', description: 'The steps to an answer, in milliseconds.' });
export type AnswerTimings = z.infer<typeof AnswerTimings>;

const turn = {
  seq: count,
  role: z.enum(['agent', 'user', 'system', 'tool']),
  text: text(0, 20_000),
  spokenText: text(0, 20_000).nullable(),
  interrupted: z.boolean(),
  startMs: count,
  endMs: count.nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  language: text(1, 35).nullable(),
  toolCall: z
    .object({
      toolId: text(1, 64).nullable(),
      name: text(1, 128),
      arguments: z.record(text(1, 128), json),
      result: json,
      status: z.enum(['ok', 'error', 'timeout']),
      durationMs: count,
    })
    .nullable(),
  sources: z
    .array(z.object({ knowledgeSourceId: text(1, 64), chunkId: text(1, 128), score: z.number() }))
    .max(50),
  latencyMs: count.nullable(),
  model: modelId
    .nullable()
    .optional()
    .meta({ description: 'language model that gave this turn of the agent; null if rules did' }),
  sttModel: modelId.optional().meta({ description: 'model that recognized this turn of the caller' }),
  ttsModel: modelId.optional().meta({ description: 'model that spoke this turn of the agent' }),
  fallbacks: z.array(Fallback).max(10).optional(),
  timings: AnswerTimings.optional().meta({ description: 'of an answer of the agent' }),
};

export const Transcript = z
  .object({ id: z.string(), callId: z.string(), ...turn, createdAt: timestamp })
  .meta({ id: 'Transcript', description: 'One turn in the transcript of a call.' });
export type Transcript = z.infer<typeof Transcript>;

/** One turn as the runtime hands it over; the runtime may leave out fields that it does not know. */
export const TranscriptTurn = z
  .strictObject({
    ...turn,
    spokenText: turn.spokenText.default(null),
    interrupted: turn.interrupted.default(false),
    endMs: turn.endMs.default(null),
    confidence: turn.confidence.default(null),
    language: turn.language.default(null),
    toolCall: turn.toolCall.default(null),
    sources: turn.sources.default([]),
    latencyMs: turn.latencyMs.default(null),
    createdAt: moment.optional(),
  })
  .meta({
    id: 'TranscriptTurn',
    description: 'One turn of a conversation, as the voice runtime reports it.',
  });
export type TranscriptTurn = z.infer<typeof TranscriptTurn>;

export const LiveCall = z
  .object({
    callId: z.string(),
    roomName: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    channel: Channel,
    direction: Direction,
    status: z.enum(['ringing', 'in_progress']),
    fromNumber: z.string().nullable(),
    toNumber: z.string().nullable(),
    campaignId: z.string().nullable(),
    startedAt: timestamp,
    answeredAt: timestamp.nullable(),
    durationSeconds: z.number(),
    participants: count,
    lastMessage: z.string().nullable(),
  })
  .meta({ id: 'LiveCall', description: 'A call in progress.' });
export type LiveCall = z.infer<typeof LiveCall>;

export const EndLiveCallResult = z
  .object({
    roomName: z.string(),
    callId: z.string().nullable(),
    ended: z.boolean(),
    alreadyEnded: z.boolean(),
    endedAt: timestamp,
  })
  .meta({ id: 'EndLiveCallResult', description: 'Result of ending a call in progress.' });

/** Turns that one call may have. */
export const maxTranscriptTurns = 10_000;

export const IngestInput = z
  .strictObject({
    eventId: uuid,
    schemaVersion: z.literal(1),
    organizationId: text(1, 64),
    agentId: uuid,
    callId,
    configVersion: nullish(z.int().min(0)),
    roomName: nullish(text(1, 256)),
    channel: Channel,
    direction: Direction,
    fromNumber: nullish(text(1, 64)),
    toNumber: nullish(text(1, 64)),
    provider: nullish(Provider),
    providerCallId: nullish(text(1, 256)),
    outboundCallId: nullish(uuid),
    campaignId: nullish(uuid),
    widgetId: nullish(uuid),
    status: CallStatus.refine(isTerminal, 'must be a final state'),
    endedReason: nullish(EndedReason),
    error: nullish(EndedError),
    answeredBy: nullish(AnsweredBy),
    startedAt: moment,
    answeredAt: nullish(moment),
    endedAt: moment,
    durationSeconds: nullish(z.number().min(0).max(86_400)),
    transcript: z
      .array(TranscriptTurn)
      .default([])
      // Not a maximum of the schema, which would answer 400.
      .meta({ description: `At most ${maxTranscriptTurns} turns; more are PAYLOAD_TOO_LARGE.` }),
    recording: nullish(
      z.strictObject({
        storageKey: text(1, 1_024),
        durationSeconds: z.number().min(0),
        channels: z.union([z.literal(1), z.literal(2)]),
        sha256: text(1, 128),
      }),
    ),
    usage: z
      .array(
        z.strictObject({
          kind: z.enum(['telephony', 'stt', 'llm', 'tts', 'recording']),
          quantity: z.number().min(0),
          unit: z.enum(['second', 'token', 'character']),
          provider: text(1, 128),
          model: nullish(text(1, 128)),
          direction: z
            .enum(['input', 'output'])
            .optional()
            .meta({ description: 'of tokens: those of the prompt, or those of the answer' }),
        }),
      )
      .max(100)
      .default([]),
    latency: nullish(Latency),
    dataCollected: DataCollected.default({}),
    evaluation: z.array(Evaluation).max(50).default([]),
    summary: nullish(text(0, 10_000)),
    successful: nullish(Successful),
    transfer: nullish(Transfer),
    consent: nullish(Consent),
    analysisStatus: AnalysisStatus.default('pending').meta({
      description:
        '`pending` without results: the platform analyzes the transcript; `skipped`: no analysis is wanted',
    }),
    dynamicVariables: stringMap.default({}),
    metadata: metadata.default({}),
    optedOut: z.boolean().optional().meta({
      description:
        'true: the person asked not to be called again. Their number is put on the suppression list, unless it is withheld.',
    }),
  })
  .refine((call) => Date.parse(call.endedAt) >= Date.parse(call.startedAt), {
    message: 'must not be before startedAt',
    path: ['endedAt'],
  })
  .refine(
    (call) =>
      !call.answeredAt ||
      (Date.parse(call.answeredAt) >= Date.parse(call.startedAt) &&
        Date.parse(call.answeredAt) <= Date.parse(call.endedAt)),
    { message: 'must lie between startedAt and endedAt', path: ['answeredAt'] },
  );
export type IngestInput = z.infer<typeof IngestInput>;

const rate = z.number().min(0).max(1).nullable();

export const DashboardSummary = z
  .object({
    range: z.enum(['24h', '7d', '30d', 'custom']),
    from: timestamp,
    to: timestamp,
    timezone: z.string(),
    bucket: z.enum(['hour', 'day']),
    kpis: z.object({
      totalCalls: count,
      answeredCalls: count,
      answerRate: rate,
      voicemailRate: rate,
      averageDurationSeconds: z.number().nullable(),
      totalMinutes: z.number(),
      successRate: rate,
      transferRate: rate,
      liveCalls: count,
      peakConcurrency: count,
      totalCostMicros: micros,
      currency,
    }),
    previous: z.object({
      totalCalls: count,
      answerRate: rate,
      averageDurationSeconds: z.number().nullable(),
      totalCostMicros: micros,
    }),
    byDirection: z.object({ inbound: count, outbound: count }),
    byChannel: z.object({ phone: count, widget: count, preview: count }),
    outcomes: z.array(z.object({ outcome: Outcome, count, share: z.number() })),
    endedReasons: z.array(z.object({ reason: EndedReason, count })),
    agents: z.array(
      z.object({
        agentId: z.string(),
        name: z.string(),
        calls: count,
        answerRate: rate,
        averageDurationSeconds: z.number().nullable(),
        successRate: rate,
        costMicros: micros,
      }),
    ),
    timeline: z.array(
      z.object({
        at: timestamp,
        calls: count,
        answered: count,
        failed: count,
        minutes: z.number(),
        costMicros: micros,
      }),
    ),
    latency: z.object({ e2eP50Ms: z.number().nullable(), e2eP95Ms: z.number().nullable() }),
  })
  .meta({ id: 'DashboardSummary', description: 'Figures of a period, with those of the period before.' });
export type DashboardSummary = z.infer<typeof DashboardSummary>;
