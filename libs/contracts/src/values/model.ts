// Models and voices of an organization: any server that speaks the OpenAI protocol.
import { z } from 'zod';
import { micros, name, text, timestamp, uuid } from './text.js';

export const ModelKind = z.enum(['llm', 'stt', 'tts']);
export type ModelKind = z.infer<typeof ModelKind>;

// With the longest voice id behind it, the id still fits into the `voiceId` of a configuration.
const nameOfModel = '[a-z0-9][a-z0-9._-]{0,39}';

/** The id without `custom/`. */
export const modelName = z
  .string()
  .regex(
    new RegExp(`^${nameOfModel}$`),
    'has 1 to 40 small letters, digits, ".", "_" and "-", and starts with a letter or a digit',
  )
  .meta({ description: 'id of the model, without `custom/`' });

const modelId = z
  .string()
  .regex(
    new RegExp(`^custom/${nameOfModel}$`),
    'has to be custom/ and a name of 1 to 40 small letters, digits, ".", "_" and "-"',
  );

const languages = z
  .array(text(1, 35))
  .min(1)
  .max(100)
  .meta({ description: 'codes of the voice catalog, or "*" for every language in it' });

const CustomVoice = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,80}$/, 'has to be the name of the voice at the server, up to 80 characters')
    .meta({ description: "the server's own name of the voice; agents choose `custom/<name>/<id>`" }),
  name: name(1, 100),
  languages,
});

/** A million dollars for a million tokens or characters, which no provider charges. */
const mostMicros = 1_000_000_000_000;
const price = micros.min(0).max(mostMicros);

const Prices = z
  .strictObject({
    perMillionInputTokens: price.optional(),
    perMillionOutputTokens: price.optional(),
    perMinute: price.optional(),
    perMillionCharacters: price.optional(),
  })
  .meta({ description: 'millionths of a dollar; which of them depends on the kind' });

const pricesOfKind = {
  llm: ['perMillionInputTokens', 'perMillionOutputTokens'],
  stt: ['perMinute'],
  tts: ['perMillionCharacters'],
} as const satisfies Record<ModelKind, readonly (keyof z.infer<typeof Prices>)[]>;

const settings = {
  name: name(1, 100),
  baseUrl: text(1, 2_048).meta({
    description: 'where `/chat/completions`, `/audio/transcriptions` or `/audio/speech` is; https',
  }),
  model: name(1, 200).meta({ description: "the server's own name of the model" }),
  languages,
  voices: z.array(CustomVoice).max(100).meta({ description: 'of `tts`, and only of `tts`' }),
  prices: Prices.nullable(),
  typicalLatencyMs: z.int().min(1).max(60_000).nullable(),
  firstChunkMs: z
    .int()
    .min(100)
    .max(30_000)
    .nullable()
    .meta({ description: 'of `llm`: milliseconds to the first word, for a slow model; null for 1,500' }),
  fallbacks: z
    .array(text(1, 128))
    .max(5)
    .meta({ description: 'models of the same kind that answer in this order when this one fails' }),
  secretId: uuid.nullable().meta({
    description:
      'the secret with the key of the server; null for a server that wants none. It is sent to the origin of `baseUrl` only',
  }),
};

interface Shape {
  readonly kind: ModelKind;
  readonly voices: readonly { readonly id: string }[];
  readonly prices: z.infer<typeof Prices> | null;
  readonly firstChunkMs: number | null;
}

const repeated = (ids: readonly string[]): number[] =>
  ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));

/** The rules that depend on the kind. */
const checkKind = ({ kind, voices, prices, firstChunkMs }: Shape, context: z.RefinementCtx): void => {
  const refuse = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  if (kind === 'tts' && voices.length === 0) refuse(['voices'], 'needs at least one voice');
  if (kind !== 'tts' && voices.length > 0) refuse(['voices'], 'belongs to tts models');
  for (const index of repeated(voices.map(({ id }) => id)))
    refuse(['voices', index, 'id'], 'is the id of an earlier voice');
  if (kind !== 'llm' && firstChunkMs !== null) refuse(['firstChunkMs'], 'belongs to llm models');
  if (prices === null) return;
  const needed: readonly string[] = pricesOfKind[kind];
  for (const field of needed)
    if (Reflect.get(prices, field) === undefined) refuse(['prices', field], 'is required');
  for (const [field, value] of Object.entries(prices))
    if (value !== undefined && !needed.includes(field))
      refuse(['prices', field], `is no price of ${kind} models`);
};

export const ModelInput = z
  .strictObject({
    id: modelId,
    kind: ModelKind,
    ...settings,
    languages: settings.languages.default(['*']),
    voices: settings.voices.default([]),
    prices: settings.prices.default(null),
    typicalLatencyMs: settings.typicalLatencyMs.default(null),
    firstChunkMs: settings.firstChunkMs.default(null),
    fallbacks: settings.fallbacks.default([]),
    secretId: settings.secretId.default(null),
  })
  .superRefine(checkKind)
  .meta({ id: 'ModelInput', description: 'A model at a server that speaks the OpenAI protocol.' });
