// Secrets and their versions in Postgres. Every query names the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import { deleteInPieces, type Keyset, type Tx } from '@parlance/postgres';
import { type SecretRow, secretColumns } from './secret-record.js';

export interface NewSecret {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly lastCharacters: string | null;
  readonly allowedOrigins: readonly string[];
  readonly createdBy: string;
  readonly now: Date;
}

export interface NewVersion {
  readonly secretId: string;
  readonly version: number;
  readonly sealed: string;
  readonly commandId: string | undefined;
  readonly now: Date;
}

const found = (row: SecretRow | undefined): SecretRow => {
  if (row === undefined) throw new AppError('SECRET_NOT_FOUND');
  return row;
};

/** Undefined when a secret with this id or this name exists already. */
export const insertSecret = async (
  tx: Tx,
  organizationId: string,
  { id, name, description, lastCharacters, allowedOrigins, createdBy, now }: NewSecret,
): Promise<SecretRow | undefined> => {
  const { rows } = await tx.query<SecretRow>(
    `insert into secrets (id, organization_id, name, description, version, last_characters, allowed_origins, created_by,
       created_at)
     values ($1, $2, $3, $4, 1, $5, $6, $7, $8) on conflict do nothing returning ${secretColumns}`,
    [id, organizationId, name, description, lastCharacters, allowedOrigins, createdBy, now],
  );
  return rows[0];
};

export const insertVersion = async (
  tx: Tx,
  { secretId, version, sealed, commandId, now }: NewVersion,
): Promise<void> => {
  await tx.query(
    `insert into secret_versions (secret_id, version, sealed, command_id, created_at) values ($1, $2, $3, $4, $5)`,
    [secretId, version, sealed, commandId ?? null, now],
  );
};

export const listSecrets = async (
  tx: Tx,
  organizationId: string,
  { createdAt, id, limit }: Keyset,
): Promise<SecretRow[]> => {
  const { rows } = await tx.query<SecretRow>(
    `select ${secretColumns} from secrets
     where organization_id = $1 and (created_at, id) < ($2::timestamptz, $3::uuid)
     order by created_at desc, id desc limit $4`,
    [organizationId, createdAt, id, limit],
  );
  return rows;
};

export const countSecrets = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from secrets where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
};

/** Undefined when the organization has no secret with this id. */
export const findSecret = async (
  tx: Tx,
  organizationId: string,
  secretId: string,
): Promise<SecretRow | undefined> => {
  const { rows } = await tx.query<SecretRow>(
    `select ${secretColumns} from secrets where organization_id = $1 and id = $2`,
    [organizationId, secretId],
  );
  return rows[0];
};

/**
 * The secret, which neither changes nor gains a mention until the transaction ends.
 * @throws AppError SECRET_NOT_FOUND
 */
export const lockSecret = async (tx: Tx, organizationId: string, secretId: string): Promise<SecretRow> => {
  const { rows } = await tx.query<SecretRow>(
    `select ${secretColumns} from secrets where organization_id = $1 and id = $2 for update`,
    [organizationId, secretId],
  );
  return found(rows[0]);
};

/** True when this command has made a version of the secret already. */
export const isMadeBy = async (tx: Tx, secretId: string, commandId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'select 1 from secret_versions where secret_id = $1 and command_id = $2',
    [secretId, commandId],
  );
  return rowCount > 0;
};

/** Deletes the versions before `version`. With `keepPreviousUntil`, the previous version stays good until then. */
export const endVersionsBefore = async (
  tx: Tx,
  secretId: string,
  version: number,
  keepPreviousUntil: Date | null,
): Promise<void> => {
  await tx.query('delete from secret_versions where secret_id = $1 and version < $2', [
    secretId,
    keepPreviousUntil === null ? version : version - 1,
  ]);
  await tx.query('update secret_versions set good_until = $3 where secret_id = $1 and version < $2', [
    secretId,
    version,
    keepPreviousUntil,
  ]);
};

export const setVersion = async (
  tx: Tx,
  organizationId: string,
  secretId: string,
  { version, lastCharacters }: { readonly version: number; readonly lastCharacters: string | null },
): Promise<SecretRow> => {
  const { rows } = await tx.query<SecretRow>(
    `update secrets set version = $3, last_characters = $4
     where organization_id = $1 and id = $2 returning ${secretColumns}`,
    [organizationId, secretId, version, lastCharacters],
  );
  return found(rows[0]);
};

export const setOrigins = async (
  tx: Tx,
  organizationId: string,
  secretId: string,
  origins: readonly string[],
): Promise<SecretRow> => {
  const { rows } = await tx.query<SecretRow>(
    `update secrets set allowed_origins = $3 where organization_id = $1 and id = $2 returning ${secretColumns}`,
    [organizationId, secretId, origins],
  );
  return found(rows[0]);
};

export const deleteSecret = async (tx: Tx, organizationId: string, secretId: string): Promise<void> => {
  await tx.query('delete from secrets where organization_id = $1 and id = $2', [organizationId, secretId]);
};

/** Deletes the versions that are not good any more. @returns the number of deleted versions */
export const deleteEndedVersions = (db: Tx): Promise<number> =>
  deleteInPieces(db, { table: 'secret_versions', where: 'good_until <= now()' });
