// Screens of the console, one after the other in one page: their addresses, and the faults of their looks.
import { expect } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../page/accessibility.js';
import { inTime } from '../page/in-time.js';
import { keepScreenshot } from '../page/screenshots.js';
import { desk, narrowest, phone } from './console-world.js';

/** The router of the console, which TanStack Router keeps in this place of a browser. */
interface Router {
  readonly routesByPath: Readonly<Record<string, object>>;
  readonly state: { readonly status: string };
  navigate(to: { readonly href: string }): unknown;
}

/** Paths of all routes that the page has, such as `/agents/$agentId`. */
export const routesOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => Object.keys((Reflect.get(window, '__TSR_ROUTER__') as Router).routesByPath).sort());

/** Nothing of the screen is on its way any more. */
export const untilShown = async (page: Page): Promise<void> => {
  // A dialog takes the rest of the page away from screen readers, so the heading has no role meanwhile.
  await page.locator('h1').first().waitFor();
  await eventually(
    async () =>
      expect(await page.locator('[aria-busy=true], [role=status]:has-text("Loading")').count()).toBe(0),
    { timeoutMs: 30_000, intervalMs: 50 },
  );
};

/** Goes to an address as a link of the page would. */
export const goTo = (page: Page, href: string): Promise<void> => inTime(`the way to ${href}`, go(page, href));

const go = async (page: Page, href: string): Promise<void> => {
  await page.evaluate((to) => {
    void (Reflect.get(window, '__TSR_ROUTER__') as Router).navigate({ href: to });
  }, href);
  const wanted = new URL(href, page.url());
  await eventually(
    async () => {
      const { status, at } = await page.evaluate(() => {
        const { state } = Reflect.get(window, '__TSR_ROUTER__') as Router;
        return { status: state.status, at: location.href };
      });
      const { pathname, searchParams } = new URL(at);
      const here = [...wanted.searchParams.keys()].map((key) => searchParams.get(key));
      expect([status, pathname, ...here]).toEqual(['idle', wanted.pathname, ...wanted.searchParams.values()]);
    },
    { timeoutMs: 30_000, intervalMs: 50 },
  );
  await untilShown(page);
};

/** Runs in the page: resolves after two frames, or after a second where the browser draws none. */
export const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 1_000);
  });

const scrollsSideways = async (page: Page, width: number): Promise<boolean> =>
  (await page.evaluate(() => document.documentElement.scrollWidth)) > width;

/** The part of a screen that stands in the place of records: its title, and the names of its buttons and links. */
export const emptyStatesOf = (
  page: Page,
): Promise<readonly { readonly title: string; readonly ways: readonly string[] }[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-empty]')].map((element) => ({
      title: element.dataset.empty ?? '',
      ways: [...element.querySelectorAll<HTMLElement>('a, button')].map(({ innerText }) => innerText.trim()),
    })),
  );

const sizes = { desk: desk.viewport, phone: phone.viewport } as const;

/** A size of the window, and the colors. */
export interface Look {
  readonly size: keyof typeof sizes;
  readonly colorScheme: 'light' | 'dark';
}

/**
 * The faults of a screen by all rules of axe, in these looks, and its width in windows of every size.
 * @param name of the pictures
 */
export const faultsOf = async (
  page: Page,
  name: string,
  looks: readonly Look[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const { size, colorScheme } of looks) {
    const { width } = sizes[size];
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme });
    const where = `${name}-${colorScheme}-${size}`;
    await inTime(`frames of ${where}`, page.evaluate(drawn));
    for (const { rule, elements } of await accessibilityFaults(page, 'body'))
      faults.push(`${where}: ${rule}: ${elements.join(' | ')}`);
    await keepScreenshot(page, `console/screens/${where}`, { whole: true });
    if (await scrollsSideways(page, width)) faults.push(`${where}: wider than ${width} px`);
  }
  await page.setViewportSize({ ...phone.viewport, width: narrowest });
  if (await scrollsSideways(page, narrowest)) faults.push(`${name}: wider than ${narrowest} px`);
  return faults;
};
