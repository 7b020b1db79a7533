// The voices that a configuration may name, under `<vendor>/<the vendor's own id>`. A voice belongs to some models of
// its vendor. Its languages are those it was made for, or `*` for all that the model speaks.
import type { Voice } from '@parlance/contracts';

/** Whether a voice can be chosen follows from its models. */
type CatalogVoice = Omit<Voice, 'available'>;
type Gender = NonNullable<Voice['gender']>;
type Row = readonly [id: string, name: string, gender: Gender, languages: string, accent: string | null];

const of =
  (vendor: string, provider: string, ttsModels: readonly string[]) =>
  ([id, name, gender, languages, accent]: Row): CatalogVoice => ({
    id: `${vendor}/${id}`,
    name,
    provider,
    gender,
    languages: languages.split(' '),
    accent,
    ttsModels: [...ttsModels],
    previewUrl: null,
  });

const cartesia: readonly Row[] = [
  ['f786b574-daa5-4673-aa0c-cbe3e8534c02', 'Katie', 'female', 'en', 'American'],
  ['9626c31c-bec5-4cca-baa8-f8ba9e84c8bc', 'Jacqueline', 'female', 'en', 'American'],
  ['e07c00bc-4134-4eae-9ea4-1a55fb45746b', 'Brooke', 'female', 'en', 'American'],
  ['f9836c6e-a0bd-460e-9d3c-f7299fa60f94', 'Caroline', 'female', 'en', 'Southern American'],
  ['5ee9feff-1265-424a-9d7f-8e4d431a12c7', 'Ronald', 'male', 'en', 'American'],
  ['a167e0f3-df7e-4d52-a9c3-f949145efdab', 'Blake', 'male', 'en', 'American'],
  ['71a7ad14-091c-4e8e-a314-022ece01c121', 'British Reading Lady', 'female', 'en', 'British'],
  ['f31cc6a7-c1e8-4764-980c-60a361443dd1', 'Robyn', 'female', 'en', 'Australian'],
  ['3b554273-4299-48b9-9aaf-eefd438e3941', 'Indian Lady', 'female', 'en hi', 'Indian'],
  ['5c5ad5e7-1020-476b-8b91-fdcbe9cc313c', 'Daniela', 'female', 'es', 'Mexican'],
  ['3f4ade23-6eb4-4279-ab05-6a144947c4d5', 'German Conversational Woman', 'female', 'de', 'German'],
  ['a249eaff-1e96-4d2c-b23b-12efa4f66f41', 'French Conversational Lady', 'female', 'fr', 'French'],
  ['2b568345-1d48-4047-b25f-7baccf842eb0', 'Japanese Woman Conversational', 'female', 'ja', 'Japanese'],
  ['e8a863c6-22c7-4671-86ca-91cacffc038d', 'Japanese Male Conversational', 'male', 'ja', 'Japanese'],
];

const elevenlabs: readonly Row[] = [
  ['EXAVITQu4vr4xnSDxMaL', 'Sarah', 'female', '*', 'American'],
  ['cgSgspJ2msm6clMCkdW9', 'Jessica', 'female', '*', 'American'],
  ['XrExE9yKIg1WjnnlVkGX', 'Matilda', 'female', '*', 'American'],
  ['Xb7hH8MSUJpSbSDYk0k2', 'Alice', 'female', '*', 'British'],
  ['pFZP5JQG7iQjIQuC4Bku', 'Lily', 'female', '*', 'British'],
  ['iP95p4xoKVk53GoZ742B', 'Chris', 'male', '*', 'American'],
  ['cjVigY5qzO86Huf0OWal', 'Eric', 'male', '*', 'American'],
  ['nPczCjzI2devNBz1zQrb', 'Brian', 'male', '*', 'American'],
  ['JBFqnCBsd6RMkjVDRZzb', 'George', 'male', '*', 'British'],
  ['onwK4e9ZLuTAKqWW03F9', 'Daniel', 'male', '*', 'British'],
  ['IKne3meq5aSn9XLyUdCD', 'Charlie', 'male', '*', 'Australian'],
  ['SAz9YHcvj6GT2YYXdNww', 'River', 'neutral', '*', 'American'],
];

