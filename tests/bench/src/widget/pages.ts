// Pages of a website with and without the widget, and the moments that they note.
import { type Chromium, type Site, visit } from '@parlance/tests-browser';

/** Notes moments in milliseconds since the page was asked for. */
const measureScript = `'use strict';
window.moments = {};
const note = (name) => { window.moments[name] ??= performance.now(); };
addEventListener('load', () => note('load'));
addEventListener('click', () => { window.moments.click = performance.now(); }, true);
addEventListener('call-start', () => note('connected'), true);
const look = () => {
  if (document.querySelector('voice-agent-widget')?.shadowRoot?.querySelector('button')) note('interactive');
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
`;

export type Mode = 'voice' | 'text';

export interface Measured {
  /** The time until the page had loaded. */
  readonly loadMs: number;
  /** The time from the request of the script until the visitor could click. */
  readonly interactiveMs?: number;
  /** The time from the last click until the conversation had begun. */
  readonly connectedMs?: number;
}

export interface Pages {
  readonly without: string;
  readonly withWidget: string;
}

export const servePages = (site: Site, platformUrl: string, widgetId: string): Pages => {
  site.script('/measure.js', measureScript);
  const body = `<main><h1>A shop</h1>${'<p>Things to buy.</p>'.repeat(200)}</main>`;
  const head = '<script src="/measure.js"></script>';
  return {
    without: site.show('/without', { head, body }),
    withWidget: site.show('/with', {
      head: `${head}<script async src="${platformUrl}/widget.js"></script>`,
      body: `${body}<voice-agent-widget widget-id="${widgetId}"></voice-agent-widget>`,
    }),
  };
};

export interface Measurement {
  readonly url: string;
  /** The processor is slowed down so many times. */
  readonly slower: number;
  /** Hosts of the platform and of its media server. */
  readonly hosts: readonly string[];
  /** Begins a conversation once the page is there. */
  readonly mode?: Mode;
}

const difference = (later: unknown, earlier: unknown): number | undefined =>
  typeof later === 'number' && typeof earlier === 'number' ? later - earlier : undefined;

const buttons: Readonly<Record<Mode, RegExp>> = { voice: /^Start$/, text: /^(Write instead|Start writing)$/ };

/** Opens the page in a profile that has nothing in its cache. */
export const measure = async (
  { browser }: Chromium,
  { url, slower, hosts, mode }: Measurement,
): Promise<Measured> => {
  const visitor = await visit(browser, 'about:blank', { hosts, microphone: 'granted' });
  const { page, context } = visitor;
  try {
    const debug = await context.newCDPSession(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(url, { waitUntil: 'load' });
    const widget = page.locator('voice-agent-widget');
    if ((await widget.count()) > 0) await widget.getByRole('button').first().waitFor();
    if (mode !== undefined) {
      await widget.getByRole('button').first().click();
      await widget.getByRole('button', { name: buttons[mode] }).click();
      await page.waitForFunction('window.moments.connected !== undefined');
    }
    const { load, interactive, click, connected, script } = await page.evaluate<
      Readonly<Record<string, number | undefined>>
    >(
      `({ ...window.moments, script: performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/widget.js'))?.startTime })`,
    );
    const interactiveMs = difference(interactive, script);
    const connectedMs = difference(connected, click);
    return {
      loadMs: load ?? Number.NaN,
      ...(interactiveMs === undefined ? {} : { interactiveMs }),
      ...(connectedMs === undefined ? {} : { connectedMs }),
    };
  } finally {
    await visitor.leave();
  }
};
