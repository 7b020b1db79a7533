// The configuration of an agent: as it is sent, and as a saved version.
import { z } from 'zod';
import { answersWith, json, mapOf, name, text, timestamp, timezone, uuid, variableName } from './text.js';

const secretReference = z.strictObject({ secretId: uuid });
// Without line breaks, which would start another header.
const headerText = text(0, 4_096).regex(/^[^\r\n]*$/, 'must be one line');
export const HeaderValue = z.union([headerText, secretReference]);

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/);

const webhook = (minTimeoutMs: number, maxTimeoutMs: number, defaultTimeoutMs: number) => ({
  url: text(1, 2_048),
  method: z.literal('POST').default('POST'),
  headers: z.record(headerName, HeaderValue).default({}),
  body: z.record(text(1, 128), json).optional(),
  timeoutMs: z.int().min(minTimeoutMs).max(maxTimeoutMs).default(defaultTimeoutMs),
  enabled: z.boolean().default(true),
  signingSecretId: uuid.optional(),
});

export const PostCallEvent = z.enum(['call.started', 'call.ended', 'call.analyzed', 'call.failed']);

const InitiationWebhook = z.strictObject(webhook(500, 7_000, 3_000));
const PostCallWebhook = z.strictObject({
  ...webhook(1_000, 30_000, 10_000),
  events: z.array(PostCallEvent).min(1).default(['call.ended', 'call.analyzed', 'call.failed']),
});

const Variable = z.strictObject({
  default: text(0, 2_000).nullable(),
  description: text(0, 500).optional(),
  required: z.boolean().optional(),
});

const dataNeeded = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
    type: z.enum(['string', 'number', 'integer', 'boolean', 'enum']),
    description: text(1, 1_000),
    enumValues: z.array(text(1, 100)).min(1).max(50).optional(),
    required: z.boolean().optional(),
  })
  .refine((value) => (value.type === 'enum') === (value.enumValues !== undefined), {
    message: 'enumValues goes with type enum, and only with it',
    path: ['enumValues'],
  });

const dataEvaluation = z.strictObject({
  id: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
  name: name(1, 120),
  prompt: text(1, 2_000),
  scoring: z.enum(['binary', 'numeric']).optional(),
  maxScore: z.int().min(1).max(100).optional(),
  useKnowledgeBase: z.boolean().optional(),
});

/** Payment cards, bank accounts, telephone numbers, mail addresses, and names of people. */
export const PersonalKind = z.enum(['card', 'account', 'telephone', 'mail', 'name']);
export type PersonalKind = z.infer<typeof PersonalKind>;

const Redaction = z.strictObject({
  kinds: z.array(PersonalKind).max(PersonalKind.options.length).default([]).meta({
    description:
      'personal data that is replaced by a placeholder before a transcript is stored, logged or sent',
  }),
});

export const Overridable = z.enum(['firstMessage', 'systemPrompt', 'agent_language', 'voiceId']);
export type Overridable = z.infer<typeof Overridable>;

/** The two groups that must be whole. */
const required = {
  agent_language: text(2, 35),
  firstMessage: text(1, 2_000),
  systemPrompt: text(1, 100_000),
  llmModel: text(1, 128),
  sttModel: text(1, 128),
  ttsModel: text(1, 128),
  voiceId: text(1, 128),
};
const groupMembers = Object.keys(required);