const openai: readonly Row[] = [
  ['alloy', 'Alloy', 'neutral', '*', null],
  ['ash', 'Ash', 'male', '*', null],
  ['ballad', 'Ballad', 'male', '*', null],
  ['cedar', 'Cedar', 'male', '*', null],
  ['coral', 'Coral', 'female', '*', null],
  ['echo', 'Echo', 'male', '*', null],
  ['marin', 'Marin', 'female', '*', null],
  ['sage', 'Sage', 'female', '*', null],
  ['shimmer', 'Shimmer', 'female', '*', null],
  ['verse', 'Verse', 'male', '*', null],
];

const deepgram: readonly Row[] = [
  ['aura-2-thalia-en', 'Thalia', 'female', 'en', 'American'],
  ['aura-2-andromeda-en', 'Andromeda', 'female', 'en', 'American'],
  ['aura-2-apollo-en', 'Apollo', 'male', 'en', 'American'],
  ['aura-2-arcas-en', 'Arcas', 'male', 'en', 'American'],
  ['aura-2-pandora-en', 'Pandora', 'female', 'en', 'British'],
  ['aura-2-draco-en', 'Draco', 'male', 'en', 'British'],
  ['aura-2-hyperion-en', 'Hyperion', 'male', 'en', 'Australian'],
  ['aura-2-celeste-es', 'Celeste', 'female', 'es', 'Colombian'],
  ['aura-2-estrella-es', 'Estrella', 'female', 'es', 'Mexican'],
  ['aura-2-nestor-es', 'Nestor', 'male', 'es', 'Peninsular'],
  ['aura-2-aurelia-de', 'Aurelia', 'female', 'de', null],
  ['aura-2-elara-de', 'Elara', 'female', 'de', null],
  ['aura-2-agathe-fr', 'Agathe', 'female', 'fr', null],
  ['aura-2-beatrix-nl', 'Beatrix', 'female', 'nl', null],
  ['aura-2-cinzia-it', 'Cinzia', 'female', 'it', null],
  ['aura-2-dionisio-it', 'Dionisio', 'male', 'it', null],
  ['aura-2-ama-ja', 'Ama', 'female', 'ja', null],
  ['aura-2-ebisu-ja', 'Ebisu', 'male', 'ja', null],
];

const google: readonly Row[] = [
  ['Aoede', 'Aoede', 'female', '*', null],
  ['Kore', 'Kore', 'female', '*', null],
  ['Leda', 'Leda', 'female', '*', null],
  ['Zephyr', 'Zephyr', 'female', '*', null],
  ['Charon', 'Charon', 'male', '*', null],
  ['Fenrir', 'Fenrir', 'male', '*', null],
  ['Orus', 'Orus', 'male', '*', null],
  ['Puck', 'Puck', 'male', '*', null],
];

