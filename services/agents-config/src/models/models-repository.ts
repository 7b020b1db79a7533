// Models of organizations in Postgres. Every query names the organization; a model of another one is an unknown model.
import { AppError } from '@parlance/errors';
import type { Keyset, Tx } from '@parlance/postgres';
import { type ModelRow, modelColumns, nameIn } from './model-record.js';

const found = (row: ModelRow | undefined): ModelRow => {
  if (row === undefined) throw new AppError('MODEL_NOT_FOUND');
  return row;
};

/**
 * Until the transaction ends, no model of the organization is added. A row that is being inserted cannot be locked, because no
 * other transaction sees it.
 */
export const lockAdditions = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `organization_models ${organizationId}`,
  ]);
};

/** Undefined when the id or the name is taken. */
export const insertModel = async (
  tx: Tx,
  row: Omit<ModelRow, 'updated_at'>,
): Promise<ModelRow | undefined> => {
  const { rows } = await tx.query<ModelRow>(
    `insert into organization_models (${modelColumns}) values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict do nothing returning ${modelColumns}`,
    [
      row.id,
      row.organization_id,
      row.name,
      JSON.stringify(row.document),
      row.secret_id,
      row.secret_origin,
      row.created_at,
    ],
  );
  return rows[0];
};

export const countModels = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from organization_models where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
};

export const listModels = async (
  tx: Tx,
  organizationId: string,
  { createdAt, id, limit }: Keyset,
): Promise<ModelRow[]> => {
  const { rows } = await tx.query<ModelRow>({
    name: 'list_models',
    text: `select ${modelColumns} from organization_models
           where organization_id = $1 and (created_at, id) < ($2::timestamptz, $3::uuid)
           order by created_at desc, id desc limit $4`,
    values: [organizationId, createdAt, id, limit],
  });
  return rows;
};

/** All models of the organization, the oldest first. */
export const allModels = async (tx: Tx, organizationId: string): Promise<ModelRow[]> => {
  const { rows } = await tx.query<ModelRow>({
    name: 'all_models',
    text: `select ${modelColumns} from organization_models where organization_id = $1 order by created_at, id`,
    values: [organizationId],
  });
  return rows;
};

/** The same, none of which is deleted until the transaction ends. */
export const holdModels = async (tx: Tx, organizationId: string): Promise<ModelRow[]> => {
  const { rows } = await tx.query<ModelRow>(
    `select ${modelColumns} from organization_models where organization_id = $1 order by created_at, id for share`,
    [organizationId],
  );
  return rows;
};

/** The models with these ids, and those that they fall back to. */
export const modelsWith = async (
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<ModelRow[]> => {
  const names = ids.flatMap((id) => nameIn(id) ?? []);
  if (names.length === 0) return [];
  const { rows } = await tx.query<ModelRow>({
    name: 'models_with_fallbacks',
    text: `with named as (
             select ${modelColumns} from organization_models where organization_id = $1 and name = any($2)),
           fallbacks as (select distinct jsonb_array_elements_text(document->'fallbacks') as id from named)
           select ${modelColumns} from organization_models
           where organization_id = $1
             and (name = any($2) or 'custom/' || name in (select id from fallbacks))
           order by created_at, id`,
    values: [organizationId, names],
  });
  return rows;
};

/** @throws AppError MODEL_NOT_FOUND */
export const getModel = async (tx: Tx, organizationId: string, name: string): Promise<ModelRow> => {
  const { rows } = await tx.query<ModelRow>(
    `select ${modelColumns} from organization_models where organization_id = $1 and name = $2`,
    [organizationId, name],
  );
  return found(rows[0]);
};

/** @throws AppError MODEL_NOT_FOUND */
export const lockModel = async (tx: Tx, organizationId: string, name: string): Promise<ModelRow> => {
  const { rows } = await tx.query<ModelRow>(
    `select ${modelColumns} from organization_models where organization_id = $1 and name = $2 for update`,
    [organizationId, name],
  );
  return found(rows[0]);
};

/** @throws AppError MODEL_NOT_FOUND */
export const lockModelById = async (tx: Tx, organizationId: string, id: string): Promise<ModelRow> => {
  const { rows } = await tx.query<ModelRow>(
    `select ${modelColumns} from organization_models where organization_id = $1 and id = $2 for update`,
    [organizationId, id],
  );
  return found(rows[0]);
};

export const updateModel = async (tx: Tx, row: ModelRow): Promise<void> => {
  await tx.query(
    `update organization_models set document = $3, secret_id = $4, secret_origin = $5, updated_at = $6
     where organization_id = $1 and id = $2`,
    [
      row.organization_id,
      row.id,
      JSON.stringify(row.document),
      row.secret_id,
      row.secret_origin,
      row.updated_at,
    ],
  );
};

export const deleteModel = async (tx: Tx, organizationId: string, id: string): Promise<void> => {
  await tx.query('delete from organization_models where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
};
