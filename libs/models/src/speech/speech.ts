// Recognition and speech at a server of the OpenAI protocol, through the guarded egress and within bounds.
import { type Egress, parseForeignJson } from '@parlance/egress';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import { asModelFailure, ModelFailure, refuseStatus } from './failure.js';

export type SpeechEndpoint = Pick<OpenAiEndpoint, 'baseUrl' | 'model' | 'apiKey'>;

export interface SpeechOptions {
  readonly egress: Pick<Egress, 'open'>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to the head of the answer (15 s); the signal bounds the rest. */
  readonly headTimeoutMs?: number;
}

/** `pcm` of the protocol: 16 bits, little endian, one channel, at this rate. */
export const speechRate = 24_000;

const usualHeadTimeoutMs = 15_000;
/** An hour of words. */
const mostTextBytes = 1_048_576;
/** Ten minutes of audio: a piece of speech is a sentence or two. */
const mostAudioBytes = 10 * 60 * speechRate * 2;

const authorization = ({ apiKey }: SpeechEndpoint): Readonly<Record<string, string>> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` };

interface Posted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const post = async (endpoint: SpeechEndpoint, { path, headers, body }: Posted, options: SpeechOptions) => {
  const { egress, signal, headTimeoutMs = usualHeadTimeoutMs } = options;
  const answer = await egress.open(`${endpoint.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, ...authorization(endpoint) },
    body,
    headTimeoutMs,
    ...(signal && { signal }),
  });
  try {
    refuseStatus(answer.status);
    return answer;
  } catch (error) {
    answer.body.on('error', () => undefined).destroy();
    throw error;
  }
};

async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ModelFailure('tooLarge');
    yield chunk;
  }
}

const wholeOf = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const textIn = (body: Buffer): string => {
  const answer = parseForeignJson(body);
  const text: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'text') : undefined;
  if (typeof text !== 'string') throw new ModelFailure('invalidResponse', 200);
  return text;
};

export interface Hearing {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly language: string;
  readonly hint?: string | undefined;
}

/**
 * @param file a WAV file
 * @param language a code of the catalog, of which the protocol takes the first part
 * @param hint words that are expected
 * @throws ModelFailure
 */
export const transcribe = async (
  endpoint: SpeechEndpoint,
  { file, language, hint }: Hearing,
  options: SpeechOptions,
): Promise<string> => {
  const form = new FormData();
  form.set('file', new Blob([file], { type: 'audio/wav' }), 'audio.wav');
  form.set('model', endpoint.model);
  form.set('language', spokenLanguage(language));
  if (hint !== undefined) form.set('prompt', hint);
  form.set('response_format', 'json');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', accept: 'application/json' };
  const body = Buffer.from(await encoded.arrayBuffer());
  try {
    const answer = await post(endpoint, { path: '/audio/transcriptions', headers, body }, options);
    return textIn(await wholeOf(answer.body, mostTextBytes));
  } catch (error) {
    throw asModelFailure(error);
  }
};

export interface Speaking {
  readonly text: string;
  readonly voice: string;
  readonly language: string;
  readonly isBackground?: boolean;
}

/** Whisper's codes: ISO 639-1, in which Filipino is Tagalog. */
const spokenLanguage = (tag: string): string => {
  const language = tag.toLowerCase().split('-', 1)[0] ?? '';
  return language === 'fil' ? 'tl' : language;
};

/** RFC 9218. Servers that do not know the header ignore it. */
const leastUrgent = 'u=7';

/**
 * The bytes of `pcm` as they come.
 * @param isBackground nobody waits for them yet
 * @param language not of the protocol; a server that does not know it ignores it
 * @throws ModelFailure
 */
export async function* speak(
  endpoint: SpeechEndpoint,
  { text, voice, language, isBackground = false }: Speaking,
  options: SpeechOptions,
): AsyncGenerator<Buffer> {
  const request = { model: endpoint.model, voice, input: text, response_format: 'pcm', language };
  const headers = {
    'content-type': 'application/json',
    accept: 'audio/*',
    ...(isBackground && { priority: leastUrgent }),
  };
  try {
    const answer = await post(
      endpoint,
      { path: '/audio/speech', headers, body: JSON.stringify(request) },
      options,
    );
    try {
      const type = answer.headers['content-type'] ?? '';
      if (/json|html|text/.test(type)) throw new ModelFailure('invalidResponse', answer.status);
      yield* bounded(answer.body, mostAudioBytes);
    } finally {
      answer.body.on('error', () => undefined).destroy();
    }
  } catch (error) {
    throw asModelFailure(error);
  }
}
