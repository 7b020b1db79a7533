// npm run bench -- json: the lossless reader and writer beside those of the engine.
import { parseJson, stringifyJson } from '@parlance/json';
import { showTable } from '../harness/report.js';

const rounds = 200;

const turn = (seq: number) => ({
  seq,
  role: 'user',
  text: 'It costs 10.50, and is here in "two" days: on Monday. '.repeat(3),
  startMs: seq * 1_000,
  confidence: 0.93,
  createdAt: '2026-03-01T10:00:00.000Z',
});

const request = JSON.stringify({
  params: { id: 'a' },
  query: { limit: 20 },
  body: { name: 'x', tags: [1, 2] },
});
const transcript = JSON.stringify(Array.from({ length: 200 }, (_, seq) => turn(seq)));

const texts: Readonly<Record<string, string>> = {
  'a request': request,
  'a transcript': transcript,
  'numbers of two decimals': JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index * 1.25)),
  'a transcript with a long number': transcript.replace('"seq":7,', '"seq":9007199254740993,'),
};

/** The least of many rounds: longer ones include other work of the machine. */
const leastMicros = (work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least * 1_000;
};

const compared = (own: () => unknown, engine: () => unknown): string[] => {
  const [ownMicros, engineMicros] = [leastMicros(own), leastMicros(engine)];
  return [engineMicros.toFixed(1), ownMicros.toFixed(1), (ownMicros / engineMicros).toFixed(2)];
};

export const benchJson = async (): Promise<void> => {
  const rows = Object.entries(texts).map(([name, text]) => {
    const value = parseJson(text);
    const reading = compared(
      () => parseJson(text),
      () => JSON.parse(text),
    );
    const writing = compared(
      () => stringifyJson(value),
      () => JSON.stringify(value),
    );
    return [name, String(text.length), ...reading, ...writing];
  });
  showTable(
    [
      'text',
      'characters',
      'JSON.parse, µs',
      'parseJson',
      'ratio',
      'JSON.stringify, µs',
      'stringifyJson',
      'ratio',
    ],
    rows,
  );
};
