import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Audio } from './audio.js';
import { counted, Recognition, type Recognizer, Speech, type Synthesizer } from './providers.js';

const never = <T>(): Promise<T> => new Promise(() => undefined);
const signal = new AbortController().signal;
const audio: Audio = { samples: new Int16Array(16_000), rate: 16_000 };

const recognizer = (model: string, recognize: Recognizer['recognize']): Recognizer => {
  return { provider: 'test', model, recognize };
};

const synthesizer = (model: string, synthesize: (text: string) => AsyncGenerator<Audio>): Synthesizer => ({
  provider: 'test',
  model,
  variant: 'test',
  synthesize,
});

const tone = (level: number): Audio => ({ samples: Int16Array.of(level), rate: 24_000 });

async function* failing(): AsyncGenerator<Audio> {
  await Promise.reject(new Error('429'));
  yield tone(0);
}
async function* hanging(): AsyncGenerator<Audio> {
  await never();
  yield tone(0);
}
async function* breaking(): AsyncGenerator<Audio> {
  yield tone(1);
  throw new Error('connection lost');
}
async function* silentEnd(): AsyncGenerator<Audio> {
  yield { samples: new Int16Array(0), rate: 24_000 };
}
async function* endless(): AsyncGenerator<Audio> {
  for (;;) yield { samples: new Int16Array(24_000), rate: 24_000 };
}
async function* working(): AsyncGenerator<Audio> {
  yield tone(7);
}

const levelsOf = async (speech: Speech): Promise<number[]> => {
  const levels: number[] = [];
  for await (const { samples } of speech.synthesize('Hello.', 'en', signal)) levels.push(...samples);
  return levels;
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('recognition with fall-backs', () => {
  it.each([
    [
      'is rate limited',
      'rateLimited',
      () => Promise.reject(Object.assign(new Error('429'), { status: 429 })),
    ],
    ['hangs', 'timeout', () => never<string>()],
  ])('gives the same audio to the next recognizer when the first one %s', async (_, reason, first) => {
    const heard: Audio[] = [];
    const recognition = new Recognition({
      recognizers: [
        recognizer('first', first),
        recognizer('second', async (given) => {
          heard.push(given);
          return ' hello ';
        }),
      ],
    });
    const recognized = recognition.recognize(audio, 'en', signal);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await recognized).toEqual({
      text: 'hello',
      provider: 'test',
      model: 'second',
      fallback: { kind: 'stt', from: 'first', to: 'second', reason },
    });
    expect(heard).toEqual([audio]);
  });

  it('tells each recognizer the words that are expected now', async () => {
    const prompts: (string | undefined)[] = [];
    const noting: Recognizer['recognize'] = async (_audio, _language, _signal, expected) => {
      prompts.push(expected);
      if (prompts.length % 2 === 1) throw new Error('429');
      return 'yes';
    };
    const recognition = new Recognition({
      recognizers: [recognizer('first', noting), recognizer('second', noting)],
    });
    recognition.hint = () => 'Is that right? Yes. No.';
    await recognition.recognize(audio, 'en', signal);
    expect(prompts).toEqual(['Is that right? Yes. No.', 'Is that right? Yes. No.']);
  });

  it('asks the one that failed last for a minute', async () => {
    const asked: string[] = [];
    const recognition = new Recognition({
      recognizers: [
        recognizer('first', async () => {
          asked.push('first');
          throw new Error('500');
        }),
        recognizer('second', async () => {
          asked.push('second');
          return 'hello';
        }),
      ],
    });
    await recognition.recognize(audio, 'en', signal);
    const { fallback } = await recognition.recognize(audio, 'en', signal);
    expect(fallback).toEqual({ kind: 'stt', from: 'first', to: 'second', reason: 'failed' });
    await jest.advanceTimersByTimeAsync(61_000);
    await recognition.recognize(audio, 'en', signal);
    expect(asked).toEqual(['first', 'second', 'second', 'first', 'second']);
  });

  it('names every cause when no recognizer is left', async () => {
    const recognition = new Recognition({
      recognizers: [recognizer('first', () => Promise.reject(new Error('no route to host')))],
    });
    await expect(recognition.recognize(audio, 'en', signal)).rejects.toThrow('no route to host');
  });
});

describe('speech with fall-backs', () => {
  it.each([
    ['fails', failing, [7]],
    ['hangs before its first chunk', hanging, [7]],
    ['answers without audio', silentEnd, [7]],
    ['breaks off', breaking, [1, 7]],
  ])('is taken over by the next synthesizer when the first one %s', async (_, first, levels) => {
    const failures: string[] = [];
    const speech = new Speech({
      synthesizers: [synthesizer('first', first), synthesizer('second', working)],
      onFailure: ({ model }) => failures.push(model),
    });
    const spoken = levelsOf(speech);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await spoken).toEqual(levels);
    expect(failures).toEqual(['first']);
  });

  it('leaves a synthesizer whose audio does not end, and speaks the text with the next one', async () => {
    const speech = new Speech({
      synthesizers: [synthesizer('first', endless), synthesizer('second', working)],
    });
    const levels = await levelsOf(speech);
    expect(levels.at(-1)).toBe(7);
    // "Hello." has six letters.
    expect(levels.length - 1).toBeLessThanOrEqual(24 * (10_000 + 6 * 400));
  });

  it('counts the characters of the synthesizer that spoke, and names the one that it replaced', async () => {
    const used: unknown[] = [];
    const speech = new Speech({
      synthesizers: [synthesizer('first', failing), synthesizer('second', working)].map((one) =>
        counted(one, ({ model }, characters) => used.push([model, characters])),
      ),
      onSpoken: ({ model }, fallback) => used.push([model, fallback]),
    });
    await levelsOf(speech);
    const fallback = { kind: 'tts', from: 'first', to: 'second', reason: 'failed' };
    expect(used).toEqual([
      ['second', 6],
      ['second', fallback],
    ]);
  });
});