const azure: readonly Row[] = [
  ['en-US-AvaMultilingualNeural', 'Ava Multilingual', 'female', '*', 'American'],
  ['en-US-EmmaMultilingualNeural', 'Emma Multilingual', 'female', '*', 'American'],
  ['en-US-AndrewMultilingualNeural', 'Andrew Multilingual', 'male', '*', 'American'],
  ['en-US-BrianMultilingualNeural', 'Brian Multilingual', 'male', '*', 'American'],
  ['en-GB-SoniaNeural', 'Sonia', 'female', 'en', 'British'],
  ['en-GB-RyanNeural', 'Ryan', 'male', 'en', 'British'],
  ['en-AU-NatashaNeural', 'Natasha', 'female', 'en', 'Australian'],
  ['de-DE-KatjaNeural', 'Katja', 'female', 'de', 'German'],
  ['de-DE-ConradNeural', 'Conrad', 'male', 'de', 'German'],
  ['fr-FR-DeniseNeural', 'Denise', 'female', 'fr', 'French'],
  ['fr-FR-HenriNeural', 'Henri', 'male', 'fr', 'French'],
  ['fr-CA-SylvieNeural', 'Sylvie', 'female', 'fr', 'Canadian'],
  ['es-ES-ElviraNeural', 'Elvira', 'female', 'es', 'Peninsular'],
  ['es-MX-DaliaNeural', 'Dalia', 'female', 'es', 'Mexican'],
  ['it-IT-ElsaNeural', 'Elsa', 'female', 'it', 'Italian'],
  ['pt-BR-FranciscaNeural', 'Francisca', 'female', 'pt', 'Brazilian'],
  ['pt-PT-RaquelNeural', 'Raquel', 'female', 'pt', 'Portuguese'],
  ['nl-NL-FennaNeural', 'Fenna', 'female', 'nl', 'Dutch'],
  ['pl-PL-ZofiaNeural', 'Zofia', 'female', 'pl', null],
  ['sv-SE-SofieNeural', 'Sofie', 'female', 'sv', null],
  ['da-DK-ChristelNeural', 'Christel', 'female', 'da', null],
  ['nb-NO-PernilleNeural', 'Pernille', 'female', 'no', null],
  ['fi-FI-NooraNeural', 'Noora', 'female', 'fi', null],
  ['tr-TR-EmelNeural', 'Emel', 'female', 'tr', null],
  ['uk-UA-PolinaNeural', 'Polina', 'female', 'uk', null],
  ['ar-SA-ZariyahNeural', 'Zariyah', 'female', 'ar', 'Saudi'],
  ['he-IL-HilaNeural', 'Hila', 'female', 'he', null],
  ['hi-IN-SwaraNeural', 'Swara', 'female', 'hi', null],
  ['ja-JP-NanamiNeural', 'Nanami', 'female', 'ja', null],
  ['ko-KR-SunHiNeural', 'Sun-Hi', 'female', 'ko', null],
  ['zh-CN-XiaoxiaoNeural', 'Xiaoxiao', 'female', 'zh', 'Mandarin'],
];

const rimeArcana: readonly Row[] = [
  ['luna', 'Luna', 'female', 'en', 'American'],
  ['astra', 'Astra', 'female', 'en', 'American'],
  ['celeste', 'Celeste', 'female', 'en', 'American'],
  ['ursa', 'Ursa', 'male', 'en', 'American'],
];

const rimeMist: readonly Row[] = [
  ['cove', 'Cove', 'male', 'en', 'American'],
  ['lagoon', 'Lagoon', 'male', 'en', 'American'],
];

const inworld: readonly Row[] = [
  ['Ashley', 'Ashley', 'female', 'en', 'American'],
  ['Edward', 'Edward', 'male', 'en', 'American'],
  ['Olivia', 'Olivia', 'female', 'en', 'British'],
  ['Diego', 'Diego', 'male', 'es', 'Mexican'],
];

export const voices: readonly CatalogVoice[] = [
  ...cartesia.map(of('cartesia', 'Cartesia', ['cartesia/sonic-3', 'cartesia/sonic-turbo'])),
  ...elevenlabs.map(
    of('elevenlabs', 'ElevenLabs', [
      'elevenlabs/eleven_flash_v2_5',
      'elevenlabs/eleven_multilingual_v2',
      'elevenlabs/eleven_v3_conversational',
      'elevenlabs/eleven_turbo_v2_5',
    ]),
  ),
  ...openai.map(of('openai', 'OpenAI', ['openai/gpt-4o-mini-tts'])),
  ...deepgram.map(of('deepgram', 'Deepgram', ['deepgram/aura-2'])),
  ...google.map(of('google', 'Google Cloud', ['google/chirp3-hd'])),
  ...azure.map(of('azure', 'Microsoft Azure', ['azure/neural'])),
  ...rimeArcana.map(of('rime', 'Rime', ['rime/arcana'])),
  ...rimeMist.map(of('rime', 'Rime', ['rime/mistv2'])),
  ...inworld.map(of('inworld', 'Inworld', ['inworld/inworld-tts-2'])),
];
