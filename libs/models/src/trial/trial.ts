// One small request to a model: a word of an llm, a spoken sentence, a recognized recording.
import type { ModelTest, ModelTestFailure } from '@parlance/contracts';
import type { Egress } from '@parlance/egress';
import { EndpointBreakers } from '../chat/breakers.js';
import { chat } from '../chat/chat.js';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import { ModelFailure } from '../speech/failure.js';
import { speak, speechRate, transcribe } from '../speech/speech.js';
import { waveFileOf } from '../speech/wave.js';
import { codes, messages } from './failures.js';
import { Observed } from './observed.js';
import { recording } from './recording.js';

export type Trial = Omit<ModelTest, 'modelId' | 'kind'>;

export interface TrialOptions {
  readonly egress: Pick<Egress, 'open'>;
  /** The server's name of the voice, for `tts`. */
  readonly voice: string;
  readonly language: string;
  /** Milliseconds for all of it (10 s). */
  readonly withinMs?: number;
}

const usualWithinMs = 10_000;
const mostTextLength = 500;
/** Models that think first spend tokens before their first word. */
const maxOutputTokens = 256;
/** A file that fits into one message of the broker, in base64 and with the rest of the answer. */
const mostShownBytes = 393_216;

const sentences: Readonly<Record<string, string>> = {
  de: 'Guten Tag. So klingt diese Stimme am Telefon.',
  en: 'Hello. This is how the voice sounds on the telephone.',
  es: 'Hola. Así suena esta voz por teléfono.',
  fr: 'Bonjour. Voici cette voix au téléphone.',
  it: 'Buongiorno. Ecco come suona questa voce al telefono.',
  nl: 'Hallo. Zo klinkt deze stem aan de telefoon.',
  pt: 'Olá. É assim que esta voz soa ao telefone.',
};

const sentenceIn = (language: string): string =>
  sentences[language.slice(0, 2).toLowerCase()] ?? sentences.en ?? '';

const nothing = { firstByteMs: null, totalMs: 0, text: null, audio: null } as const;

/** A trial that could not begin. */
export const failedTrial = (code: ModelTestFailure): Trial => ({
  ...nothing,
  ok: false,
  error: { code, message: messages[code], status: null, excerpt: null },
});

interface Result {
  readonly text?: string;
  readonly audio?: NonNullable<Trial['audio']>;
}

interface Attempt {
  readonly endpoint: OpenAiEndpoint;
  readonly options: TrialOptions;
  readonly egress: Observed;
  readonly signal: AbortSignal;
  /** Called with the first word or the first audio. */
  readonly onFirst: () => void;
}

const askForWord = async ({ endpoint, options, egress, signal, onFirst }: Attempt): Promise<Result> => {
  const { withinMs = usualWithinMs } = options;
  const request = {
    messages: [{ role: 'user' as const, content: 'Reply with the single word: hello' }],
    maxOutputTokens,
    signal,
  };
  const deadlines = { firstChunkMs: withinMs, betweenChunksMs: withinMs, overallMs: withinMs };
  let text = '';
  const events = chat(request, [{ ...endpoint, firstChunkMs: undefined }], {
    egress: { of: () => egress },
    breakers: new EndpointBreakers(),
    deadlines,
  });
  for await (const event of events) {
    if (event.type === 'text') {
      if (text === '') onFirst();
      text += event.delta;
    }
    if (event.type === 'error' && event.reason !== 'noEndpoint')
      throw new ModelFailure(
        event.reason === 'stalled' || event.reason === 'overallTimeout' || event.reason === 'breakerOpen'
          ? 'timeout'
          : event.reason,
        event.status,
      );
    if (event.type === 'end' && event.reason === 'aborted') throw new ModelFailure('timeout');
  }
  return { text };
};

const recognize = async ({ endpoint, egress, signal, onFirst }: Attempt): Promise<Result> => {
  const text = await transcribe(endpoint, { file: recording(), language: 'en' }, { egress, signal });
  if (text.trim() === '') throw new ModelFailure('empty', 200);
  onFirst();
  return { text: text.trim() };
};

const listen = async ({ endpoint, options, egress, signal, onFirst }: Attempt): Promise<Result> => {
  const { voice, language } = options;
  const request = { text: sentenceIn(language), voice, language };
  const chunks: Buffer[] = [];
  for await (const chunk of speak(endpoint, request, { egress, signal })) {
    if (chunks.length === 0) onFirst();
    chunks.push(chunk);
  }
  const pcm = Buffer.concat(chunks);
  if (pcm.length < 2) throw new ModelFailure('empty', 200);
  const file = waveFileOf(pcm, speechRate);
  return {
    audio: {
      contentType: 'audio/wav',
      bytes: file.length,
      durationMs: Math.round((pcm.length / 2 / speechRate) * 1_000),
      base64: file.length <= mostShownBytes ? file.toString('base64') : null,
    },
  };
};

const attempts = { llm: askForWord, stt: recognize, tts: listen } as const;

const expected: Readonly<Record<OpenAiEndpoint['kind'], (contentType: string) => boolean>> = {
  llm: (type) => type.startsWith('text/event-stream'),
  stt: (type) => !type.includes('html'),
  tts: (type) => !/json|html|text/.test(type),
};

/** Never throws for what the server does. */
export const tryModel = async (endpoint: OpenAiEndpoint, options: TrialOptions): Promise<Trial> => {
  const { withinMs = usualWithinMs } = options;
  const egress = new Observed(options.egress, expected[endpoint.kind]);
  const signal = AbortSignal.timeout(withinMs);
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  let firstByteMs: number | null = null;
  const onFirst = (): void => {
    firstByteMs = elapsed();
  };
  try {
    const { text, audio } = await attempts[endpoint.kind]({ endpoint, options, egress, signal, onFirst });
    return {
      ok: true,
      firstByteMs,
      totalMs: elapsed(),
      text: text?.slice(0, mostTextLength) ?? null,
      audio: audio ?? null,
      error: null,
    };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const code = signal.aborted ? 'TIMEOUT' : codes[error.reason];
    const { status } = egress;
    return {
      ...nothing,
      ok: false,
      firstByteMs,
      totalMs: elapsed(),
      error: { code, message: messages[code], status, excerpt: egress.excerpt(endpoint.apiKey) },
    };
  }
};
