// Recognition and speech behind two small interfaces, and lists of providers that replace one another within a turn.
import type { Fallback } from '@parlance/contracts';
import { type Audio, msOf } from './audio.js';

interface Provider {
  /** Host or vendor, for the usage of the call. */
  readonly provider: string;
  /** The model's id in the catalog. */
  readonly model: string;
}

export interface Recognizer extends Provider {
  /** @param hint words that the audio is likely to have @throws Error when the provider fails */
  recognize(audio: Audio, language: string, signal: AbortSignal, hint?: string): Promise<string>;
}

/** `ahead`: nobody waits for it yet. */
export type Urgency = 'turn' | 'ahead';

export interface Synthesizer extends Provider {
  /** What else its audio depends on, such as the voice. */
  readonly variant: string;
  /** Audio as it is made. @throws Error when the provider fails */
  synthesize(text: string, language: string, signal: AbortSignal, urgency?: Urgency): AsyncIterable<Audio>;
}

/** Reports the characters that a synthesizer has spoken. */
export const counted = (
  inner: Synthesizer,
  onSpoken: (provider: Provider, characters: number) => void,
): Synthesizer => ({
  provider: inner.provider,
  model: inner.model,
  variant: inner.variant,
  async *synthesize(text, language, signal, urgency): AsyncGenerator<Audio> {
    let hasAudio = false;
    for await (const audio of inner.synthesize(text, language, signal, urgency)) {
      hasAudio ||= audio.samples.length > 0;
      yield audio;
    }
    if (hasAudio) onSpoken(inner, text.length);
  },
});

/** No provider of a list answered. */
export class AllProvidersFailed extends Error {
  constructor(kind: 'recognition' | 'speech', causes: readonly unknown[]) {
    super(`${kind} failed at every provider: ${causes.map(String).join('; ')}`);
  }
}

export type OnFailure = (provider: Provider, error: unknown) => void;

class DeadlineExceeded extends Error {}

/** A word of the protocol: the message of an error may quote what was said. */
const reasonOf = (error: unknown): string => {
  if (error instanceof DeadlineExceeded) return 'timeout';
  // `status` of OpenAI's client, `statusCode` of LiveKit's plugins.
  const { status, statusCode = status } = Object(error) as { status?: unknown; statusCode?: unknown };
  if (typeof statusCode !== 'number') return 'failed';
  if (statusCode === 429) return 'rateLimited';
  if (statusCode === 401 || statusCode === 403) return 'unauthorized';
  return statusCode >= 500 ? 'serverError' : 'failed';
};

/** Providers in their order, those that failed in the last minute behind the others. */
class Order<P extends Provider> {
  readonly #kind: Fallback['kind'];
  readonly #providers: readonly P[];
  readonly #failures = new Map<P, { readonly at: number; readonly reason: string }>();

  constructor(kind: Fallback['kind'], providers: readonly P[]) {
    this.#kind = kind;
    this.#providers = providers;
  }

