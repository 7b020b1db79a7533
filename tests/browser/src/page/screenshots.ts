// Pictures that tests keep for people: in test-artifacts, which Git ignores.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../../test-artifacts/', import.meta.url));

/**
 * Keeps a picture of the window, or of the whole page.
 * @param name path within the folder, without its ending
 */
export const keepScreenshot = async (
  page: Page,
  name: string,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<void> => {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', fullPage: whole });
};
