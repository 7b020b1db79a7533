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
 * Waits for the end of animations: the colors of a part that fades in say nothing. Endless animations are left out. So is
 * the rest after two seconds, because a browser can drop an animation without telling its end.
 */
const settled = async (selector: string): Promise<void> => {
  const parts = [...document.querySelectorAll(selector)];
  const moving = parts.flatMap((part) => [
    ...part.getAnimations({ subtree: true }),
    ...(part.shadowRoot?.getAnimations() ?? []),
  ]);
  const ending = moving.filter(
    ({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
  );
  const limit = new Promise((resolve) => setTimeout(resolve, 2_000));
  await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), limit]);
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
  await inTime(`animations of ${page.url()}`, page.evaluate(settled, within));
  // A policy of the page stops scripts that come as elements; this one comes through the browser's debugger.
  await inTime(`axe for ${page.url()}`, page.evaluate(axe.source));
  const judged = page.evaluate(
    async ([selector, only]) => {
      const { axe: judge } = window as unknown as { readonly axe: typeof axe }; // defined by the line above
      const run = async (runOnly: readonly string[] | undefined) => {
        const options = runOnly === undefined ? {} : { runOnly: [...runOnly] };
        return (await judge.run(selector, { resultTypes: ['violations'], ...options })).violations;
      };
      // The size of targets is a rule of WCAG 2.2 AA that axe leaves out unless it is asked for. It is held against the beginning of
      // the page: a header that stays at the top covers a part of what is scrolled below it.
      const sizes = async () => {
        const top = window.scrollY;
        window.scrollTo({ top: 0, behavior: 'instant' });
        const found = await run(['target-size']);
        window.scrollTo({ top, behavior: 'instant' });
        return found;
      };
      const violations = [...(await run(only)), ...(only === undefined ? await sizes() : [])];
      return violations.map(({ id, nodes }) => ({
        rule: id,
        elements: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
      }));
    },
    [within, rules] as const,
  );
  return inTime(`rules of axe at ${page.url()}`, judged);
};
