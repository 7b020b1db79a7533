// The models that a configuration may name: the offers of vendors in November 2026, under `<vendor>/<the vendor's own
// id>`. Prices are list prices without discounts, null where a vendor publishes none; latencies are typical medians.
import type { ModelOption } from '@parlance/contracts';
import { costMicrosPerMinute, type ModelPrices } from './prices.js';
import { type ModelKind, wayOf } from './vendors.js';

interface Offer {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Plain language codes, or `*`. */
  readonly languages: string;
  readonly latencyMs: number | null;
  /** False: takes or gives whole utterances only. */
  readonly streaming?: boolean;
  /** Set when the model can no longer be chosen; names the model to choose instead. */
  readonly unavailableReason?: string;
}

export interface CatalogModel {
  readonly kind: ModelKind;
  readonly option: ModelOption;
  readonly prices: ModelPrices | undefined;
}

const model = (kind: ModelKind, offer: Offer, prices: ModelPrices | undefined): CatalogModel => {
  const noWay = wayOf(kind, offer.id) ? null : `The voice runtime has no plugin for ${offer.provider}.`;
  const unavailableReason = offer.unavailableReason ?? noWay;
  const option = {
    id: offer.id,
    name: offer.name,
    provider: offer.provider,
    languages: offer.languages.split(' '),
    streaming: offer.streaming ?? true,
    costMicrosPerMinute: costMicrosPerMinute(prices),
    typicalLatencyMs: offer.latencyMs,
    available: unavailableReason === null,
    unavailableReason,
  };
  return { kind, option, prices };
};

const microsOf = (dollars: number): number => Math.round(dollars * 1_000_000);

/** Listening is sold by the minute, in micro-dollars. */
const hears = (offer: Offer, perMinute: number | null): CatalogModel =>
  model('stt', offer, perMinute === null ? undefined : { perMinute });

/** Thinking is sold by the million tokens, in dollars. */
const thinks = (
  offer: Omit<Offer, 'languages'>,
  price: readonly [input: number, output: number] | null,
): CatalogModel =>
  model(
    'llm',
    { ...offer, languages: '*' },
    price === null
      ? undefined
      : { perMillionInputTokens: microsOf(price[0]), perMillionOutputTokens: microsOf(price[1]) },
  );

/** Speaking is sold by the million characters, in dollars. */
const speaks = (offer: Offer, price: number | null): CatalogModel =>
  model('tts', offer, price === null ? undefined : { perMillionCharacters: microsOf(price) });

/** The runtime recognizes an utterance when it has ended. */
const streamsOnly = 'The voice runtime does not stream audio to this model yet.';

const english = 'en';
const fluxLanguages = 'en es fr de hi ru pt ja it nl';
const novaLanguages = `${fluxLanguages} bg cs da el fi hu id ko ms no pl ro sk sv tr uk vi`;

