// How soon a change that somebody else makes stands on the screen.
import type { Chromium } from '@parlance/tests-browser';
import { Client, percentile, shown } from '../calls/requests.js';
import type { MeasuredPlatform } from '../harness/measured-platform.js';
import { met, showTable, tell } from '../harness/report.js';
import { openedAs, type Person } from './screens.js';

const goalMs = 500;

/** Runs in the page: resolves with the epoch milliseconds when the text stands there. */
const whenShown = (text: string): Promise<number> =>
  new Promise((resolve) => {
    const isThere = (): boolean => document.querySelector('main')?.textContent?.includes(text) === true;
    const watching = new MutationObserver(() => {
      if (!isThere()) return;
      watching.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    });
    watching.observe(document.body, { childList: true, subtree: true, characterData: true });
  });

/** The person looks at the list of agents, while somebody else changes the name of one. */
export const benchShowing = async (
  chromium: Chromium,
  platform: MeasuredPlatform,
  person: Person,
  times: number,
): Promise<void> => {
  const client = new Client(platform.api, 1);
  const headers = { 'x-api-key': platform.apiKey };
  const change = (name: string) =>
    client.send('/agents', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, isActive: true, templateId: null }),
    });
  await change('Before');
  const { page, leave } = await openedAs(chromium, { url: platform.url, path: '/agents' }, person);
  try {
    await page.getByText('Before').first().waitFor();
    const delays: number[] = [];
    tell(`${times} changes, each after a quiet second`);
    for (let of = 0; of < times; of += 1) {
      const name = `Change ${of} of ${times}`;
      const there = page.evaluate(whenShown, name);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const asked = Date.now();
      await change(name);
      delays.push((await there) - asked);
    }
    const p99 = percentile(delays, 0.99);
    showTable(
      ['from the request of a change to the screen of somebody else', ''],
      [
        ['p50 ms', shown(percentile(delays, 0.5))],
        [`p99 ms, goal ${goalMs}`, `${shown(p99)} ${met(p99 < goalMs)}`],
      ],
    );
  } finally {
    client.close();
    await leave();
  }
};
