// npm run bench -- ingestion: the time in which a site and a PDF become chunks that a search finds. Also the peak
// memory.

import { get, send } from '../campaigns/account.js';
import { beginPeak, peakOf } from '../campaigns/memory.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { showTable, tell } from '../harness/report.js';
import { largePdf, startSite } from './documents.js';
import { watchReaders } from './reading-memory.js';

export interface IngestionBenchOptions {
  /** The pages of the site; the PDF has half as many. */
  readonly pages: number;
}

interface Source {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly chunkCount: number;
  readonly charCount: number;
}

interface Account {
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
}

const limitMs = 900_000;
const everyMs = 100;
/** The most pages of one source. */
const mostPages = 500;

const untilReady = async (about: Account, agentId: string): Promise<Source[]> => {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const sources = await get<Source[]>(about, `/kb?agentId=${agentId}`);
    const failed = sources.find(({ status }) => status === 'failed');
    if (failed !== undefined || Date.now() > deadline)
      throw new Error(`the sources were not read: ${JSON.stringify(sources)}`);
    if (sources.every(({ status }) => status === 'ready')) return sources;
    await new Promise((next) => setTimeout(next, everyMs));
  }
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const shown = (number: number): string => Math.round(number).toLocaleString('en');

/** One row of the table, for sources that are created together. */
const measure = async (
  { pids }: MeasuredPlatform,
  about: Account,
  { name, pages, sources }: { readonly name: string; readonly pages: number; readonly sources: object[] },
): Promise<string[]> => {
  const { services: pid } = pids;
  if (pid === undefined) throw new Error('the services do not run');
  const agent = await send<{ id: string }>(about, '/agents', {
    ...{ name, isActive: true, templateId: 'support' },
  });
  tell(`reading ${name}`);
  const before = beginPeak(pid);
  const readers = watchReaders(pid);
  const began = performance.now();
  await send(about, '/kb', { agentId: agent.id, sources });
  const read = await untilReady(about, agent.id);
  const seconds = (performance.now() - began) / 1_000;
  const { mebibytes, processes } = readers.stop();
  return [
    ...[name, `${seconds.toFixed(1)} s`, (pages / seconds).toFixed(1)],
    ...[
      shown(sum(read.map(({ chunkCount }) => chunkCount))),
      shown(sum(read.map(({ charCount }) => charCount))),
    ],
    ...[`${shown(before)} -> ${shown(peakOf(pid))} MiB`, `${shown(mebibytes)} MiB, ${processes} process(es)`],
  ];
};

const upload = async (about: Account, content: Buffer): Promise<object> => {
  const fileName = 'large.pdf';
  const contentType = 'application/pdf';
  const query = new URLSearchParams({ fileName, contentType });
  const place = await get<{ uploadUrl: string; fileKey: string }>(about, `/kb/upload-url?${query}`);
  const headers = { 'content-type': contentType };
  const stored = await fetch(place.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(content) });
  if (!stored.ok) throw new Error(`the upload was answered ${stored.status}`);
  return { type: 'file', fileKey: place.fileKey, fileName };
};

export const benchIngestion = async ({ pages }: IngestionBenchOptions): Promise<void> => {
  const half = Math.min(mostPages, Math.ceil(pages / 2));
  const site = await startSite(half);
  // The bench owns the site: no politeness slows the measured work down.
  const variables = { EGRESS_ALLOW_PRIVATE: '127.0.0.1', KNOWLEDGE_REQUESTS_PER_SECOND: '10000' };
  const platform = await startMeasuredPlatform({ variables });
  try {
    const about = { api: platform.api, headers: { 'x-api-key': platform.apiKey } };
    const url = (address: string, mode: 'site' | 'sitemap') => ({
      ...{ type: 'url', url: address, crawl: { mode, maxPages: half } },
    });
    const file = largePdf(half);
    tell(`the PDF has ${shown(file.length / 1_024)} KiB`);
    const rows = [
      await measure(platform, about, {
        ...{ name: `a site of ${2 * half} pages`, pages: 2 * half },
        sources: [url(site.linked, 'site'), url(site.mapped, 'sitemap')],
      }),
      await measure(platform, about, {
        ...{ name: `a PDF of ${half} pages`, pages: half },
        sources: [await upload(about, file)],
      }),
    ];
    showTable(
      [
        'source',
        'time',
        'pages/s',
        'chunks',
        'characters',
        'all services, before -> peak',
        'largest reading process',
      ],
      rows,
    );
  } finally {
    await platform.stop();
    await site.stop();
  }
};
