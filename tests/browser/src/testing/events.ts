// The events of every widget of a page, in their order, as the page itself hears them.
import type { Page } from 'playwright-core';

/** A script of the site. `error` does not bubble, so it is heard on its way down. */
export const eventsScript = `'use strict';
window.heardEvents = [];
for (const name of ['call-start', 'transcript', 'ended', 'error'])
  document.addEventListener(name, (event) => {
    if (event.target instanceof Element && event.target.localName === 'voice-agent-widget')
      window.heardEvents.push({ name, widgetId: event.target.getAttribute('widget-id'), detail: event.detail });
  }, true);
`;

export interface HeardEvent {
  readonly name: 'call-start' | 'transcript' | 'ended' | 'error';
  readonly widgetId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const eventsOf = (page: Page): Promise<readonly HeardEvent[]> =>
  page.evaluate(() => Reflect.get(window, 'heardEvents') as readonly HeardEvent[]); // of the script above

/** The details of all events of one name. */
export const detailsOf = async (
  page: Page,
  name: HeardEvent['name'],
): Promise<readonly HeardEvent['detail'][]> =>
  (await eventsOf(page)).flatMap((event) => (event.name === name ? [event.detail] : []));
