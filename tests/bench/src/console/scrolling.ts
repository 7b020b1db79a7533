// Scrolling through a call log of a million calls: the cost of one more page at depth, and whether the picture keeps
// up.
import type { Chromium } from '@parlance/tests-browser';
import { seedDocuments } from '../calls/documents.js';
import { percentile, shown } from '../calls/requests.js';
import { seedCalls } from '../calls/seed.js';
import type { MeasuredPlatform } from '../harness/measured-platform.js';
import { showTable, tell, timed } from '../harness/report.js';
import { openedAs, type Person } from './screens.js';

export interface ScrollingOptions {
  /** Calls in the log. */
  readonly calls: number;
  /** Pages that are scrolled through; each has 50 calls. */
  readonly pages: number;
  readonly person: Person;
}

const perPage = 50;
/** Of the first and the last pages. */
const sample = 20;

interface Scrolled {
  /** Milliseconds between two pictures. */
  readonly frames: readonly number[];
  /** Milliseconds of each page that was asked for, in order. */
  readonly pages: readonly number[];
  /** Elements of rows that the page held at most. */
  readonly rows: number;
}

/** Runs in the page: scrolls as fast as a wheel that is spun, until so many pages are there. */
const scroll = async (pages: number): Promise<Scrolled> => {
  performance.setResourceTimingBufferSize(100_000);
  const asked = () =>
    performance.getEntriesByType('resource').filter(({ name }) => /\/calls\?.*cursor=/.test(name));
  const frames: number[] = [];
  let rows = 0;
  let last = performance.now();
  const until = performance.now() + 150_000;
  await new Promise<void>((resolve) => {
    const step = (at: number): void => {
      frames.push(at - last);
      last = at;
      rows = Math.max(rows, document.querySelectorAll('tbody tr').length);
      if (asked().length >= pages || at > until) resolve();
      else {
        window.scrollBy(0, 200);
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
  });
  return { frames, pages: asked().map(({ duration }) => duration), rows };
};

const seed = async (
  platform: MeasuredPlatform,
  { calls, pages }: ScrollingOptions,
  handOver: () => Promise<void>,
): Promise<void> => {
  const { organizationId, ports } = platform;
  await handOver();
  const postgres = platform.databaseUrlOf('calls_logs');
  await timed(`${calls.toLocaleString('en')} calls seeded`, () =>
    seedCalls(postgres, { organizationId, calls, agents: 50, days: 90 }),
  );
  const urls = { postgres, mongo: `mongodb://127.0.0.1:${ports.mongodb}` };
  await seedDocuments(urls, organizationId, ['true'], (pages + 2) * perPage);
};

/** @param handOver makes one real call, whose document the seeded ones copy */
export const benchScrolling = async (
  chromium: Chromium,
  platform: MeasuredPlatform,
  options: ScrollingOptions,
  handOver: () => Promise<void>,
): Promise<void> => {
  await seed(platform, options, handOver);
  const { page, context, leave } = await openedAs(
    chromium,
    { url: platform.url, path: '/calls' },
    options.person,
  );
  try {
    const debug = await context.newCDPSession(page);
    const heapMebibytes = async (): Promise<number> => {
      await debug.send('HeapProfiler.collectGarbage');
      const { usedSize } = await debug.send('Runtime.getHeapUsage');
      return usedSize / 2 ** 20;
    };
    const before = await heapMebibytes();
    tell(`scrolling through ${options.pages} pages of the log`);
    const { frames, pages, rows } = await page.evaluate(scroll, options.pages);
    const after = await heapMebibytes();
    const dropped = frames.filter((ms) => ms > 50).length;
    const median = (list: readonly number[]): string => shown(percentile(list, 0.5));
    showTable(
      ['scrolling through the call log', ''],
      [
        ['calls in the log', options.calls.toLocaleString('en')],
        ['calls scrolled through', ((pages.length + 1) * perPage).toLocaleString('en')],
        ['rows in the page at most', rows],
        [`a page of ${perPage}: first ${sample}, median ms`, median(pages.slice(0, sample))],
        [`a page of ${perPage}: last ${sample}, median ms`, median(pages.slice(-sample))],
        ['frame, median and p99 ms', `${median(frames)}, ${shown(percentile(frames, 0.99))}`],
        ['frames over 50 ms', `${dropped} of ${frames.length}`],
        ['memory of the script before and after, MiB', `${before.toFixed(1)}, ${after.toFixed(1)}`],
      ],
    );
  } finally {
    await leave();
  }
};
