// npm run bench -- widget: the cost of the website widget for a page and its visitor, in Chromium. A page with the widget is
// measured beside the same page without it, in turn and in one run.

import { missingForBrowserVoice } from '@parlance/start';
import { type Chromium, hasChromium, type Site, startChromium, startSite } from '@parlance/tests-browser';
import { percentile } from '../calls/requests.js';
import { type MeasuredPlatform, startMeasuredPlatform } from '../harness/measured-platform.js';
import { showTable, tell } from '../harness/report.js';
import { type Measured, type Mode, measure, type Pages, servePages } from './pages.js';
import { sizesOf } from './sizes.js';

export interface WidgetBenchOptions {
  readonly rounds: number;
}

/** The speed of this machine, and that of a cheap phone. */
const speeds = [1, 4] as const;

const post = async <T>({ api, apiKey }: MeasuredPlatform, path: string, body: object): Promise<T> => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data; // as the contract declares it
};

const makeWidget = async (
  platform: MeasuredPlatform,
  site: Site,
  modes: readonly Mode[],
): Promise<string> => {
  const agent = { name: 'Bench', isActive: true, templateId: 'business' };
  const { id: agentId } = await post<{ id: string }>(platform, '/agents', agent);
  const { id } = await post<{ id: string }>(platform, `/agents/${agentId}/widgets`, {
    ...{ name: 'Bench', allowedOrigins: [site.origin], modes, consent: { required: false } },
    limits: { maxConcurrentSessions: 100, sessionsPerIpPerHour: 10_000 },
  });
  return id;
};

const showSizes = async (platform: MeasuredPlatform, modes: readonly Mode[]): Promise<void> => {
  const { version } = (await (await fetch(`${platform.url}/widget/latest.json`)).json()) as {
    version: string;
  };
  const sizes = await sizesOf(platform.url, [
    ['/widget.js', 'with the page'],
    [`/widget/${version}/panel.js`, 'when the panel opens'],
    ...(modes.includes('voice')
      ? [[`/widget/${version}/voice.js`, 'at the first click on voice'] as const]
      : []),
    [`/widget/${version}/texts/de.json`, 'with the page, in German'],
  ]);
  showTable(
    ['file', 'loaded', 'bytes', 'gzip', 'brotli'],
    sizes.map(({ file, when, plain, gzip, brotli }) => [file, when, plain, gzip, brotli]),
  );
};

interface Row {
  readonly slower: number;
  readonly without: Measured[];
  readonly withWidget: Measured[];
  readonly begun: Record<Mode, Measured[]>;
}

const median = (measured: readonly Measured[], of: keyof Measured): number =>
  percentile(
    measured.flatMap((one) => one[of] ?? []),
    0.5,
  );

const round = async (
  chromium: Chromium,
  pages: Pages,
  row: Row,
  { hosts, modes }: { readonly hosts: readonly string[]; readonly modes: readonly Mode[] },
): Promise<void> => {
  const { slower } = row;
  row.without.push(await measure(chromium, { url: pages.without, slower, hosts }));
  row.withWidget.push(await measure(chromium, { url: pages.withWidget, slower, hosts }));
  for (const mode of modes)
    row.begun[mode].push(await measure(chromium, { url: pages.withWidget, slower, hosts, mode }));
};

const showTimes = (rows: readonly Row[], modes: readonly Mode[]): void =>
  showTable(
    [
      ...['processor', 'page without, ms', 'page with, ms', 'ratio', 'script to interactive, ms'],
      ...modes.map((mode) => `click to ${mode}, ms`),
    ],
    rows.map(({ slower, without, withWidget, begun }) => {
      const [bare, loaded] = [median(without, 'loadMs'), median(withWidget, 'loadMs')];
      return [
        slower === 1 ? 'as it is' : `${slower} times slower`,
        ...[bare, loaded].map((ms) => ms.toFixed(0)),
        (loaded / bare).toFixed(2),
        median(withWidget, 'interactiveMs').toFixed(0),
        ...modes.map((mode) => median(begun[mode], 'connectedMs').toFixed(0)),
      ];
    }),
  );

/** Prints the sizes of the files, and medians of the times. */
export const benchWidget = async ({ rounds }: WidgetBenchOptions): Promise<void> => {
  if (!hasChromium()) return;
  const missing = missingForBrowserVoice();
  const hasVoice = missing === undefined;
  if (!hasVoice) tell(`${missing} Voice is not measured.`);
  const modes: readonly Mode[] = hasVoice ? ['voice', 'text'] : ['text'];
  const platform = await startMeasuredPlatform({
    variables: {
      RATE_LIMIT_PUBLIC_CONFIG_PER_MINUTE: '100000',
      RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE: '100000',
    },
    flags: hasVoice ? ['--browser-voice'] : [],
  });
  const site = await startSite();
  const chromium = await startChromium();
  try {
    await showSizes(platform, modes);
    const pages = servePages(site, platform.url, await makeWidget(platform, site, modes));
    const hosts = [new URL(platform.url).host, `127.0.0.1:${platform.ports.livekit}`];
    const rows = speeds.map((slower): Row => {
      return { slower, without: [], withWidget: [], begun: { voice: [], text: [] } };
    });
    for (let done = 1; done <= rounds; done += 1) {
      for (const row of rows) await round(chromium, pages, row, { hosts, modes });
      tell(`round ${done} of ${rounds}`);
    }
    showTimes(rows, modes);
  } finally {
    await chromium.stop();
    await site.stop();
    await platform.stop();
  }
};