const sttModels: readonly CatalogModel[] = [
  hears(
    { id: 'deepgram/nova-3', name: 'Nova-3', provider: 'Deepgram', languages: novaLanguages, latencyMs: 150 },
    7_700,
  ),
  hears(
    {
      id: 'deepgram/flux-general-en',
      name: 'Flux',
      provider: 'Deepgram',
      languages: english,
      latencyMs: 120,
      unavailableReason: streamsOnly,
    },
    7_700,
  ),
  hears(
    {
      id: 'deepgram/flux-general-multi',
      name: 'Flux Multilingual',
      provider: 'Deepgram',
      languages: fluxLanguages,
      latencyMs: 130,
      unavailableReason: streamsOnly,
    },
    7_800,
  ),
  hears(
    {
      id: 'deepgram/nova-2-phonecall',
      name: 'Nova-2 Phone Call',
      provider: 'Deepgram',
      languages: english,
      latencyMs: 150,
    },
    5_800,
  ),
  hears(
    {
      id: 'assemblyai/universal-3-6-pro',
      name: 'Universal-3.6 Pro',
      provider: 'AssemblyAI',
      languages: 'en es fr de it pt tr nl sv no da fi hi vi ar he ja zh ru uk ko ro el',
      latencyMs: 300,
    },
    null,
  ),
  hears(
    {
      id: 'assemblyai/universal-streaming',
      name: 'Universal-Streaming',
      provider: 'AssemblyAI',
      languages: english,
      latencyMs: 300,
    },
    2_500,
  ),
  hears(
    {
      id: 'assemblyai/universal-streaming-multilingual',
      name: 'Universal-Streaming Multilingual',
      provider: 'AssemblyAI',
      languages: 'en es fr de it pt',
      latencyMs: 300,
    },
    2_500,
  ),
  hears(
    {
      id: 'elevenlabs/scribe_v2_realtime',
      name: 'Scribe v2 Realtime',
      provider: 'ElevenLabs',
      languages: '*',
      latencyMs: 150,
      unavailableReason: streamsOnly,
    },
    6_700,
  ),
  hears(
    {
      id: 'openai/gpt-live-transcribe',
      name: 'GPT-Live-Transcribe',
      provider: 'OpenAI',
      languages: '*',
      latencyMs: 250,
    },
    null,
  ),
  hears(
    {
      id: 'openai/gpt-4o-transcribe',
      name: 'GPT-4o Transcribe',
      provider: 'OpenAI',
      languages: '*',
      latencyMs: 400,
    },
    6_000,
  ),
  hears(
    {
      id: 'openai/gpt-4o-mini-transcribe',
      name: 'GPT-4o mini Transcribe',
      provider: 'OpenAI',
      languages: '*',
      latencyMs: 350,
    },
    3_000,
  ),
  hears(
    { id: 'google/chirp_3', name: 'Chirp 3', provider: 'Google Cloud', languages: '*', latencyMs: 350 },
    16_000,
  ),
  hears(
    {
      id: 'azure/speech-to-text',
      name: 'Speech to Text, real time',
      provider: 'Microsoft Azure',
      languages: '*',
      latencyMs: 250,
    },
    16_700,
  ),
  hears(
    {
      id: 'cartesia/ink-whisper',
      name: 'Ink-Whisper',
      provider: 'Cartesia',
      languages: '*',
      latencyMs: 130,
      unavailableReason: streamsOnly,
    },
    2_200,
  ),
  hears(
    { id: 'gladia/solaria-1', name: 'Solaria-1', provider: 'Gladia', languages: '*', latencyMs: 270 },
    12_500,
  ),
  hears(
    {
      id: 'speechmatics/enhanced',
      name: 'Enhanced',
      provider: 'Speechmatics',
      languages: '*',
      latencyMs: 300,
    },
    17_300,
  ),
  hears(
    {
      id: 'groq/whisper-large-v3-turbo',
      name: 'Whisper Large v3 Turbo',
      provider: 'Groq',
      languages: '*',
      latencyMs: 300,
      streaming: false,
    },
    670,
  ),
];

const llmModels: readonly CatalogModel[] = [
  thinks({ id: 'openai/gpt-4.1-mini', name: 'GPT-4.1 mini', provider: 'OpenAI', latencyMs: 450 }, [0.4, 1.6]),
  thinks({ id: 'openai/gpt-4.1', name: 'GPT-4.1', provider: 'OpenAI', latencyMs: 600 }, [2, 8]),
  thinks({ id: 'openai/gpt-4.1-nano', name: 'GPT-4.1 nano', provider: 'OpenAI', latencyMs: 350 }, [0.1, 0.4]),
  thinks(
    { id: 'openai/gpt-5.4-mini', name: 'GPT-5.4 mini', provider: 'OpenAI', latencyMs: 600 },
    [0.75, 4.5],
  ),
  thinks({ id: 'openai/gpt-5.6-luna', name: 'GPT-5.6 Luna', provider: 'OpenAI', latencyMs: 500 }, [0.2, 1.2]),
  thinks({ id: 'openai/gpt-5.6-terra', name: 'GPT-5.6 Terra', provider: 'OpenAI', latencyMs: 700 }, [2, 12]),
  thinks(
    { id: 'anthropic/claude-haiku-5-5', name: 'Claude Haiku 5.5', provider: 'Anthropic', latencyMs: 450 },
    [0.1, 0.5],
  ),
  thinks(
    { id: 'anthropic/claude-haiku-4-5', name: 'Claude Haiku 4.5', provider: 'Anthropic', latencyMs: 500 },
    [1, 5],
  ),
  thinks(
    { id: 'anthropic/claude-sonnet-5-5', name: 'Claude Sonnet 5.5', provider: 'Anthropic', latencyMs: 800 },
    [2, 10],
  ),
  thinks(
    { id: 'google/gemini-3.8-flash', name: 'Gemini 3.8 Flash', provider: 'Google', latencyMs: 500 },
    null,
  ),
  thinks(
    { id: 'google/gemini-3.5-flash-lite', name: 'Gemini 3.5 Flash-Lite', provider: 'Google', latencyMs: 350 },
    null,
  ),
  thinks(
    { id: 'google/gemini-2.5-flash', name: 'Gemini 2.5 Flash', provider: 'Google', latencyMs: 450 },
    [0.3, 2.5],
  ),
  thinks(
    { id: 'google/gemini-2.5-flash-lite', name: 'Gemini 2.5 Flash-Lite', provider: 'Google', latencyMs: 350 },
    [0.1, 0.4],
  ),
  thinks(
    { id: 'mistral/mistral-medium-3.5', name: 'Mistral Medium 3.5', provider: 'Mistral AI', latencyMs: 550 },
    [1.5, 7.5],
  ),
  thinks(
    { id: 'mistral/mistral-small-latest', name: 'Mistral Small', provider: 'Mistral AI', latencyMs: 350 },
    [0.1, 0.3],
  ),
  thinks(
    { id: 'groq/llama-3.3-70b-versatile', name: 'Llama 3.3 70B', provider: 'Groq', latencyMs: 250 },
    [0.59, 0.79],
  ),
  thinks(
    { id: 'groq/openai/gpt-oss-120b', name: 'GPT-OSS 120B', provider: 'Groq', latencyMs: 250 },
    [0.15, 0.75],
  ),
  thinks(
    { id: 'cerebras/gpt-oss-120b', name: 'GPT-OSS 120B', provider: 'Cerebras', latencyMs: 200 },
    [0.35, 0.75],
  ),
];

