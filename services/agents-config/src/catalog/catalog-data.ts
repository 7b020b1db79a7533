// The voice catalog as data: what vendors offer, what a minute of it costs, how long it usually takes to answer.
// Prices are list prices in micro-dollars per minute of conversation, rounded; latencies are typical medians.
// A model that has no price per minute here is billed by usage when the call is ingested.

type Row = readonly [
  id: string,
  name: string,
  provider: string,
  languages: string,
  micros: number,
  latencyMs: number,
];

export const catalogVersion = '2026-11-01';

export const languages: readonly (readonly [code: string, name: string])[] = [
  ['en-US', 'English (United States)'],
  ['en-GB', 'English (United Kingdom)'],
  ['en-AU', 'English (Australia)'],
  ['en-IN', 'English (India)'],
  ['es-ES', 'Spanish (Spain)'],
  ['es-MX', 'Spanish (Mexico)'],
  ['fr-FR', 'French (France)'],
  ['fr-CA', 'French (Canada)'],
  ['de-DE', 'German (Germany)'],
  ['it-IT', 'Italian (Italy)'],
  ['pt-BR', 'Portuguese (Brazil)'],
  ['pt-PT', 'Portuguese (Portugal)'],
  ['nl-NL', 'Dutch (Netherlands)'],
  ['pl-PL', 'Polish (Poland)'],
  ['sv-SE', 'Swedish (Sweden)'],
  ['da-DK', 'Danish (Denmark)'],
  ['nb-NO', 'Norwegian (Norway)'],
  ['fi-FI', 'Finnish (Finland)'],
  ['tr-TR', 'Turkish (Türkiye)'],
  ['ru-RU', 'Russian'],
  ['uk-UA', 'Ukrainian'],
  ['hi-IN', 'Hindi (India)'],
  ['ar-SA', 'Arabic (Saudi Arabia)'],
  ['he-IL', 'Hebrew (Israel)'],
  ['ja-JP', 'Japanese (Japan)'],
  ['ko-KR', 'Korean (South Korea)'],
  ['cmn-CN', 'Mandarin Chinese (China)'],
  ['id-ID', 'Indonesian (Indonesia)'],
  ['vi-VN', 'Vietnamese (Vietnam)'],
  ['th-TH', 'Thai (Thailand)'],
];

const european = 'en-US en-GB en-AU en-IN es-ES es-MX fr-FR fr-CA de-DE it-IT pt-BR pt-PT nl-NL';
const wide = `${european} pl-PL sv-SE da-DK nb-NO fi-FI tr-TR ru-RU uk-UA hi-IN ja-JP ko-KR cmn-CN id-ID vi-VN`;

export const sttModels: readonly Row[] = [
  ['deepgram/nova-3', 'Nova-3', 'Deepgram', wide, 7_700, 150],
  ['deepgram/nova-2-phonecall', 'Nova-2 Phone Call', 'Deepgram', 'en-US en-GB en-AU en-IN', 5_900, 150],
  ['deepgram/flux-general-en', 'Flux', 'Deepgram', 'en-US en-GB en-AU en-IN', 7_700, 120],
  [
    'assemblyai/universal-streaming',
    'Universal-Streaming',
    'AssemblyAI',
    'en-US en-GB en-AU en-IN',
    2_500,
    300,
  ],
  ['openai/gpt-4o-transcribe', 'GPT-4o Transcribe', 'OpenAI', '*', 6_000, 400],
  ['openai/gpt-4o-mini-transcribe', 'GPT-4o mini Transcribe', 'OpenAI', '*', 3_000, 350],
  ['google/chirp-3', 'Chirp 3', 'Google', '*', 16_000, 350],
  ['azure/speech-realtime', 'Speech to Text, real time', 'Microsoft Azure', '*', 16_700, 250],
  ['elevenlabs/scribe-v2-realtime', 'Scribe v2 Realtime', 'ElevenLabs', '*', 6_700, 150],
  ['cartesia/ink-whisper', 'Ink-Whisper', 'Cartesia', '*', 2_200, 130],
  ['gladia/solaria-1', 'Solaria-1', 'Gladia', '*', 12_500, 270],
  ['speechmatics/enhanced', 'Enhanced', 'Speechmatics', '*', 17_300, 300],
];