const uniqueIds = (items: readonly { readonly id: string }[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

const ownKey = /^x_[A-Za-z0-9_]{1,64}$/;

const optional = {
  data_needed: z.array(dataNeeded).max(50).refine(uniqueIds, 'ids must differ').default([]),
  data_evaluation: z.array(dataEvaluation).max(50).refine(uniqueIds, 'ids must differ').default([]),
  initiation_webhook: InitiationWebhook.nullable().default(null),
  post_call_webhook: PostCallWebhook.nullable().default(null),
  variables: mapOf(variableName, z.union([text(0, 2_000), Variable]), 64).default({}),
  preemptive_generation: z.boolean().default(false),
  ivr_navigation_enabled: z.boolean().default(false),
  timezone: timezone.default('UTC'),
  rag: z
    .strictObject({
      enabled: z.boolean().default(true),
      topK: z.int().min(1).max(20).default(5),
      maxDistance: z.number().min(0).max(2).default(0.6),
      maxChars: z.int().min(500).max(50_000).default(8_000),
      embeddingModel: text(1, 128).default('text-embedding-3-small'),
      rewriteQuery: z.boolean().default(false),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxDurationSeconds: z.int().min(60).max(7_200).default(3_600),
      silenceTimeoutSeconds: z.int().min(10).max(600).default(60),
      maxConcurrentCalls: z.int().min(1).max(10_000).nullable().default(null),
      dailyCalls: z.int().min(1).max(1_000_000).nullable().default(null),
    })
    .prefault({}),
  voicemail: z
    .strictObject({
      detection: z.boolean().default(true),
      action: z.enum(['hangup', 'leave_message', 'continue']).default('hangup'),
      message: text(1, 2_000).optional(),
      maxBeepWaitSeconds: z.int().min(0).max(60).default(30),
    })
    .refine((value) => value.action !== 'leave_message' || value.message !== undefined, {
      message: 'is needed to leave a message',
      path: ['message'],
    })
    .prefault({}),
  recording: z
    .strictObject({
      enabled: z.boolean().default(false),
      retentionDays: z.int().min(1).max(3_650).nullable().default(null),
      consent: z.enum(['none', 'announce', 'verbal']).default('none'),
      announcement: text(1, 1_000).optional(),
    })
    .prefault({}),
  redaction: Redaction.optional(),
  allowedOverrides: z.array(Overridable).max(4).default(['firstMessage', 'systemPrompt']),
  // Readers find the keys of the caller's own here, so that a configuration that was read can be changed and saved
  // again.
  extra: z.record(z.string().regex(ownKey), json).default({}),
};
/** An extension of the interface: no setting, and not stored. A save without it replaces any version in force. */
const lock = {
  expectedVersion: z.int().min(0).optional().meta({
    description: 'the current version as you last read it, 0 for none; a mismatch returns VERSION_CONFLICT',
  }),
};
const known = new Set([...groupMembers, ...Object.keys(optional), ...Object.keys(lock)]);

// A program may save a configuration that it has read. Such a value has fields that the type of a JSON value does not admit.
const ownValue: z.ZodType<z.core.util.JSONType> = json;

/**
 * The body of `POST /agents/{agentId}/config`. Two groups are required whole (language, first message and prompt;
 * models and voice): a missing member answers CONFIG_GROUP_INCOMPLETE and names it. A key that is not listed is kept
 * only if it starts with `x_`, and is found under `extra` again.
 */
export const AgentConfigurationInput = z
  .object({ ...required, ...optional, ...lock })
  .catchall(ownValue)
  .meta({ id: 'AgentConfigurationInput', description: 'Configuration of an agent.' });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The input, after a look at its keys. A missing member of the two groups answers CONFIG_GROUP_INCOMPLETE before any
 * other complaint of the schema. An unknown key is refused although the schema keeps `x_` keys; the `warnings` of a
 * configuration that was read are dropped.
 */
export const AgentConfigurationBody = z.preprocess((input, context) => {
  if (!isObject(input)) return input;
  const { warnings: _warnings, ...value } = input;
  for (const key of groupMembers) {
    if (value[key] !== undefined && value[key] !== null) continue;
    context.issues.push({
      code: 'custom',
      path: [key],
      input: value,
      ...answersWith('CONFIG_GROUP_INCOMPLETE', 'is required'),
    });
  }
  const unknown = Object.keys(value).filter((key) => !known.has(key) && !ownKey.test(key));
  if (unknown.length > 0) context.issues.push({ code: 'unrecognized_keys', keys: unknown, input: value });
  return value;
  // The cast gives clients the input's type, which a function from unknown cannot know.
}, AgentConfigurationInput) as z.ZodType<
  z.output<typeof AgentConfigurationInput>,
  z.input<typeof AgentConfigurationInput>
>;

/** A saved version of an agent's configuration; never changes. */
export const AgentConfiguration = z
  .object({
    agentId: uuid,
    version: z.int(),
    agent_language: z.string(),
    firstMessage: z.string(),
    systemPrompt: z.string(),
    sttModel: z.string(),
    llmModel: z.string(),
    ttsModel: z.string(),
    voiceId: z.string(),
    data_needed: z.array(z.object(dataNeeded.shape)),
    data_evaluation: z.array(z.object(dataEvaluation.shape)),
    initiation_webhook: z.object(InitiationWebhook.shape).nullable(),
    post_call_webhook: z.object(PostCallWebhook.shape).nullable(),
    variables: z.record(z.string(), z.object(Variable.shape)),
    preemptive_generation: z.boolean(),
    ivr_navigation_enabled: z.boolean(),
    timezone: z.string(),
    rag: z.object(optional.rag.unwrap().shape),
    limits: z.object(optional.limits.unwrap().shape),
    voicemail: z.object(optional.voicemail.unwrap().shape),
    recording: z.object(optional.recording.unwrap().shape),
    redaction: z
      .object(Redaction.shape)
      .optional()
      .meta({ description: 'absent on versions that were saved before the setting existed' }),
    allowedOverrides: z.array(Overridable),
    extra: z.record(z.string(), json),
    /** Absent where there is nothing to say. Ignored in a save, so that a program may send back what it read. */
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'fields of this version that a new version would reject, with the reason' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'AgentConfiguration',
    description: 'Saved configuration of an agent, with warnings about it.',
  });
export type AgentConfiguration = z.infer<typeof AgentConfiguration>;
