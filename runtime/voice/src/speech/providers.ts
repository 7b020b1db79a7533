// Recognition and speech behind two small interfaces, and lists of providers that replace one another within a turn.
import type { Audio } from './audio.js';

interface Provider {
  /** Host or vendor, for the usage of the call. */
  readonly provider: string;
  /** The model's id in the catalog. */
  readonly model: string;
}

export interface Recognizer extends Provider {
  /** @throws Error when the provider fails */
  recognize(audio: Audio, language: string, signal: AbortSignal): Promise<string>;
}

export interface Synthesizer extends Provider {
  /** Audio as it is made. @throws Error when the provider fails */
  synthesize(text: string, language: string, signal: AbortSignal): AsyncIterable<Audio>;
}

/** No provider of a list answered. */
export class AllProvidersFailed extends Error {
  constructor(kind: 'recognition' | 'speech', causes: readonly unknown[]) {
    super(`${kind} failed at every provider: ${causes.map(String).join('; ')}`);
  }
}

export type OnFailure = (provider: Provider, error: unknown) => void;

/** Providers in their order, those that failed in the last minute behind the others. */
class Order<P extends Provider> {
  readonly #providers: readonly P[];
  readonly #failedAt = new Map<P, number>();

  constructor(providers: readonly P[]) {
    this.#providers = providers;
  }

  current(): readonly P[] {
    const failed = (provider: P): boolean =>
      Date.now() - (this.#failedAt.get(provider) ?? Number.NEGATIVE_INFINITY) < recoveryMs;
    return [...this.#providers].sort((one, other) => Number(failed(one)) - Number(failed(other)));
  }

  failed(provider: P): void {
    this.#failedAt.set(provider, Date.now());
  }
}

const recoveryMs = 60_000;

/** Nobody replaces the last provider: a late answer of it is better than none. */
const lastAttemptMs = 15_000;

const withDeadline = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${ms} ms`)), ms);
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
}

/** Asks one recognizer after the other with the same audio, so that no word is lost with a provider. */
export class Recognition {
  readonly #order: Order<Recognizer>;
  readonly #options: RecognitionOptions;

  constructor(options: RecognitionOptions) {
    this.#order = new Order(options.recognizers);
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
        const work = recognizer.recognize(audio, language, AbortSignal.any([signal, abort.signal]));
        const text = await withDeadline(work, deadlineMs, 'text');
        return { text: text.trim(), provider: recognizer.provider, model: recognizer.model };
      } catch (error) {
        abort.abort();
        signal.throwIfAborted();
        causes.push(error);
        this.#order.failed(recognizer);
        onFailure?.(recognizer, error);
      }
    }
    throw new AllProvidersFailed('recognition', causes);
  }
}

export interface SpeechOptions {
  readonly synthesizers: readonly Synthesizer[];
  /** Milliseconds to the first audio, and between two chunks of it. The last synthesizer gets more. */
  readonly chunkMs?: number;
  readonly onFailure?: OnFailure;
  readonly onSpoken?: (provider: Provider, characters: number) => void;
}

/** Speaks each piece with the first synthesizer that can. A piece that broke off is spoken again as a whole by the next one. */
export class Speech {
  readonly #order: Order<Synthesizer>;
  readonly #options: SpeechOptions;

  constructor(options: SpeechOptions) {
    this.#order = new Order(options.synthesizers);
    this.#options = options;
  }

  /** @throws AllProvidersFailed */
  async *synthesize(text: string, language: string, signal: AbortSignal): AsyncGenerator<Audio> {
    const { chunkMs = 1_800, onFailure, onSpoken } = this.#options;
    const causes: unknown[] = [];
    const synthesizers = this.#order.current();
    for (const synthesizer of synthesizers) {
      const deadlineMs = synthesizer === synthesizers.at(-1) ? lastAttemptMs : chunkMs;
      const abort = new AbortController();
      let hasAudio = false;
      try {
        const chunks = synthesizer.synthesize(text, language, AbortSignal.any([signal, abort.signal]));
        const iterator = chunks[Symbol.asyncIterator]();
        for (;;) {
          const step = await withDeadline(iterator.next(), deadlineMs, 'audio');
          if (step.done) break;
          if (step.value.samples.length === 0) continue;
          hasAudio = true;
          yield step.value;
        }
        if (!hasAudio) throw new Error('no audio in the answer');
        onSpoken?.(synthesizer, text.length);
        return;
      } catch (error) {
        signal.throwIfAborted();
        causes.push(error);
        this.#order.failed(synthesizer);
        onFailure?.(synthesizer, error);
      } finally {
        abort.abort();
      }
    }
    throw new AllProvidersFailed('speech', causes);
  }
}