export const llmModels: readonly Row[] = [
  ['openai/gpt-4.1', 'GPT-4.1', 'OpenAI', '*', 20_000, 600],
  ['openai/gpt-4.1-mini', 'GPT-4.1 mini', 'OpenAI', '*', 4_000, 450],
  ['openai/gpt-4o-mini', 'GPT-4o mini', 'OpenAI', '*', 1_500, 450],
  ['openai/gpt-5-mini', 'GPT-5 mini', 'OpenAI', '*', 3_000, 700],
  ['anthropic/claude-sonnet-4-5', 'Claude Sonnet 4.5', 'Anthropic', '*', 30_000, 800],
  ['anthropic/claude-haiku-4-5', 'Claude Haiku 4.5', 'Anthropic', '*', 10_000, 500],
  ['google/gemini-2.5-flash', 'Gemini 2.5 Flash', 'Google', '*', 3_500, 450],
  ['google/gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', 'Google', '*', 1_000, 350],
  ['google/gemini-2.5-pro', 'Gemini 2.5 Pro', 'Google', '*', 13_000, 1_200],
  ['mistral/mistral-medium-3.1', 'Mistral Medium 3.1', 'Mistral AI', '*', 4_000, 500],
  ['mistral/mistral-small-3.2', 'Mistral Small 3.2', 'Mistral AI', '*', 1_000, 350],
  ['groq/llama-3.3-70b-versatile', 'Llama 3.3 70B', 'Groq', '*', 5_900, 250],
  ['groq/openai-gpt-oss-120b', 'GPT-OSS 120B', 'Groq', '*', 1_500, 250],
  ['cerebras/llama-3.3-70b', 'Llama 3.3 70B', 'Cerebras', '*', 8_500, 200],
];

export const ttsModels: readonly Row[] = [
  ['cartesia/sonic-3', 'Sonic 3', 'Cartesia', wide, 30_000, 90],
  ['cartesia/sonic-turbo', 'Sonic Turbo', 'Cartesia', european, 30_000, 50],
  ['elevenlabs/eleven-flash-v2-5', 'Eleven Flash v2.5', 'ElevenLabs', wide, 40_000, 90],
  ['elevenlabs/eleven-turbo-v2-5', 'Eleven Turbo v2.5', 'ElevenLabs', wide, 40_000, 250],
  ['elevenlabs/eleven-multilingual-v2', 'Eleven Multilingual v2', 'ElevenLabs', wide, 80_000, 400],
  ['openai/gpt-4o-mini-tts', 'GPT-4o mini TTS', 'OpenAI', '*', 15_000, 450],
  ['deepgram/aura-2', 'Aura-2', 'Deepgram', 'en-US en-GB en-AU es-ES es-MX', 24_000, 150],
  ['google/chirp-3-hd', 'Chirp 3 HD', 'Google', '*', 24_000, 300],
  ['azure/neural', 'Neural voices', 'Microsoft Azure', '*', 12_800, 250],
  ['rime/arcana', 'Arcana', 'Rime', 'en-US es-MX fr-FR de-DE', 32_000, 200],
  ['rime/mist-v2', 'Mist v2', 'Rime', 'en-US es-MX fr-FR de-DE', 24_000, 100],
];

type Gender = 'female' | 'male' | 'neutral';
type Voice = readonly [
  id: string,
  name: string,
  provider: string,
  gender: Gender,
  languages: string,
  accent: string | null,
  models: string,
];

const cartesia = 'cartesia/sonic-3 cartesia/sonic-turbo';
const eleven = 'elevenlabs/eleven-flash-v2-5 elevenlabs/eleven-turbo-v2-5 elevenlabs/eleven-multilingual-v2';

