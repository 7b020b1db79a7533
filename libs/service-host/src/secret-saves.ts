// Saves of resources that mention secrets. tools-secrets has to note the mentions before the save is committed, so that none of
// the secrets is deleted in between, and no transaction may be open while it is asked. A row in `secret_saves` stands for the lock
// that this would need: it is written before the request and deleted by the transaction of the save. While it is there, the
// mentions of the save count as those of the resource.
import { type Caller, type RequestOf, type SecretUses, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import { type Database, inLocked, type Tx } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';

export type SecretsOfSave = RequestOf<typeof serviceRequests.secretsRefer>['body'];
export type MentioningType = SecretsOfSave['user']['type'];

export interface SecretSaveParts {
  readonly db: Database;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly ids: Ids;
}

/** Has the transaction at hand save a resource with these mentions. */
export type NoteSecrets = (secrets: SecretsOfSave) => Promise<void>;

/** The secrets that a resource mentions, as tools-secrets asks for them. */
export interface SecretsInUse {
  readonly ids: string[];
  readonly names: string[];
  readonly uses: SecretUses;
  readonly name: string;
}

/** A save that takes longer from its note to its transaction fails. */
const saveWithinSeconds = 20;
/** A transaction that has deleted its row in time is over by then. */
const keptAfterSeconds = 60;
/** A save notes once; again where the resource changed in between, and the save mentions other secrets now. */
const maxNotes = 3;
const forgottenAtOnce = 100;

interface Noted {
  readonly id: string;
  readonly secrets: SecretsOfSave;
}

const isWithin = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((value) => whole.includes(value));

/** True when a note of `noted` covers a save that mentions `secrets`. */
export const covers = (noted: SecretsOfSave, secrets: SecretsOfSave): boolean =>
  noted.user.type === secrets.user.type &&
  noted.user.id === secrets.user.id &&
  noted.mayAllow === secrets.mayAllow &&
  isWithin(secrets.ids, noted.ids) &&
  isWithin(secrets.names, noted.names) &&
  (secrets.uses ?? []).every(({ origin, ids, names }) =>
    (noted.uses ?? []).some(
      (use) => use.origin === origin && isWithin(ids, use.ids) && isWithin(names, use.names),
    ),
  );

/** A row that cannot be deleted now ends by itself. */
const forget = async (db: Database, id: string): Promise<void> => {
  await db.query('delete from secret_saves where id = $1', [id]).catch(() => undefined);
};

const begin = async (
  { db, ids }: SecretSaveParts,
  organizationId: string,
  secrets: SecretsOfSave,
): Promise<Noted> => {
  const id = ids.next();
  await db.query(
    `with forgotten as (
       delete from secret_saves where ${inLocked(
         {
           table: 'secret_saves',
           where: `until < now() - interval '${keptAfterSeconds} seconds'`,
           order: 'until',
         },
         forgottenAtOnce,
       )})
     insert into secret_saves (id, organization_id, user_type, user_id, secrets, until)
     values ($1, $2, $3, $4, $5, now() + interval '${saveWithinSeconds} seconds')`,
    [id, organizationId, secrets.user.type, secrets.user.id, JSON.stringify(secrets)],
  );
  return { id, secrets };
};

/** @throws AppError SERVICE_UNAVAILABLE for a save that took too long: nothing is saved then */
const end = async (tx: Tx, { id }: Noted): Promise<void> => {
  const { rowCount } = await tx.query(
    'delete from secret_saves where id = $1 and until > clock_timestamp()',
    [id],
  );
  if (rowCount === 0) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
};

/**
 * Runs the transaction of a save. `note` notes the secrets at tools-secrets: for this, the transaction is rolled back and runs anew
 * after the request, so `work` must have no effect outside of it. A save that fails after the note leaves mentions behind, which
 * tools-secrets asks for later.
 * @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while tools-secrets does
 *   not answer; CONFLICT when the resource changes over and over
 */
export const savingSecrets = async <T>(
  parts: SecretSaveParts,
  { organizationId, requestId }: { readonly organizationId: string; readonly requestId: string },
  work: (tx: Tx, note: NoteSecrets) => Promise<T>,
): Promise<T> => {
  const { db, rpc, callerFor } = parts;
  let noted: Noted | undefined;
  for (let notes = 0; ; notes += 1) {
    let missing: SecretsOfSave | undefined;
    const current = noted;
    try {
      return await db.transaction((tx) =>
        work(tx, async (secrets) => {
          if (secrets.ids.length + secrets.names.length === 0) return;
          if (current !== undefined && covers(current.secrets, secrets)) return end(tx, current);
          missing = secrets;
          throw new AppError('CONFLICT');
        }),
      );
    } catch (error) {
      if (current !== undefined) await forget(db, current.id);
      if (missing === undefined || notes === maxNotes) throw error;
    }
    noted = await begin(parts, organizationId, missing);
    try {
      const context = { caller: callerFor(organizationId), requestId };
      await rpc.call(serviceRequests.secretsRefer, { body: missing }, context);
    } catch (error) {
      await forget(db, noted.id);
      throw error;
    }
  }
};

const savesOf = async (
  tx: Tx,
  organizationId: string,
  type: MentioningType,
  id: string,
): Promise<SecretsOfSave[]> => {
  const { rows } = await tx.query<{ secrets: SecretsOfSave }>(
    `select secrets from secret_saves
     where organization_id = $1 and user_type = $2 and user_id = $3
       and until > now() - interval '${keptAfterSeconds} seconds'`,
    [organizationId, type, id],
  );
  return rows.map(({ secrets }) => secrets);
};

/**
 * The secrets that the resource mentions, with those of saves under way.
 * @param read the mentions of the stored resource; it fails with an AppError for one that does not exist
 */
export const secretsInUse = (
  db: Database,
  {
    organizationId,
    type,
    id,
  }: { readonly organizationId: string; readonly type: MentioningType; readonly id: string },
  read: (tx: Tx) => Promise<SecretsInUse>,
): Promise<SecretsInUse> =>
  db.transaction(async (tx) => {
    // Read first: a save that is committed in between is missed here and found in the stored resource.
    const saves = await savesOf(tx, organizationId, type, id);
    const stored = await read(tx).catch((error: unknown): SecretsInUse => {
      const [save] = saves;
      if (save === undefined || !(error instanceof AppError)) throw error;
      return { ids: [], names: [], uses: [], name: save.user.name };
    });
    return {
      ids: [...new Set([...stored.ids, ...saves.flatMap(({ ids }) => ids)])],
      names: [...new Set([...stored.names, ...saves.flatMap(({ names }) => names)])],
      uses: [...stored.uses, ...saves.flatMap(({ uses = [] }) => uses)],
      name: stored.name,
    };
  });