export type ModelInput = z.output<typeof ModelInput>;

/** The kind and the id never change, because configurations name the model. */
export const ModelUpdate = z.strictObject(settings).partial();
export type ModelUpdate = z.output<typeof ModelUpdate>;

export const OrganizationModel = z
  .object({
    id: z.string().meta({ description: '`custom/<name>`, as configurations name it' }),
    kind: ModelKind,
    ...settings,
    voices: z.array(z.object(CustomVoice.shape)),
    prices: z.object(Prices.shape).nullable(),
    usedBy: z
      .array(z.object({ id: uuid, name: z.string() }))
      .meta({ description: 'agents whose current configuration names the model or one of its voices' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'OrganizationModel', description: 'A model of the organization.' });
export type OrganizationModel = z.infer<typeof OrganizationModel>;

export const ModelTestInput = z.strictObject({
  modelId: text(1, 128).meta({ description: 'of the voice catalog' }),
  voiceId: text(1, 128)
    .optional()
    .meta({ description: "of the voice catalog, for `tts`; the model's first voice unless given" }),
  language: text(2, 35)
    .optional()
    .meta({ description: 'of the sentence that is spoken; English unless given' }),
});

export const ModelTestFailure = z.enum([
  'KEY_MISSING',
  'KEY_REFUSED',
  'NOT_REACHABLE',
  'ADDRESS_NOT_ALLOWED',
  'TIMEOUT',
  'NOT_THE_PROTOCOL',
  'EMPTY',
  'TOO_LARGE',
  'UNKNOWN_MODEL',
  'RATE_LIMITED',
  'REFUSED',
  'SERVER_ERROR',
  'NOT_TESTABLE',
]);
export type ModelTestFailure = z.infer<typeof ModelTestFailure>;

export const ModelTest = z
  .object({
    modelId: z.string(),
    kind: ModelKind,
    ok: z.boolean(),
    firstByteMs: z
      .int()
      .nullable()
      .meta({ description: 'to the first word, or the first audio; null when none came' }),
    totalMs: z.int(),
    text: z
      .string()
      .nullable()
      .meta({ description: 'what an llm answered or stt recognized; at most 500 characters' }),
    audio: z
      .object({
        contentType: z.literal('audio/wav'),
        bytes: z.int(),
        durationMs: z.int(),
        base64: z.string().nullable().meta({ description: 'the file, to listen to; null when it is long' }),
      })
      .nullable()
      .meta({ description: 'what tts spoke' }),
    error: z
      .object({
        code: ModelTestFailure,
        message: z.string(),
        status: z.int().nullable().meta({ description: 'HTTP status of the server; null without one' }),
        excerpt: z.string().nullable().meta({
          description: 'beginning of what the server answered, at most 200 characters, without the key',
        }),
      })
      .nullable(),
  })
  .meta({ id: 'ModelTest', description: 'One small request to a model, and what came of it.' });
export type ModelTest = z.infer<typeof ModelTest>;

const endpoint = {
  id: z.string(),
  kind: ModelKind,
  baseUrl: z.string(),
  model: z.string().meta({ description: "the server's own name of the model" }),
  firstChunkMs: z.int().nullable(),
  fallbacks: z.array(z.string()),
};

/** A public key of X25519 in the DER form of SPKI, in base64url. */
const publicKey = z
  .string()
  .regex(/^[\w-]{59}$/, 'must be an X25519 public key: SPKI in DER, in base64url without padding');

export const ModelsForCallInput = z.strictObject({
  publicKey: publicKey.meta({
    description: 'X25519 key that the runtime made for this request: SPKI in DER, base64url without padding',
  }),
  version: z
    .int()
    .min(1)
    .meta({ description: '`config.version` of the RuntimeConfig that the call runs with' }),
});

export const ModelForCall = z
  .object({
    ...endpoint,
    sealedKey: z.string().nullable().meta({
      description: "the server's key, sealed for `publicKey`; null for a server that wants none",
    }),
    isUsable: z
      .boolean()
      .meta({ description: 'false when the key cannot be had, so that the fall-backs answer' }),
  })
  .meta({ id: 'ModelForCall', description: 'A model of the organization, as a call reaches it.' });
export type ModelForCall = z.infer<typeof ModelForCall>;

/** A model as services hand it to each other; its key is read from tools-secrets, sealed. */
export const ModelForService = z.object({
  ...endpoint,
  prices: z.object(Prices.shape).nullable(),
  /** Null also where the secret was given for another origin. */
  secretId: uuid.nullable(),
  /** False: it has a key, which may not be sent to this address. */
  isUsable: z.boolean(),
});
export type ModelForService = z.infer<typeof ModelForService>;
