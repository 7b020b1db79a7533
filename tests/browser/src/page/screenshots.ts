// Pictures for people, in test-artifacts, which Git ignores. On request only: drawing and compressing them takes processor time.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../../test-artifacts/', import.meta.url));

const isRequested = process.env.PARLANCE_TEST_PICTURES === '1';

/**
 * With PARLANCE_TEST_PICTURES=1: keeps a picture of the window, or of the whole page.
 * @param name path within the folder, without its ending
 */
export const keepScreenshot = async (
  page: Page,
  name: string,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<void> => {
  if (!isRequested) return;
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', fullPage: whole });
};
