// Measures the time of a search in a large corpus. Its words and names are made up, and as unevenly frequent as those of a
// language. A process that has just started keeps nothing yet: its searches are measured beside the others.
import { randomUUID } from 'node:crypto';
import { addSource, Search } from '@parlance/knowledge';
import type { Database } from '@parlance/postgres';
import { met, showTable, tell, timed } from '../harness/report.js';

const vocabulary = 30_000;
const wordsInChunk = 200;
const names = 4_000;
const namesInChunk = 3;
const chunksInSource = 500;
const goalMs = 30;
const searches = 200;
const coldSearches = 5;

/** Rank of a word by Zipf's law: the first is the most frequent. */
const rank = (): number => Math.floor(vocabulary ** Math.random());
const between = (from: number, to: number): string => word(from + Math.floor(Math.random() * (to - from)));
const syllables =
  'ba ko mi ren tal dor vis nek sha lu per zan ri mo gul ter fa lin ox ve kra pul shi den wo gat hem ju sik tor bre cal eph yun nos dri ga win ost ple'.split(
    ' ',
  );
/** A word that can be spoken. Others have the same syllables, so that each has similar ones. */
const word = (at: number): string => {
  const last = syllables[at % syllables.length] ?? '';
  return at < syllables.length ? `${last}n` : `${word(Math.floor(at / syllables.length) - 1)}${last}`;
};
/** Names are words beyond the vocabulary. */
const name = (at: number): string => {
  const [first = '', ...others] = word(vocabulary + at);
  return `${first.toUpperCase()}${others.join('')}`;
};
const chunk = () => ({
  text: [
    ...Array.from({ length: wordsInChunk }, () => word(rank())),
    ...Array.from({ length: namesInChunk }, () => `with ${name(Math.floor(names ** Math.random()))}`),
  ].join(' '),
  language: 'english',
});

const queries: Readonly<Record<string, () => string>> = {
  'rare words': () => [between(5_000, 20_000), between(5_000, 20_000), between(5_000, 20_000)].join(' '),
  'common words': () => Array.from({ length: 5 }, () => between(1, 20)).join(' '),
  mixed: () => [between(1, 20), between(20, 200), between(200, 2_000), between(5_000, 20_000)].join(' '),
  'misheard words': () => `${between(20, 200)} ${between(5_000, 20_000)}m ${between(5_000, 20_000)}k`,
  'a name that is nowhere': () => `${between(20, 200)} vishnevska`,
};

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const measure = async (ask: () => Promise<unknown>, atOnce: number, count = searches): Promise<number[]> => {
  const times: number[] = [];
  let left = count;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return times.sort((a, b) => a - b);
};

export const benchLatency = async (db: Database, chunks: number): Promise<void> => {
  const large = { organizationId: randomUUID(), agentId: randomUUID() };
  const small = { organizationId: randomUUID(), agentId: randomUUID() };
  const fill = async (scope: typeof large, count: number): Promise<void> => {
    for (let written = 0; written < count; written += chunksInSource) {
      await addSource(db, { ...scope, chunks: Array.from({ length: chunksInSource }, chunk) });
      if (written % 10_000 === 0) tell(`${written.toLocaleString('en')} chunks`);
    }
  };
  await timed(`${chunks.toLocaleString('en')} chunks indexed`, () => fill(large, chunks * 0.9));
  await fill(small, chunks * 0.1);
  await db.query('analyze knowledge_segments');
  await db.query('analyze knowledge_postings');
  const search = new Search(db, undefined);
  const rows: string[][] = [];
  for (const [organization, scope] of Object.entries({ large, small }))
    for (const [kind, query] of Object.entries(queries)) {
      const ask = (of: Search) => of.find({ ...scope, query: query(), limit: 5 });
      const cold = await measure(() => ask(new Search(db, undefined)), 1, coldSearches);
      for (const atOnce of [1, 8]) {
        const times = await measure(() => ask(search), atOnce);
        const figures = [at(cold, 0.5), ...[0.5, 0.95, 0.99].map((share) => at(times, share))];
        rows.push([
          organization,
          kind,
          String(atOnce),
          ...figures.map((figure) => `${figure.toFixed(1)} ms`),
          met(at(times, 0.95) < goalMs),
        ]);
      }
    }
  const head = ['organization', 'question', 'at once', 'p50 just started', 'p50', 'p95', 'p99'];
  showTable([...head, `p95 under ${goalMs} ms`], rows);
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  tell(
    `kept between searches: ${mebibytes(search.bytes)}; resident: ${mebibytes(process.memoryUsage().rss)}`,
  );
};
