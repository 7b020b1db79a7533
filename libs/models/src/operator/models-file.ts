// The operator's own models: a JSON file, read when a process starts.
import { readFile } from 'node:fs/promises';
import { StartRefusal } from '@parlance/config';
import { z } from 'zod';
import { languages } from '../catalog/languages.js';
import { catalogModels } from '../catalog/models.js';
import type { ModelKind } from '../catalog/vendors.js';

const languageCodes = new Set(languages.map(({ code }) => code));

const Languages = z
  .array(
    z.string().refine((code) => code === '*' || languageCodes.has(code), {
      message: 'is no language of the catalog: write a code such as "en" or "pt-BR", or "*" for all of them',
    }),
  )
  .min(1);

const Id = z
  .string()
  .regex(
    /^custom\/[a-z0-9][a-z0-9._-]{0,62}$/,
    'has to be custom/ and a name of small letters, digits, ".", "_" and "-"',
  );

const hasCredentials = (url: string): boolean => {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.username !== '' || parsed.password !== '');
};

const BaseUrl = z
  .url({ protocol: /^https?$/, message: 'has to be an address such as http://127.0.0.1:11434/v1' })
  .refine((url) => !hasCredentials(url), 'must hold no user name or password: name a variable in keyVariable')
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''));

const price = z.int().nonnegative().describe('Micro-dollars.');

const common = {
  id: Id,
  name: z.string().min(1).max(100),
  baseUrl: BaseUrl,
  model: z.string().min(1),
  keyVariable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'has to be the name of an environment variable, such as OLLAMA_API_KEY')
    .optional(),
  languages: Languages,
  typicalLatencyMs: z.int().positive().optional(),
  fallbacks: z.array(z.string()).default([]),
};

const VoiceEntry = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,100}$/, 'has to be the name of the voice at the server'),
  name: z.string().min(1).max(100),
  languages: Languages,
});

const Entry = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('llm'),
    /** Milliseconds to the first text or tool call, for a model that is slower than the others. */
    firstChunkMs: z.int().positive().max(30_000).optional(),
    prices: z.strictObject({ perMillionInputTokens: price, perMillionOutputTokens: price }).optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('stt'),
    prices: z.strictObject({ perMinute: price }).optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('tts'),
    voices: z.array(VoiceEntry).min(1),
    prices: z.strictObject({ perMillionCharacters: price }).optional(),
  }),
]);

const Fallbacks = z.array(z.string()).default([]);

const Shape = z.strictObject({
  models: z.array(Entry).default([]),
  fallbacks: z
    .strictObject({ llm: Fallbacks, stt: Fallbacks, tts: Fallbacks })
    .default({ llm: [], stt: [], tts: [] }),
});

export type CustomModel = z.output<typeof Entry>;
export type ModelsFile = z.output<typeof Shape>;

/** What an installation without a file has. */
export const noModelsFile: ModelsFile = { models: [], fallbacks: { llm: [], stt: [], tts: [] } };

interface Reference {
  readonly path: (string | number)[];
  readonly kind: ModelKind;
  readonly id: string;
  /** The model that falls back; undefined for the lists of the file. */
  readonly of?: string;
}

const referencesOf = ({ models, fallbacks }: ModelsFile): Reference[] => [
  ...models.flatMap(({ id: of, kind, fallbacks: ids }, index) =>
    ids.map((id, position) => ({ path: ['models', index, 'fallbacks', position], kind, id, of })),
  ),
  ...(['llm', 'stt', 'tts'] as const).flatMap((kind) =>
    fallbacks[kind].map((id, position) => ({ path: ['fallbacks', kind, position], kind, id })),
  ),
];

const duplicates = (ids: readonly string[]): number[] =>
  ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));

const FileSchema = Shape.superRefine((file, context) => {
  const refuse = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  for (const index of duplicates(file.models.map(({ id }) => id)))
    refuse(['models', index, 'id'], 'is the id of an earlier entry: give each entry its own');
  for (const [index, entry] of file.models.entries())
    if (entry.kind === 'tts')
      for (const voice of duplicates(entry.voices.map(({ id }) => id)))
        refuse(['models', index, 'voices', voice, 'id'], 'is the id of an earlier voice of this entry');
  for (const { path, kind, id, of } of referencesOf(file)) {
    const isModel = [
      ...file.models,
      ...catalogModels.map(({ kind: its, option }) => ({ kind: its, id: option.id })),
    ];
    if (id === of) refuse(path, 'is the entry itself: name another model');
    else if (!isModel.some((model) => model.kind === kind && model.id === id))
      refuse(path, `is no ${kind} model: "${id}" is neither in the catalog nor in this file`);
  }
});

const messageOf = ({ code, message }: z.core.$ZodIssue): string => {
  if (code === 'unrecognized_keys') return `has a field that does not exist (${message})`;
  if (code === 'invalid_union') return 'has to be "llm", "stt" or "tts"';
  if (message.endsWith('received undefined')) return 'is missing';
  return message.startsWith('Invalid') || message.startsWith('Too') ? `is not valid (${message})` : message;
};

/** `models[2] (custom/llama).baseUrl`, so that the place is found by counting and by searching. */
const placeOf = (path: readonly PropertyKey[], content: unknown): string => {
  const [list, index, ...rest] = path;
  if (list !== 'models' || typeof index !== 'number') return path.join('.') || 'the file';
  const models: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'models') : [];
  const entry: unknown = Array.isArray(models) ? models[index] : undefined;
  const id: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'id') : undefined;
  const name = typeof id === 'string' ? `models[${index}] (${id})` : `models[${index}]`;
  return [name, ...rest.map(String)].join('.');
};

const refusal = (path: string, trouble: string): StartRefusal =>
  new StartRefusal(`MODELS_FILE ${path}: ${trouble}. docs/models.md describes the file.`);

/** @throws StartRefusal with every mistake: the entry, its field, and what belongs there */
export const parseModelsFile = (text: string, path: string): ModelsFile => {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw refusal(path, `is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const parsed = FileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map((issue) => `${placeOf(issue.path, content)} ${messageOf(issue)}`);
  throw refusal(path, mistakes.join('; '));
};

/** The file that `MODELS_FILE` names; without one, no models of the operator's own. @throws StartRefusal */
export const readModelsFile = async (path: string | undefined): Promise<ModelsFile> => {
  if (path === undefined) return noModelsFile;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, `cannot be read (${error.code}): mount it, and let the process read it`);
  });
  return parseModelsFile(text, path);
};
