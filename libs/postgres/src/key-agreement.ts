// All copies of a process have the same keys. The first one to start leaves fingerprints in the schema of its service, and
// each later start compares its own with them.
import {
  type AcceptKeysEnv,
  type Fingerprint,
  fingerprintsOf,
  keyRefusals,
  type Secret,
  StartRefusal,
  sealingKekId,
} from '@parlance/config';
import type { Logger } from '@parlance/observability';
import type { Database } from './database.js';
import type { Tx } from './tx.js';

interface Row {
  readonly name: string;
  readonly fingerprint: string;
}

/** Fingerprints that the schema keeps, by name. */
export const storedFingerprints = async (tx: Tx): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await tx.query<Row>('select name, fingerprint from key_fingerprints');
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
};

/** Leaves those that are not there yet; a copy that starts at the same time waits for this transaction. */
const leave = async (tx: Tx, own: readonly Fingerprint[]): Promise<void> => {
  const sorted = own.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await tx.query(
    `insert into key_fingerprints (name, fingerprint)
     select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`,
    [sorted.map(({ name }) => name), sorted.map(({ fingerprint }) => fingerprint)],
  );
};

/** The fingerprints that the earlier copies had, held until the end of the transaction. */
const held = async (tx: Tx): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await tx.query<Row>(
    'select name, fingerprint from key_fingerprints order by name for update',
  );
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
};

const replace = (tx: Tx, { name, fingerprint }: Fingerprint) =>
  tx.query('update key_fingerprints set fingerprint = $2, changed_at = now() where name = $1', [
    name,
    fingerprint,
  ]);

/** The schemas among these that have fingerprints. */
const schemasWithFingerprints = async (tx: Tx, schemas: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await tx.query<{ schema: string }>(
    `select schemaname::text as schema from pg_tables where tablename = 'key_fingerprints' and schemaname = any($1)`,
    [schemas],
  );
  return rows.map(({ schema }) => schema);
};

/**
 * Compares the root secret with the one that the processes of an installation were started with, before its derived
 * passwords replace the ones that work.
 * @param schemas of the services
 * @throws StartRefusal in one line
 */
export const refuseOtherRootSecret = async (
  admin: Tx,
  schemas: readonly string[],
  { ROOT_SECRET, ACCEPT_NEW_KEYS }: AcceptKeysEnv & { readonly ROOT_SECRET?: Secret | undefined },
): Promise<void> => {
  const [own] = fingerprintsOf({ ROOT_SECRET });
  if (own === undefined || ACCEPT_NEW_KEYS.includes(own.acceptedAs)) return;
  for (const schema of await schemasWithFingerprints(admin, schemas)) {
    const { rows } = await admin.query<Row>(
      `select name, fingerprint from "${schema}".key_fingerprints where name = $1 and fingerprint <> $2`,
      [own.name, own.fingerprint],
    );
    if (rows.length > 0) throw new StartRefusal(keyRefusals([own]));
  }
};

/**
 * Compares the keys of this process with those of the copies before. A key is exchanged where the one before is given as the
 * previous one, or where ACCEPT_NEW_KEYS names it.
 * @throws StartRefusal, in one line, with each key that is another one; nothing is changed then
 */
export const agreeOnKeys = async (db: Database, env: AcceptKeysEnv, logger?: Logger): Promise<void> => {
  const own = fingerprintsOf(env);
  const changed = await db.transaction(async (tx) => {
    await leave(tx, own);
    const stored = await held(tx);
    const other = own.filter(({ name, fingerprint }) => stored.get(name) !== fingerprint);
    const refused = other.filter(
      ({ name, previous, acceptedAs }) =>
        previous?.includes(stored.get(name) ?? '') !== true && !env.ACCEPT_NEW_KEYS.includes(acceptedAs),
    );
    if (refused.length > 0) {
      const nameBefore = sealingKekId(stored);
      throw new StartRefusal(
        keyRefusals(refused.map((key) => (key.name === 'KEK' ? { ...key, nameBefore } : key))),
      );
    }
    for (const key of other) await replace(tx, key);
    return other.map(({ name }) => name);
  });
  if (changed.length > 0) logger?.warn({ keys: changed }, 'keys were changed');
};
