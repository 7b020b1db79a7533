// The rules of axe, held against a page as it is shown now.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inTime } from './in-time.js';

/** Rule and elements of one fault. */
export interface AccessibilityFault {
  readonly rule: string;
  readonly elements: readonly string[];
}

/**
 * Brings animations to their end: the colors of a part that fades in say nothing. Endless ones are left out. Waiting is not enough.
 * A browser can drop an animation without telling its end, and a page that draws no frame shows the beginning of one.
 */
const settle = async (selector: string): Promise<void> => {
  const moving = (): Animation[] =>
    [...document.querySelectorAll(selector)]
      .flatMap((part) => [
        ...part.getAnimations({ subtree: true }),
        ...(part.shadowRoot?.getAnimations() ?? []),
      ])
      .filter(({ effect, playState }) => {
        const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        return !isEndless && playState !== 'finished';
      });
  const frame = (): Promise<void> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, 200);
    });
  // The end of one part can be the beginning of another one.
  for (let round = 0; round < 5; round += 1) {
    const found = moving();
    if (found.length === 0 && round > 0) return;
    for (const animation of found) animation.finish();
    await frame();
  }
};

/**
 * Faults by the rules of WCAG 2.2 AA and by axe's good practice.
 * @param within selector of the part that is judged
 * @param rules the only ones that are held against it; all of them unless given
 */
export const accessibilityFaults = async (
  page: Page,
  within: string,
  rules?: readonly string[],
): Promise<readonly AccessibilityFault[]> => {
  await inTime(`animations of ${page.url()}`, page.evaluate(settle, within));
  // A policy of the page stops scripts that come as elements; this one comes through the browser's debugger. A page keeps it
  // until the next document.
  if (!(await page.evaluate(() => 'axe' in window)))
    await inTime(`axe for ${page.url()}`, page.evaluate(axe.source));
  const judged = page.evaluate(
    async ([selector, only]) => {
      const { axe: judge } = window as unknown as { readonly axe: typeof axe }; // defined by the line above
      // The size of targets is a rule of WCAG 2.2 AA that axe leaves out unless it is asked for. The rule judges the page at its
      // beginning. A header that stays at the top covers parts that are scrolled below it.
      const which =
        only === undefined ? { rules: { 'target-size': { enabled: true } } } : { runOnly: [...only] };
      const top = window.scrollY;
      window.scrollTo({ top: 0, behavior: 'instant' });
      const { violations } = await judge.run(selector, { resultTypes: ['violations'], ...which });
      window.scrollTo({ top, behavior: 'instant' });
      return violations.map(({ id, nodes }) => ({
        rule: id,
        elements: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
      }));
    },
    [within, rules] as const,
  );
  return inTime(`rules of axe at ${page.url()}`, judged);
};
