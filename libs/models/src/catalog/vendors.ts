// How the models of a vendor are reached: over the OpenAI protocol where the vendor has it, else through a plugin of LiveKit
// for Node. Addresses are those of the vendors' own documentation of November 2026.

export type ModelKind = 'llm' | 'stt' | 'tts';

/**
 * The variant of the OpenAI protocol that an address accepts. `openai` has `max_completion_tokens` where the others have `max_tokens`.
 * `mistral` rejects `stream_options` and always sends the usage. `google` wants the signature of a tool call
 * back. `compatible` is any other server.
 */
export type Dialect = 'openai' | 'mistral' | 'google' | 'compatible';

/** The variables of the vendors' keys, with the vendors. Those of plugins are read by the plugins too. */
export const keyOwners = {
  OPENAI_API_KEY: 'OpenAI',
  ANTHROPIC_API_KEY: 'Anthropic',
  GOOGLE_API_KEY: 'Google AI Studio',
  MISTRAL_API_KEY: 'Mistral AI',
  GROQ_API_KEY: 'Groq',
  CEREBRAS_API_KEY: 'Cerebras',
  DEEPGRAM_API_KEY: 'Deepgram',
  ELEVEN_API_KEY: 'ElevenLabs',
  CARTESIA_API_KEY: 'Cartesia',
} as const;
export type KeyVariable = keyof typeof keyOwners;

export const keyVariables = Object.keys(keyOwners) as readonly KeyVariable[];

export interface ProtocolWay {
  readonly via: 'openai';
  readonly baseUrl: string;
  readonly keyVariable: KeyVariable;
  readonly dialect: Dialect;
}

export interface PluginWay {
  readonly via: 'plugin';
  /** The npm package of the plugin. */
  readonly package: string;
  readonly keyVariable: KeyVariable;
}

export type Way = ProtocolWay | PluginWay;

const protocol = (baseUrl: string, keyVariable: KeyVariable, dialect: Dialect = 'openai'): ProtocolWay => ({
  via: 'openai',
  baseUrl,
  keyVariable,
  dialect,
});

const plugin = (name: string, keyVariable: KeyVariable): PluginWay => ({
  via: 'plugin',
  package: `@livekit/agents-plugin-${name}`,
  keyVariable,
});

const openai = protocol('https://api.openai.com/v1', 'OPENAI_API_KEY');
const groq = protocol('https://api.groq.com/openai/v1', 'GROQ_API_KEY');
const gemini = 'https://generativelanguage.googleapis.com/v1beta/openai';
const deepgram = plugin('deepgram', 'DEEPGRAM_API_KEY');
const elevenlabs = plugin('elevenlabs', 'ELEVEN_API_KEY');
const cartesia = plugin('cartesia', 'CARTESIA_API_KEY');

const ways: Readonly<Record<string, Partial<Readonly<Record<ModelKind, Way>>>>> = {
  openai: { llm: openai, stt: openai, tts: openai },
  anthropic: { llm: protocol('https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY') },
  google: { llm: protocol(gemini, 'GOOGLE_API_KEY', 'google') },
  mistral: { llm: protocol('https://api.mistral.ai/v1', 'MISTRAL_API_KEY', 'mistral') },
  groq: { llm: groq, stt: groq },
  cerebras: { llm: protocol('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY') },
  deepgram: { stt: deepgram, tts: deepgram },
  elevenlabs: { stt: elevenlabs, tts: elevenlabs },
  cartesia: { stt: cartesia, tts: cartesia },
};

const all: readonly Way[] = Object.values(ways).flatMap((kinds) => Object.values(kinds));

/** The vendor and the vendor's own name, in the id of a model or a voice. */
export const splitId = (id: string): { readonly vendor: string; readonly name: string } => {
  const at = id.indexOf('/');
  return { vendor: id.slice(0, Math.max(at, 0)), name: id.slice(at + 1) };
};

/** Undefined for a model that the voice runtime cannot reach. */
export const wayOf = (kind: ModelKind, id: string): Way | undefined => {
  const { vendor } = splitId(id);
  return Object.hasOwn(ways, vendor) ? ways[vendor]?.[kind] : undefined;
};

/** The dialect at an address that an operator chose. */
export const dialectAt = (baseUrl: string): Dialect => {
  const { host } = new URL(baseUrl);
  const vendor = all.find((way) => way.via === 'openai' && new URL(way.baseUrl).host === host);
  return vendor?.via === 'openai' ? vendor.dialect : 'compatible';
};
