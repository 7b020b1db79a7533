// npm run bench -- console: the cost of the console in Chromium. For each screen it shows the loaded script and the time
// until the screen is there. The times on a processor that is four times slower follow.
import { type Chromium, hasChromium, startChromium } from '@parlance/tests-browser';
import { measureIngest } from '../calls/ingest.js';
import { percentile } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { showTable, tell } from '../harness/report.js';
import { sizesOf } from '../widget/sizes.js';
import { type Opened, openScreen, type Person, screensOf, signUp } from './screens.js';
import { benchScrolling } from './scrolling.js';
import { benchShowing } from './showing.js';
import { benchStreams } from './streams.js';

export interface ConsoleBenchOptions {
  readonly rounds: number;
  /** Calls in the log that is scrolled through. */
  readonly calls: number;
  /** Of the changes while streams are open. */
  readonly seconds: number;
}

/** The speed of this machine, and that of a cheap phone. */
const speeds = [1, 4] as const;

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** Bytes of each file with gzip, which is asked once. */
const gzipSizes = async (url: string, files: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> => {
  const sizes = await Promise.all(
    [...files].map(async (file) => {
      const [size] = await sizesOf(url, [[file, '']]);
      return [file, size?.gzip ?? Number.NaN] as const;
    }),
  );
  return new Map(sizes);
};

const sum = (files: Iterable<string>, sizes: ReadonlyMap<string, number>): number =>
  [...files].reduce((total, file) => total + (sizes.get(file) ?? Number.NaN), 0);

/** Prints the size of each screen's script: all of it, and its addition to the parts that every screen has. */
const showSizes = async (
  url: string,
  signIn: readonly string[],
  screens: ReadonlyMap<string, readonly string[]>,
): Promise<void> => {
  const sizes = await gzipSizes(url, new Set([...signIn, ...[...screens.values()].flat()]));
  const lists = [...screens.values()].map((files) => new Set(files));
  const shared = [...(lists[0] ?? [])].filter((file) => lists.every((files) => files.has(file)));
  const row = (name: string, files: readonly string[]): readonly (string | number)[] => [
    name,
    files.length,
    kilobytes(sum(files, sizes)),
    name === 'sign-in' ? '' : kilobytes(sum(files, sizes) - sum(shared, sizes)),
  ];
  showTable(
    ['screen', 'files', 'script, KB gzip', 'beside the shared, KB'],
    [
      row('sign-in', signIn),
      ['shared by all screens', shared.length, kilobytes(sum(shared, sizes)), ''],
      ...[...screens].map(([path, files]) => row(path, files)),
    ],
  );
};

const median = (values: readonly number[]): string => percentile(values, 0.5).toFixed(0);

interface Measured {
  readonly screens: readonly string[];
  readonly rounds: number;
  readonly person: Person;
}

const measure = async (
  chromium: Chromium,
  url: string,
  { screens, rounds, person }: Measured,
): Promise<void> => {
  const scripts = new Map<string, readonly string[]>();
  const times = new Map<string, Record<(typeof speeds)[number], number[]>>();
  const open = (path: string, slower: number, as?: Person): Promise<Opened> =>
    openScreen(chromium, { url, path, slower, ...(as === undefined ? {} : { person: as }) });
  for (let done = 1; done <= rounds; done += 1) {
    for (const path of screens) {
      const of = times.get(path) ?? { 1: [], 4: [] };
      times.set(path, of);
      for (const slower of speeds) {
        const opened = await open(path, slower, person);
        of[slower].push(opened.usableMs);
        scripts.set(path, opened.scripts);
      }
    }
    tell(`round ${done} of ${rounds}`);
  }
  await showSizes(url, (await open('/sign-in', 1)).scripts, scripts);
  showTable(
    ['screen, nothing in the cache', 'usable, ms', '4 times slower processor, ms'],
    [...times].map(([path, of]) => [path, median(of[1]), median(of[4])]),
  );
};

/** One real call, whose document the seeded ones copy. */
const handOverOne = async (platform: MeasuredPlatform): Promise<void> => {
  const { api, apiKey, internalKey, organizationId } = platform;
  const answer = await fetch(`${api}/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ name: 'Bench', isActive: true, templateId: null }),
  });
  const { data } = (await answer.json()) as { data: { id: string } }; // as the contract declares it
  const common = { api, apiKey, internalKey, organizationId, agentIds: [data.id] };
  await measureIngest({ ...common, seconds: 2, perSecond: 2, connections: 1 });
};

const streams = 500;
const changesPerSecond = 5;
const changesShown = 30;
const pagesScrolled = 200;

export const benchConsole = async ({ rounds, calls, seconds }: ConsoleBenchOptions): Promise<void> => {
  if (!hasChromium()) return;
  const platform = await startMeasuredPlatform();
  const chromium = await startChromium();
  try {
    const person = await signUp(platform.url);
    const screens = await screensOf(chromium, platform.url, person);
    await measure(chromium, platform.url, { screens, rounds, person });
    await benchShowing(chromium, platform, platform.owner, changesShown);
    await benchStreams(platform, { streams, seconds, perSecond: changesPerSecond });
    await benchScrolling(chromium, platform, { calls, pages: pagesScrolled, person: platform.owner }, () =>
      handOverOne(platform),
    );
  } finally {
    await chromium.stop();
    await platform.stop();
  }
};
