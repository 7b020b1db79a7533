// npm run bench -- scrub: the time of making a text fit for the log, also the text of a stranger.
import { scrub } from '@parlance/observability';
import { met, showTable } from '../harness/report.js';

const kib = 1_024;
const sizes = [2, 4, 8, 16].map((size) => size * kib);
const goalMs = 1;
const rounds = 50;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const texts: Readonly<Record<string, string>> = {
  '% alone': '%',
  'eyJ alone': 'eyJ',
  'a- alone': 'a-',
  'percent-encoded': '%41',
  'escapes of JSON': '\\u0041',
  'unfinished pairs': 'token="',
  base64: base64('hello world, this is: some=text /a/b/c/d/e/f/g/h '),
  'base64 in base64': base64(base64('the quick brown fox jumps over the lazy dog').repeat(20)),
  'a stack trace': 'at Object.<anonymous> (/srv/app/libs/observability/src/some-file.ts:120:15)\n',
};

/** The least of many rounds: longer ones include other work of the machine. */
const leastMs = (text: string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    scrub(text);
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
};

const ofSize = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** Texts beyond 8 KiB are cut, so that 16 KiB cost no more than 8. */
export const benchScrub = async (): Promise<void> => {
  const rows = Object.entries(texts).map(([name, piece]) => {
    const costs = sizes.map((size) => leastMs(ofSize(piece, size)));
    const [ofTwo = 0, , ofEight = 0, ofSixteen = 0] = costs;
    const growth = (ofEight / ofTwo / 4).toFixed(2);
    return [name, ...costs.map((cost) => `${cost.toFixed(3)} ms`), growth, met(ofSixteen < goalMs)];
  });
  showTable(['text', '2 KiB', '4 KiB', '8 KiB', '16 KiB', 'cost per byte, 8 to 2 KiB', 'under 1 ms'], rows);
};
