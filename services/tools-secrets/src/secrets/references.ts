// Keeps the list of resources that mention secrets. A mention is noted before the resource is saved, in a transaction
// that locks the secret's row. So of a save and a deletion at the same moment, exactly one wins.
import type { ResourceRef, SecretUses } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';

/** Secrets that a resource mentions: by id in `{ secretId }`, by name in `{{secrets.NAME}}`. */
export interface Mentions {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

interface Mentioned {
  readonly id: string;
  readonly name: string;
}

/** Locks the secrets against deletion until the transaction ends, in one order, so that two saves never deadlock. */
const holdSecrets = async (
  tx: Tx,
  organizationId: string,
  { ids, names }: Mentions,
): Promise<Mentioned[]> => {
  const { rows } = await tx.query<Mentioned>(
    `select id, name from secrets
     where organization_id = $1 and (id = any($2::uuid[]) or name = any($3::text[])) order by id for key share`,
    [organizationId, ids, names],
  );
  return rows;
};

const refuseUnknown = ({ ids, names }: Mentions, known: readonly Mentioned[]): void => {
  const knownIds = new Set(known.map(({ id }) => id));
  const knownNames = new Set(known.map(({ name }) => name));
  const unknown = {
    ids: ids.filter((id) => !knownIds.has(id.toLowerCase())),
    names: names.filter((name) => !knownNames.has(name)),
  };
  if (unknown.ids.length + unknown.names.length > 0) {
    throw new AppError('SECRET_NOT_FOUND', { details: { secrets: [...unknown.ids, ...unknown.names] } });
  }
};

const note = async (
  tx: Tx,
  organizationId: string,
  user: ResourceRef,
  secretIds: readonly string[],
): Promise<void> => {
  await tx.query(
    `insert into secret_references (organization_id, user_type, user_id, user_name, secret_id)
     select $1, $2, $3, $4, unnest($5::uuid[])
     on conflict (organization_id, user_type, user_id, secret_id)
       do update set user_name = excluded.user_name, noted = excluded.noted`,
    [organizationId, user.type, user.id, user.name, secretIds],
  );
};

/**
 * Adds mentions to those of the resource. The old mentions stay, because the save may still fail.
 * @throws AppError SECRET_NOT_FOUND
 */
export const addReferences = async (
  tx: Tx,
  organizationId: string,
  user: ResourceRef,
  mentions: Mentions,
): Promise<void> => {
  const known = await holdSecrets(tx, organizationId, mentions);
  refuseUnknown(mentions, known);
  await note(
    tx,
    organizationId,
    user,
    known.map(({ id }) => id),
  );
};

/**
 * Replaces the mentions of the resource, in the transaction that saves it. A deletion of it passes no mentions.
 * @throws AppError SECRET_NOT_FOUND
 */
export const replaceReferences = async (
  tx: Tx,
  organizationId: string,
  user: ResourceRef,
  mentions: Mentions,
): Promise<void> => {
  const known = await holdSecrets(tx, organizationId, mentions);
  refuseUnknown(mentions, known);
  const ids = known.map(({ id }) => id);
  await tx.query(
    `delete from secret_references
     where organization_id = $1 and user_type = $2 and user_id = $3 and secret_id <> all($4::uuid[])`,
    [organizationId, user.type, user.id, ids],
  );
  await note(tx, organizationId, user, ids);
};

/** The next number of the sequence: every mention noted before this moment has a smaller number. */
export const nextNoted = async (tx: Tx): Promise<string> => {
  const { rows } = await tx.query<{ noted: string }>(
    `select nextval('secret_references_noted')::text as noted`,
  );
  return rows[0]?.noted ?? '0';
};

/** The origins of the uses that name the secret, in order. */
export const originsOf = ({ id, name }: Mentioned, uses: SecretUses): string[] => {
  const naming = uses.filter(
    (use) => use.names.includes(name) || use.ids.some((one) => one.toLowerCase() === id),
  );
  return [...new Set(naming.map(({ origin }) => origin))].sort();
};

/**
 * Deletes the mentions that the resource dropped, except mentions noted since `noted`. Updates the origins of the others, and the
 * name of the resource unless it is empty.
 */
export const keepReferences = async (
  tx: Tx,
  organizationId: string,
  user: ResourceRef,
  { noted, uses, ...mentions }: Mentions & { readonly uses: SecretUses; readonly noted: string },
): Promise<void> => {
  const known = await holdSecrets(tx, organizationId, mentions);
  const of = [organizationId, user.type, user.id];
  await tx.query(
    `delete from secret_references
     where organization_id = $1 and user_type = $2 and user_id = $3 and noted < $4 and secret_id <> all($5::uuid[])`,
    [...of, noted, known.map(({ id }) => id)],
  );
  const kept = known.map((secret) => ({ id: secret.id, origins: originsOf(secret, uses) }));
  await tx.query(
    `update secret_references r set user_name = coalesce(nullif($4, ''), r.user_name),
       origins = array(select jsonb_array_elements_text(s.origins)), reported = $5
     from jsonb_to_recordset($6) as s (id uuid, origins jsonb)
     where r.organization_id = $1 and r.user_type = $2 and r.user_id = $3 and r.secret_id = s.id
       and coalesce(r.reported, 0) < $5`,
    [...of, user.name, noted, JSON.stringify(kept)],
  );
};

/** The resources that mention each secret, by the secret's id. */
export const usersOfSecrets = async (
  tx: Tx,
  organizationId: string,
  secretIds: readonly string[],
): Promise<ReadonlyMap<string, ResourceRef[]>> => {
  const { rows } = await tx.query<ResourceRef & { secretId: string }>(
    `select secret_id as "secretId", user_id as id, user_type as type, user_name as name from secret_references
     where organization_id = $1 and secret_id = any($2::uuid[]) order by user_type, user_name, user_id`,
    [organizationId, secretIds],
  );
  const users = new Map<string, ResourceRef[]>();
  for (const { secretId, ...user } of rows) users.set(secretId, [...(users.get(secretId) ?? []), user]);
  return users;
};
