// Models that speak.
import { type CatalogModel, speaks } from './catalog-model.js';

const sonicLanguages =
  'en de es fr ja pt zh hi ko it nl pl ru sv tr fil bg ro ar cs el fi hr ms sk da ta uk hu no vi th he id';
const elevenLanguages =
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru';

export const ttsModels: readonly CatalogModel[] = [
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