export const voices: readonly Voice[] = [
  ['cartesia/katie', 'Katie', 'Cartesia', 'female', 'en-US', 'American', cartesia],
  ['cartesia/brooke', 'Brooke', 'Cartesia', 'female', 'en-US', 'American', cartesia],
  ['cartesia/ronald', 'Ronald', 'Cartesia', 'male', 'en-US', 'American', cartesia],
  ['cartesia/benedict', 'Benedict', 'Cartesia', 'male', 'en-GB', 'British', cartesia],
  ['cartesia/isabel', 'Isabel', 'Cartesia', 'female', 'es-ES es-MX', 'Castilian', cartesia],
  ['cartesia/pedro', 'Pedro', 'Cartesia', 'male', 'es-MX es-ES', 'Mexican', cartesia],
  ['cartesia/helena', 'Helena', 'Cartesia', 'female', 'de-DE', 'German', cartesia],
  ['cartesia/lukas', 'Lukas', 'Cartesia', 'male', 'de-DE', 'German', cartesia],
  ['cartesia/camille', 'Camille', 'Cartesia', 'female', 'fr-FR fr-CA', 'French', cartesia],
  ['cartesia/antoine', 'Antoine', 'Cartesia', 'male', 'fr-FR fr-CA', 'French', cartesia],
  ['cartesia/giulia', 'Giulia', 'Cartesia', 'female', 'it-IT', 'Italian', cartesia],
  ['cartesia/beatriz', 'Beatriz', 'Cartesia', 'female', 'pt-BR pt-PT', 'Brazilian', cartesia],
  ['cartesia/sanne', 'Sanne', 'Cartesia', 'female', 'nl-NL', 'Dutch', cartesia],
  ['cartesia/yuki', 'Yuki', 'Cartesia', 'female', 'ja-JP', 'Japanese', 'cartesia/sonic-3'],
  ['cartesia/aarti', 'Aarti', 'Cartesia', 'female', 'hi-IN en-IN', 'Indian', 'cartesia/sonic-3'],
  ['elevenlabs/sarah', 'Sarah', 'ElevenLabs', 'female', wide, 'American', eleven],
  ['elevenlabs/jessica', 'Jessica', 'ElevenLabs', 'female', wide, 'American', eleven],
  ['elevenlabs/brian', 'Brian', 'ElevenLabs', 'male', wide, 'American', eleven],
  ['elevenlabs/george', 'George', 'ElevenLabs', 'male', wide, 'British', eleven],
  ['elevenlabs/charlotte', 'Charlotte', 'ElevenLabs', 'female', wide, 'Swedish', eleven],
  ['elevenlabs/river', 'River', 'ElevenLabs', 'neutral', wide, 'American', eleven],
  ['openai/alloy', 'Alloy', 'OpenAI', 'neutral', '*', null, 'openai/gpt-4o-mini-tts'],
  ['openai/coral', 'Coral', 'OpenAI', 'female', '*', null, 'openai/gpt-4o-mini-tts'],
  ['openai/sage', 'Sage', 'OpenAI', 'female', '*', null, 'openai/gpt-4o-mini-tts'],
  ['openai/ash', 'Ash', 'OpenAI', 'male', '*', null, 'openai/gpt-4o-mini-tts'],
  ['deepgram/aura-2-thalia-en', 'Thalia', 'Deepgram', 'female', 'en-US', 'American', 'deepgram/aura-2'],
  ['deepgram/aura-2-apollo-en', 'Apollo', 'Deepgram', 'male', 'en-US', 'American', 'deepgram/aura-2'],
  ['deepgram/aura-2-draco-en', 'Draco', 'Deepgram', 'male', 'en-GB', 'British', 'deepgram/aura-2'],
  [
    'deepgram/aura-2-celeste-es',
    'Celeste',
    'Deepgram',
    'female',
    'es-MX es-ES',
    'Colombian',
    'deepgram/aura-2',
  ],
  ['google/aoede', 'Aoede', 'Google', 'female', '*', null, 'google/chirp-3-hd'],
  ['google/charon', 'Charon', 'Google', 'male', '*', null, 'google/chirp-3-hd'],
  ['google/kore', 'Kore', 'Google', 'female', '*', null, 'google/chirp-3-hd'],
  [
    'azure/ava-multilingual',
    'Ava Multilingual',
    'Microsoft Azure',
    'female',
    '*',
    'American',
    'azure/neural',
  ],
  [
    'azure/andrew-multilingual',
    'Andrew Multilingual',
    'Microsoft Azure',
    'male',
    '*',
    'American',
    'azure/neural',
  ],
  ['azure/sonia', 'Sonia', 'Microsoft Azure', 'female', 'en-GB', 'British', 'azure/neural'],
  ['azure/katja', 'Katja', 'Microsoft Azure', 'female', 'de-DE', 'German', 'azure/neural'],
  ['rime/luna', 'Luna', 'Rime', 'female', 'en-US', 'American', 'rime/arcana'],
  ['rime/orion', 'Orion', 'Rime', 'male', 'en-US', 'American', 'rime/arcana'],
  ['rime/cove', 'Cove', 'Rime', 'male', 'en-US', 'American', 'rime/mist-v2'],
  ['rime/lagoon', 'Lagoon', 'Rime', 'male', 'en-US', 'American', 'rime/mist-v2'],
];

export const defaults = {
  agent_language: 'en-US',
  sttModel: 'deepgram/nova-3',
  llmModel: 'openai/gpt-4.1-mini',
  ttsModel: 'cartesia/sonic-3',
  voiceId: 'cartesia/katie',
  timezone: 'UTC',
};
