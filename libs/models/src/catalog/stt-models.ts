// Models that recognize speech.
import { type CatalogModel, hears } from './catalog-model.js';

/** The runtime recognizes an utterance when it has ended. */
const streamsOnly = 'The voice runtime does not stream audio to this model yet.';

const english = 'en';
const fluxLanguages = 'en es fr de hi ru pt ja it nl';
const novaLanguages = `${fluxLanguages} bg cs da el fi hu id ko ms no pl ro sk sv tr uk vi`;

export const sttModels: readonly CatalogModel[] = [
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
