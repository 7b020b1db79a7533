// A row of the table `organization_models`, and the model as callers and services read it.
import {
  type ModelForService,
  type ModelInput,
  type OrganizationModel,
  originOfUrl,
} from '@parlance/contracts';

/** The settings of a model, as Postgres holds them. */
export type ModelDocument = Omit<ModelInput, 'id' | 'secretId'>;

export interface ModelRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly document: ModelDocument;
  readonly secret_id: string | null;
  /** The origin that the secret was given for. */
  readonly secret_origin: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const modelColumns =
  'id, organization_id, name, document, secret_id, secret_origin, created_at, updated_at';

/** The id that configurations name. */
export const idOf = ({ name }: Pick<ModelRow, 'name'>): string => `custom/${name}`;

/** The name behind `custom/`; undefined for an id of another form. */
export const nameIn = (id: string): string | undefined =>
  id.startsWith('custom/') ? id.slice('custom/'.length) : undefined;

export const originOf = (baseUrl: string): string => originOfUrl(baseUrl) ?? '';

export const toModel = (row: ModelRow, usedBy: OrganizationModel['usedBy']): OrganizationModel => ({
  id: idOf(row),
  ...row.document,
  secretId: row.secret_id,
  usedBy,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** A secret that was given for another origin is not handed out. */
export const forService = (row: ModelRow): ModelForService => {
  const { kind, baseUrl, model, firstChunkMs, fallbacks, prices } = row.document;
  const isUsable = row.secret_origin === null || row.secret_origin === originOf(baseUrl);
  return {
    id: idOf(row),
    kind,
    baseUrl,
    model,
    firstChunkMs,
    fallbacks,
    prices,
    secretId: isUsable ? row.secret_id : null,
    isUsable,
  };
};
