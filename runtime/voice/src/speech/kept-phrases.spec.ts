import { describe, expect, it } from '@jest/globals';
import type { Audio } from './audio.js';
import { keepingPhrases, warmUp } from './kept-phrases.js';
import { PhraseBook } from './phrase-book.js';
import { PhraseCache } from './phrase-cache.js';
import { Speech, type Synthesizer, type Urgency } from './providers.js';

interface Request {
  readonly text: string;
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
  readonly give: (level: number) => void;
  readonly end: () => void;
}

/** A synthesizer whose audio comes when the test gives it. */
const scripted = () => {
  const requests: Request[] = [];
  const synthesizer: Synthesizer = {
    provider: 'test',
    model: 'test',
    variant: 'test',
    async *synthesize(text, _language, signal, urgency = 'turn'): AsyncGenerator<Audio> {
      const levels: number[] = [];
      let isOver = false;
      let wake: () => void = () => undefined;
      signal.addEventListener('abort', () => wake());
      requests.push({
        text,
        urgency,
        signal,
        give: (level) => {
          levels.push(level);
          wake();
        },
        end: () => {
          isOver = true;
          wake();
        },
      });
      for (;;) {
        signal.throwIfAborted();
        const level = levels.shift();
        if (level !== undefined) yield { samples: Int16Array.of(level), rate: 24_000 };
        else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
  return { requests, synthesizer };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const start = (...sentences: readonly string[]) => {
  const { requests, synthesizer } = scripted();
  const book = new PhraseBook();
  for (const text of sentences) book.add({ text, isShared: true });
  const cache = new PhraseCache({ folder: undefined, maxBytes: 1 });
  const speech = new Speech({ synthesizers: [keepingPhrases(synthesizer, { book, cache })] });
  const never = new AbortController().signal;
  const say = async (text: string, signal: AbortSignal = never): Promise<number[]> => {
    const levels: number[] = [];
    for await (const { samples } of speech.synthesize(text, 'en', signal)) levels.push(...samples);
    return levels;
  };
  return { requests, speech, say, never };
};

describe('speech that is kept', () => {
  it('is made once for a sentence of the book, and each time for another text', async () => {
    const { requests, say } = start('Hello.');
    for (const text of ['Hello.', 'Hello.', 'Your code is 4711.', 'Your code is 4711.']) {
      const saying = say(text);
      await settled();
      const request = requests.at(-1);
      request?.give(requests.length);
      request?.end();
      await saying;
      await settled();
    }
    expect(requests.map(({ text }) => text)).toEqual(['Hello.', 'Your code is 4711.', 'Your code is 4711.']);
    expect(await say('Hello.')).toEqual([1]);
  });

  it('is heard from its beginning while it is still being made for the greeting', async () => {
    const { requests, speech, say, never } = start('Hello.');
    const warming = warmUp({ speech, language: 'en', greeting: ['Hello.'], expected: [], signal: never });
    await settled();
    requests[0]?.give(1);
    await settled();
    const saying = say('Hello.');
    await settled();
    requests[0]?.give(2);
    requests[0]?.end();
    expect(await saying).toEqual([1, 2]);
    await warming;
    expect(requests).toHaveLength(1);
  });

  it('does not wait for work that was begun ahead when a turn needs the sentence', async () => {
    const { requests, speech, say, never } = start('One moment.', 'Goodbye.');
    const warming = warmUp({
      speech,
      language: 'en',
      greeting: [],
      expected: ['One moment.', 'Goodbye.'],
      signal: never,
    });
    await settled();
    const saying = say('One moment.');
    await settled();
    expect(requests.map(({ urgency }) => urgency).slice(0, 2)).toEqual(['ahead', 'turn']);
    expect(requests[0]?.signal.aborted).toBe(true);
    requests[1]?.give(7);
    requests[1]?.end();
    expect(await saying).toEqual([7]);
    await settled();
    // The next sentence is made all the same.
    const last = requests.at(-1);
    expect(last).toMatchObject({ text: 'Goodbye.', urgency: 'ahead' });
    last?.end();
    await warming;
  });

  it('is made again for the next turn when the first one was interrupted', async () => {
    const { requests, say } = start('Hello.');
    const interruption = new AbortController();
    const first = say('Hello.', interruption.signal).catch(() => 'interrupted');
    await settled();
    interruption.abort();
    expect(await first).toBe('interrupted');
    const second = say('Hello.');
    await settled();
    requests[1]?.give(3);
    requests[1]?.end();
    expect(await second).toEqual([3]);
  });

  it('stops making speech ahead when the provider fails', async () => {
    const failing: Synthesizer = {
      provider: 'test',
      model: 'test',
      variant: 'test',
      // biome-ignore lint/correctness/useYield: it fails before its first audio
      async *synthesize(): AsyncGenerator<Audio> {
        throw new Error('503');
      },
    };
    const book = new PhraseBook();
    book.add({ text: 'Hello.', isShared: true });
    const cache = new PhraseCache({ folder: undefined, maxBytes: 1 });
    const speech = new Speech({ synthesizers: [keepingPhrases(failing, { book, cache })] });
    const { signal } = new AbortController();
    await expect(
      warmUp({ speech, language: 'en', greeting: [], expected: ['Hello.', 'Hello.'], signal }),
    ).rejects.toThrow('503');
  });
});