  current(): readonly P[] {
    const failed = (provider: P): boolean =>
      Date.now() - (this.#failures.get(provider)?.at ?? Number.NEGATIVE_INFINITY) < recoveryMs;
    return [...this.#providers].sort((one, other) => Number(failed(one)) - Number(failed(other)));
  }

  failed(provider: P, error: unknown): void {
    this.#failures.set(provider, { at: Date.now(), reason: reasonOf(error) });
  }

  /** Undefined where the first provider of the list answered. */
  fallback(answered: P): Fallback | undefined {
    const [first] = this.#providers;
    if (first === undefined || first === answered) return undefined;
    const reason = this.#failures.get(first)?.reason ?? 'failed';
    return { kind: this.#kind, from: first.model, to: answered.model, reason };
  }
}

const recoveryMs = 60_000;

/** Nobody replaces the last provider: a late answer of it is better than none. */
const lastAttemptMs = 15_000;

const withDeadline = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(`no ${what} within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

export interface RecognitionOptions {
  readonly recognizers: readonly Recognizer[];
  /** Milliseconds for a whole answer; longer audio and the last recognizer get more. */
  readonly attemptMs?: number;
  readonly onFailure?: OnFailure;
}

export interface Recognized {
  readonly text: string;
  readonly provider: string;
  readonly model: string;
  readonly fallback: Fallback | undefined;
}

/** Asks one recognizer after the other with the same audio, so that no word is lost with a provider. */
export class Recognition {
  readonly #order: Order<Recognizer>;
  readonly #options: RecognitionOptions;
  /** Words that audio of this length is likely to have; undefined where anything may be said. */
  hint: (audioMs: number) => string | undefined = () => undefined;

  constructor(options: RecognitionOptions) {
    this.#order = new Order('stt', options.recognizers);
    this.#options = options;
  }

  /** @throws AllProvidersFailed */
  async recognize(audio: Audio, language: string, signal: AbortSignal): Promise<Recognized> {
    const { attemptMs = 1_500, onFailure } = this.#options;
    const audioMs = (audio.samples.length / audio.rate) * 1_000;
    const causes: unknown[] = [];
    const recognizers = this.#order.current();
    for (const recognizer of recognizers) {
      const deadlineMs = recognizer === recognizers.at(-1) ? lastAttemptMs : attemptMs + audioMs / 4;
      const abort = new AbortController();
      try {
        const either = AbortSignal.any([signal, abort.signal]);
        const work = recognizer.recognize(audio, language, either, this.hint(audioMs));
        const text = await withDeadline(work, deadlineMs, 'text');
        const { provider, model } = recognizer;
        return { text: text.trim(), provider, model, fallback: this.#order.fallback(recognizer) };
      } catch (error) {
        abort.abort();
        signal.throwIfAborted();
        causes.push(error);
        this.#order.failed(recognizer, error);
        onFailure?.(recognizer, error);
      }
    }
    throw new AllProvidersFailed('recognition', causes);
  }
}

/** Slow speech takes 150 ms for a letter. A server that sends more than this sends no speech of the text, or does not end. */
const mostAudioMs = (text: string): number => 10_000 + text.length * 400;

export interface SpeechOptions {
  readonly synthesizers: readonly Synthesizer[];
  /** Milliseconds to the first audio, and between two chunks of it. The last synthesizer gets more. */
  readonly firstMs?: number;
  readonly chunkMs?: number;
  readonly onFailure?: OnFailure;
  /** A piece was spoken, whether it was made now or kept. */
  readonly onSpoken?: (provider: Provider, fallback: Fallback | undefined) => void;
}

/** Speaks each piece with the first synthesizer that can. A piece that broke off is spoken again as a whole by the next one. */
export class Speech {
  readonly #order: Order<Synthesizer>;
  readonly #options: SpeechOptions;

  constructor(options: SpeechOptions) {
    this.#order = new Order('tts', options.synthesizers);
    this.#options = options;
  }

  /** Has a text made that is needed later, by the provider that would speak it now. Takes its time. @throws Error */
  async prepare(text: string, language: string, signal: AbortSignal): Promise<void> {
    const [synthesizer] = this.#order.current();
    if (synthesizer === undefined) return;
    for await (const _ of synthesizer.synthesize(text, language, signal, 'ahead'));
  }

  /** @throws AllProvidersFailed */
  async *synthesize(text: string, language: string, signal: AbortSignal): AsyncGenerator<Audio> {
    const { firstMs = 1_000, chunkMs = 1_800, onFailure, onSpoken } = this.#options;
    const causes: unknown[] = [];
    const synthesizers = this.#order.current();
    for (const synthesizer of synthesizers) {
      const isLast = synthesizer === synthesizers.at(-1);
      const abort = new AbortController();
      let audioMs = 0;
      try {
        const chunks = synthesizer.synthesize(text, language, AbortSignal.any([signal, abort.signal]));
        const iterator = chunks[Symbol.asyncIterator]();
        for (;;) {
          const deadlineMs = isLast ? lastAttemptMs : audioMs > 0 ? chunkMs : firstMs;
          const step = await withDeadline(iterator.next(), deadlineMs, 'audio');
          if (step.done) break;
          if (step.value.samples.length === 0) continue;
          audioMs += msOf(step.value);
          if (audioMs > mostAudioMs(text)) throw new Error('more audio than the text can have');
          yield step.value;
        }
        if (audioMs === 0) throw new Error('no audio in the answer');
        onSpoken?.(synthesizer, this.#order.fallback(synthesizer));
        return;
      } catch (error) {
        signal.throwIfAborted();
        causes.push(error);
        this.#order.failed(synthesizer, error);
        onFailure?.(synthesizer, error);
      } finally {
        abort.abort();
      }
    }
    throw new AllProvidersFailed('speech', causes);
  }
}
