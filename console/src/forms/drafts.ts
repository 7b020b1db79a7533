// Drafts: typed values that are not sent yet, in the storage of this tab. A reload or an expired session loses nothing.

const prefix = 'parlance.draft.';

type Values = Readonly<Record<string, unknown>>;

const storage = (): Storage | undefined => {
  try {
    return globalThis.sessionStorage;
  } catch {
    // The browser may forbid storage; the form works without drafts then.
    return undefined;
  }
};

/** @returns undefined where there is none, or none that can be read */
export const readDraft = (key: string): Values | undefined => {
  const text = storage()?.getItem(prefix + key);
  if (text === null || text === undefined) return undefined;
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null ? (values as Values) : undefined; // written below
  } catch {
    return undefined;
  }
};

/** @param omit fields that are never kept, such as passwords */
export const keepDraft = (key: string, values: Values, omit: readonly string[] = []): void => {
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !omit.includes(name)));
  try {
    storage()?.setItem(prefix + key, JSON.stringify(kept));
  } catch {
    // A full storage keeps no draft; the form goes on.
  }
};

export const dropDraft = (key: string): void => storage()?.removeItem(prefix + key);

/** Signing out leaves nothing of one person for the next. */
export const dropAllDrafts = (): void => {
  const all = storage();
  for (const key of Object.keys(all ?? {})) if (key.startsWith(prefix)) all?.removeItem(key);
};
