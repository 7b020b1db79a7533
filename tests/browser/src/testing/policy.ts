// Shows that a policy has stopped nothing: one thing is stopped on purpose, and its report has to be the only one.
import { expect } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import type { Site } from '../page/site.js';
import type { Visit } from '../page/visit.js';

const probe = 'http://127.0.0.1:9/probe-';
let probes = 0;

/** @param before number of reports on the site when the page was opened */
export const expectNothingStopped = async (page: Page, site: Site, before: number): Promise<void> => {
  probes += 1;
  // Nothing listens there, and the policy stops the request before it is sent.
  const blocked = `${probe}${probes}`;
  await page.evaluate((address) => fetch(address).catch(() => undefined), blocked);
  await eventually(() => {
    expect(
      site
        .violations()
        .slice(before)
        .some((one) => one.blocked === blocked),
    ).toBe(true);
  });
  expect(site.violations().slice(before)).toEqual([{ directive: 'connect-src', blocked }]);
};

/** Strangers that the page asked for, without the probes of this file. */
export const strangersOf = (visitor: Visit): readonly string[] =>
  visitor.strangers().filter((url) => !url.startsWith(probe));
