// Controls of a screen that ask an operation, as the page offers them. The interface document has the permissions of the operation.
import type { Page } from 'playwright-core';

export interface Control {
  readonly operation: string;
  /** The sentence that tells the reason against the control; undefined where nothing is in the way. */
  readonly reason: string | undefined;
}

/**
 * A button may also wait for a change or a choice, which says nothing of permissions.
 * @returns true where the reason is the role of the person
 */
export const isOfRole = (reason: string | undefined): boolean =>
  reason !== undefined && /^(?:Only an owner or admin can do this|Your role \()/.test(reason);

/** Controls that carry `data-operation`. */
export const controlsOf = (page: Page): Promise<readonly Control[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-operation]')].map((element) => {
      const described = element.getAttribute('aria-describedby') ?? '';
      const reason = document.getElementById(described)?.textContent ?? undefined;
      return {
        operation: element.dataset.operation ?? '',
        reason: element.getAttribute('aria-disabled') === 'true' ? (reason ?? '') : undefined,
      };
    }),
  );

/** The entries of the menu of the first record that ask an operation: records of one screen are alike. */
export const menuOf = async (page: Page): Promise<readonly Control[]> => {
  const [opener] = await page.getByRole('button', { name: /^Actions for / }).all();
  if (opener === undefined) return [];
  await opener.click();
  await page.getByRole('menu').waitFor();
  const entries = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role^=menuitem][data-operation]')].map((element) => ({
      operation: element.dataset.operation ?? '',
      // The reason stands below the label.
      reason:
        element.dataset.disabled === undefined ? undefined : element.innerText.split('\n').slice(1).join(' '),
    })),
  );
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return entries;
};

interface Documented {
  readonly operationId: string;
  readonly 'x-permissions'?: { readonly any?: readonly string[]; readonly all?: readonly string[] };
  readonly 'x-permission-of-members'?: string;
  readonly 'x-who'?: string;
}

/**
 * Reads from the published document which operations a person may ask.
 * @param permissions of the role
 */
export const allowedBy = async (
  api: string,
  role: string,
  permissions: readonly string[],
): Promise<(operation: string) => boolean> => {
  const answer = await fetch(`${api}/docs.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Documented>> }; // an OpenAPI document
  const rows = new Map(
    Object.values(paths)
      .flatMap((path) => Object.values(path))
      .map((row) => [row.operationId, row]),
  );
  const leads = role === 'owner' || role === 'admin';
  return (operation) => {
    const row = rows.get(operation);
    if (row === undefined) throw new Error(`the document has no ${operation}`);
    const { 'x-permissions': needed, 'x-permission-of-members': acting, 'x-who': who } = row;
    const holds = (one: string): boolean => permissions.includes(one);
    if (acting !== undefined) return holds(acting);
    if (needed?.any !== undefined) return needed.any.some(holds);
    // Rows that want all of several permissions want an owner or admin beside them.
    if (needed?.all !== undefined) return leads && needed.all.every(holds);
    return who !== 'ownerOrAdmin' || leads;
  };
};