const sonicLanguages =
  'en de es fr ja pt zh hi ko it nl pl ru sv tr fil bg ro ar cs el fi hr ms sk da ta uk hu no vi th he id';
const elevenLanguages =
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru';

const ttsModels: readonly CatalogModel[] = [
  speaks(
    {
      id: 'cartesia/sonic-3',
      name: 'Sonic 3',
      provider: 'Cartesia',
      languages: sonicLanguages,
      latencyMs: 90,
    },
    50,
  ),
  speaks(
    {
      id: 'cartesia/sonic-turbo',
      name: 'Sonic Turbo',
      provider: 'Cartesia',
      languages: 'en fr de es pt zh ja hi it ko nl pl ru sv tr',
      latencyMs: 50,
    },
    50,
  ),
  speaks(
    {
      id: 'elevenlabs/eleven_flash_v2_5',
      name: 'Eleven Flash v2.5',
      provider: 'ElevenLabs',
      languages: `${elevenLanguages} hu no vi`,
      latencyMs: 75,
    },
    50,
  ),
  speaks(
    {
      id: 'elevenlabs/eleven_multilingual_v2',
      name: 'Eleven Multilingual v2',
      provider: 'ElevenLabs',
      languages: elevenLanguages,
      latencyMs: 400,
    },
    100,
  ),
  speaks(
    {
      id: 'elevenlabs/eleven_v3_conversational',
      name: 'Eleven v3 Conversational',
      provider: 'ElevenLabs',
      languages: '*',
      latencyMs: 200,
    },
    null,
  ),
  speaks(
    {
      id: 'elevenlabs/eleven_turbo_v2_5',
      name: 'Eleven Turbo v2.5',
      provider: 'ElevenLabs',
      languages: `${elevenLanguages} hu no vi`,
      latencyMs: 250,
      unavailableReason: 'Replaced by Eleven Flash v2.5.',
    },
    50,
  ),
  speaks(
    {
      id: 'openai/gpt-4o-mini-tts',
      name: 'GPT-4o mini TTS',
      provider: 'OpenAI',
      languages: '*',
      latencyMs: 450,
    },
    20,
  ),
  speaks(
    {
      id: 'deepgram/aura-2',
      name: 'Aura-2',
      provider: 'Deepgram',
      languages: 'en es de fr nl it ja',
      latencyMs: 150,
    },
    30,
  ),
  speaks(
    { id: 'google/chirp3-hd', name: 'Chirp 3: HD', provider: 'Google Cloud', languages: '*', latencyMs: 300 },
    30,
  ),
  speaks(
    {
      id: 'azure/neural',
      name: 'Neural voices',
      provider: 'Microsoft Azure',
      languages: '*',
      latencyMs: 250,
    },
    16,
  ),
  speaks(
    { id: 'rime/arcana', name: 'Arcana', provider: 'Rime', languages: 'en es fr de', latencyMs: 200 },
    40,
  ),
  speaks(
    { id: 'rime/mistv2', name: 'Mist v2', provider: 'Rime', languages: 'en es fr de', latencyMs: 100 },
    30,
  ),
  speaks(
    {
      id: 'inworld/inworld-tts-2',
      name: 'Inworld TTS 2',
      provider: 'Inworld',
      languages: 'en es fr de it pt nl pl ja ko zh ru hi',
      latencyMs: 200,
    },
    null,
  ),
];

export const catalogModels: readonly CatalogModel[] = [...sttModels, ...llmModels, ...ttsModels];
