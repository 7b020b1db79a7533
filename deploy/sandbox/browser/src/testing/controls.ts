// Controls of a screen that ask an operation, as the page offers them, and what the interface document says of the operation.
import type { Page } from 'playwright-core';

export interface Control {
  readonly operation: string;
  readonly enabled: boolean;
}

export interface MenuEntry extends Partial<Control> {
  readonly label: string;
  readonly enabled: boolean;
}

/** Controls that carry `data-operation`. A button may also wait for a choice; only a lacking permission counts here. */
export const controlsOf = (page: Page): Promise<readonly Control[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-operation]')].map((element) => ({
      operation: element.dataset.operation ?? '',
      enabled:
        element instanceof HTMLButtonElement && element.type === 'submit'
          ? !element.disabled && element.getAttribute('aria-disabled') !== 'true'
          : element.getAttribute('aria-disabled') !== 'true',
    })),
  );

/** Opens the menu of each record in turn, and reads it. Records of one screen are alike, so the first of them is enough. */
export const menuOf = async (page: Page): Promise<readonly MenuEntry[]> => {
  const [opener] = await page.getByRole('button', { name: /^Actions for / }).all();
  if (opener === undefined) return [];
  await opener.click();
  await page.getByRole('menu').waitFor();
  const entries = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role^=menuitem]')].map((element) => ({
      label: element.innerText.split('\n')[0] ?? '',
      enabled: element.dataset.disabled === undefined,
      ...(element.dataset.operation === undefined ? {} : { operation: element.dataset.operation }),
    })),
  );
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return entries;
};

interface Documented {
  readonly operationId: string;
  readonly 'x-permissions'?: { readonly anyOf?: readonly string[]; readonly allOf?: readonly string[] };
  readonly 'x-who'?: string;
}

/**
 * Reads from the published document which operations a person may ask.
 * @param permissions of the person's role; owners and admins may ask more than their permissions say
 */
export const allowedBy = async (
  api: string,
  permissions: readonly string[],
): Promise<(operation: string) => boolean> => {
  const answer = await fetch(`${api}/docs.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Documented>> }; // an OpenAPI document
  const rows = new Map(
    Object.values(paths)
      .flatMap((path) => Object.values(path))
      .map((row) => [row.operationId, row]),
  );
  return (operation) => {
    const row = rows.get(operation);
    if (row === undefined) throw new Error(`the document has no ${operation}`);
    const { 'x-permissions': needed, 'x-who': who } = row;
    if (needed?.anyOf !== undefined) return needed.anyOf.some((one) => permissions.includes(one));
    // Rows that want all of several permissions want an owner or admin beside them.
    return needed?.allOf === undefined && who !== 'ownerOrAdmin';
  };
};
