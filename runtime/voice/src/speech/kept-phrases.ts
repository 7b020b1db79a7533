// Synthesizers with a cache of phrases, and the phrases that are made before they are needed.
import { type Audio, joined } from './audio.js';
import type { PhraseBook } from './phrase-book.js';
import type { PhraseCache } from './phrase-cache.js';
import type { Speech, Synthesizer, Urgency } from './providers.js';

/** Audio that is made once, and read by whoever needs it meanwhile. */
class Making {
  readonly urgency: Urgency;
  readonly #abort = new AbortController();
  readonly #chunks: Audio[] = [];
  #state: 'running' | 'done' | 'failed' | 'aborted' = 'running';
  #error: unknown;
  #wake: (() => void)[] = [];

  constructor(urgency: Urgency) {
    this.urgency = urgency;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** @returns all of it; undefined when it was aborted or failed */
  async run(
    synthesize: (signal: AbortSignal) => AsyncIterable<Audio>,
    signal: AbortSignal,
  ): Promise<Audio | undefined> {
    const either = AbortSignal.any([signal, this.#abort.signal]);
    try {
      for await (const chunk of synthesize(either)) {
        this.#chunks.push(chunk);
        this.#notify();
      }
      this.#state = 'done';
      return joined(this.#chunks);
    } catch (error) {
      this.#state = either.aborted ? 'aborted' : 'failed';
      this.#error = error;
      return undefined;
    } finally {
      this.#notify();
    }
  }

  /** Also after an abort. @throws the error that it failed with */
  async ended(): Promise<void> {
    const never = new AbortController().signal;
    while (this.#state === 'running') await this.#change(never);
    if (this.#state === 'failed') throw this.#error;
  }

  /** @returns false when somebody else has aborted it before its first audio */
  async *read(signal: AbortSignal): AsyncGenerator<Audio, boolean> {
    for (let at = 0; ; at += 1) {
      while (at >= this.#chunks.length && this.#state === 'running' && !signal.aborted)
        await this.#change(signal);
      signal.throwIfAborted();
      const chunk = this.#chunks[at];
      if (chunk === undefined) {
        if (this.#state === 'aborted' && at === 0) return false;
        if (this.#state !== 'done') throw this.#error;
        return true;
      }
      yield chunk;
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

export interface KeepOptions {
  readonly book: PhraseBook;
  readonly cache: PhraseCache;
  readonly onFailure?: (error: unknown) => void;
}

/** Speaks the sentences of the book from the cache, and keeps those that it makes. */
export const keepingPhrases = (inner: Synthesizer, { book, cache, onFailure }: KeepOptions): Synthesizer => {
  const makings = new Map<string, Making>();
  const begin = (text: string, language: string, urgency: Urgency, signal: AbortSignal): Making => {
    const making = new Making(urgency);
    const forget = (): void => {
      if (makings.get(text) === making) makings.delete(text);
    };
    makings.set(text, making);
    signal.addEventListener('abort', forget, { once: true });
    void making
      .run((own) => inner.synthesize(text, language, own, urgency), signal)
      .then(async (audio) => {
        if (audio !== undefined && audio.samples.length > 0)
          await cache.keep(partsOf(inner, language, text), audio, book.isShared(text) ?? false);
      })
      .catch((error: unknown) => onFailure?.(error))
      .finally(() => {
        signal.removeEventListener('abort', forget);
        forget();
      });
    return making;
  };
  return {
    provider: inner.provider,
    model: inner.model,
    variant: inner.variant,
    async *synthesize(text, language, signal, urgency = 'turn'): AsyncGenerator<Audio> {
      const isShared = book.isShared(text);
      if (isShared === undefined) {
        yield* inner.synthesize(text, language, signal, urgency);
        return;
      }
      const kept = await cache.find(partsOf(inner, language, text), isShared);
      if (kept !== undefined) {
        yield kept;
        return;
      }
      for (;;) {
        let making = makings.get(text);
        // One that was started ahead waits behind every turn.
        if (making?.urgency === 'ahead' && urgency === 'turn') {
          making.abort();
          making = undefined;
        }
        making ??= begin(text, language, urgency, signal);
        if (urgency === 'ahead') {
          await making.ended();
          return;
        }
        if (yield* making.read(signal)) return;
      }
    },
  };
};

const partsOf = ({ provider, model, variant }: Synthesizer, language: string, text: string) => [
  provider,
  model,
  variant,
  language,
  text,
];

export interface WarmUpOptions {
  readonly speech: Speech;
  readonly language: string;
  /** What is said as soon as the call is answered. */
  readonly greeting: readonly string[];
  /** What will be said later: made behind everything that somebody waits for. */
  readonly expected: readonly string[];
  readonly signal: AbortSignal;
}

/** Puts sentences into the cache before they are needed. @throws AllProvidersFailed */
export const warmUp = async (options: WarmUpOptions): Promise<void> => {
  const { speech, language, greeting, expected, signal } = options;
  for (const text of greeting) for await (const _ of speech.synthesize(text, language, signal));
  for (const text of expected) await speech.prepare(text, language, signal);
};
