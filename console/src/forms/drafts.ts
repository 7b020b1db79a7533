// Drafts: typed values that are not sent yet, in the storage of this tab. A reload or an expired session loses nothing. Each draft
// belongs to the person and the organization that it was typed for. The next person at the same tab does not see it.

const prefix = 'parlance.draft.';

type Values = Readonly<Record<string, unknown>>;

interface Kept {
  readonly owner: string;
  readonly values: Values;
}

/** Owner of drafts that are typed before a sign-in. */
export const guest = 'guest';

const storage = (): Storage | undefined => {
  try {
    return globalThis.sessionStorage;
  } catch {
    // The browser may forbid storage; the form works without drafts then.
    return undefined;
  }
};

const isRecord = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Undefined for a text that no present form has kept. */
const keptIn = (text: string | null | undefined): Kept | undefined => {
  if (text === null || text === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isRecord(kept) || typeof kept.owner !== 'string' || !isRecord(kept.values)) return undefined;
    return { owner: kept.owner, values: kept.values };
  } catch {
    return undefined;
  }
};

const dropWhere = (isMeant: (text: string | null) => boolean): void => {
  const all = storage();
  const keys = Array.from({ length: all?.length ?? 0 }, (_, index) => all?.key(index) ?? '');
  for (const key of keys)
    if (key.startsWith(prefix) && isMeant(all?.getItem(key) ?? null)) all?.removeItem(key);
};

/** Grows when somebody leaves: a form that is still open then keeps nothing any more. */
let era = 0;

export interface Draft {
  /** Undefined where there is none of this owner, or none that can be read. */
  readonly read: () => Values | undefined;
  /** @param omit fields that are never kept, such as passwords */
  readonly keep: (values: Values, omit?: readonly string[]) => void;
  readonly drop: () => void;
}

/** The draft of one form, for the person who has opened the form. */
export const draftOf = (name: string, owner: string): Draft => {
  const [key, opened] = [prefix + name, era];
  return {
    read: () => {
      // A stranger may be the same person, whose session has ended and who comes back.
      if (owner !== guest) dropWhere((text) => keptIn(text)?.owner !== owner);
      const kept = keptIn(storage()?.getItem(key));
      return kept?.owner === owner ? kept.values : undefined;
    },
    keep: (values, omit = []) => {
      if (era !== opened) return;
      const named = Object.entries(values).filter(([field]) => !omit.includes(field));
      try {
        storage()?.setItem(key, JSON.stringify({ owner, values: Object.fromEntries(named) } satisfies Kept));
      } catch {
        // A full storage keeps no draft; the form goes on.
      }
    },
    drop: () => storage()?.removeItem(key),
  };
};

/** Signing out leaves nothing of one person for the next. */
export const dropAllDrafts = (): void => {
  era += 1;
  dropWhere(() => true);
};
