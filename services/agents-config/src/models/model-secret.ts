import type { SecretUses } from '@parlance/contracts';
import type { ReadSecretsInUse } from '@parlance/service-host';
import { idOf, type ModelRow } from './model-record.js';
import { lockAdditions, lockModelById } from './models-repository.js';

/** Where a model sends its secret. */
export const usesOf = ({
  secret_id: id,
  secret_origin: origin,
}: Pick<ModelRow, 'secret_id' | 'secret_origin'>): SecretUses =>
  id === null || origin === null ? [] : [{ origin, ids: [id], names: [] }];

/** @throws AppError MODEL_NOT_FOUND */
export const secretOfModel: ReadSecretsInUse = async (tx, organizationId, modelId) => {
  // A release before holds both locks for the whole of a save, instead of noting it.
  await lockAdditions(tx, organizationId);
  const row = await lockModelById(tx, organizationId, modelId);
  const ids = row.secret_id === null ? [] : [row.secret_id];
  return { ids, names: [], uses: usesOf(row), name: idOf(row) };
};
