// The first steps of setting a second factor up, on the page of the account.
import type { Locator, Page } from 'playwright-core';

/** @returns the open dialog, and the secret that it shows for the app */
export const beginSecondFactor = async (
  page: Page,
  password: string,
): Promise<{ readonly dialog: Locator; readonly secret: string }> => {
  await page.getByRole('button', { name: 'Set it up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('img', { name: 'Code for an authenticator app' }).waitFor();
  return { dialog, secret: (await dialog.locator('pre').textContent()) ?? '' };
};
