// Models and voices of organizations: list, add, change, delete.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type ModelUpdate,
  type OrganizationModel,
  type Result,
  type serviceRequests,
} from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { type NoteSecrets, savingSecrets, secretsInUse } from '@parlance/service-host';
import { Parts } from '../parts.js';
import { forService, idOf, type ModelDocument, type ModelRow, originOf, toModel } from './model-record.js';
import { checkModel } from './model-rules.js';
import { secretOfModel, usesOf } from './model-secret.js';
import { refuseLosingVoices, refuseWhileUsed, usersOfModels } from './model-use.js';
import {
  countModels,
  deleteModel,
  getModel,
  insertModel,
  listModels,
  lockAdditions,
  lockModel,
  modelsWith,
  updateModel,
} from './models-repository.js';

type Contract = typeof contract;
type References = (typeof serviceRequests)['modelsSecretReferences'];
type Models = (typeof serviceRequests)['agentsModels'];

interface Credential {
  readonly secret_id: string | null;
  readonly secret_origin: string | null;
}

/**
 * The secret of a changed model, bound to the origin that it is sent to.
 * @param secretId null: none; undefined: the present one
 * @throws AppError VALIDATION_ERROR for a new origin without the secret
 */
const credentialOf = (
  baseUrl: string,
  secretId: string | null | undefined,
  before: Credential = { secret_id: null, secret_origin: null },
): Credential => {
  const origin = originOf(baseUrl);
  const id = secretId === undefined ? before.secret_id : secretId;
  if (id === null) return { secret_id: null, secret_origin: null };
  const credential = { secret_id: id, secret_origin: origin };
  if (id === before.secret_id && origin === before.secret_origin) return credential;
  if (secretId === undefined) {
    const message = `is needed again: the secret was given for ${before.secret_origin}, not for ${origin}`;
    throw validationError([{ path: 'body.secretId', code: 'custom', message }]);
  }
  return credential;
};

/** The document with the fields that the change has. */
const changed = (document: ModelDocument, change: Omit<ModelUpdate, 'secretId'>): ModelDocument => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...document, ...Object.fromEntries(given) };
};

@Controller()
@Serves()
export class ModelsController {
  constructor(private readonly parts: Parts) {}

  async 'models.list'({
    query,
    caller: { organizationId },
  }: RpcRequest<Contract['modelsList']>): Promise<Answer<OrganizationModel[]>> {
    const { db, cursors } = this.parts;
    const scope = { organizationId, route: 'models.list', filters: {} };
    const { rows, next } = await cursors.page(scope, query, (keyset) =>
      listModels(db, organizationId, keyset),
    );
    const usersOf = await usersOfModels(db, organizationId);
    return answer(
      rows.map((row) => toModel(row, usersOf(row))),
      next,
    );
  }

  async 'models.get'({
    params: { modelName },
    caller: { organizationId },
  }: RpcRequest<Contract['modelsGet']>): Promise<OrganizationModel> {
    const row = await getModel(this.parts.db, organizationId, modelName);
    return toModel(row, (await usersOfModels(this.parts.db, organizationId))(row));
  }

  async 'models.create'({
    body: { id: modelId, secretId, ...body },
    caller,
    commandId,
    requestId,
  }: RpcRequest<Contract['modelsCreate']>): Promise<OrganizationModel> {
    const { organizationId } = caller;
    const { catalogs, urls, clock, ids, maxModels } = this.parts;
    // Under an Idempotency-Key the command's id is the model's, so that a second try finds the model of the first one.
    const id = commandId ?? ids.next();
    const name = modelId.slice('custom/'.length);
    return savingSecrets(this.parts, { organizationId, requestId }, async (tx, note) => {
      await refuseClosed(tx, organizationId);
      await lockAdditions(tx, organizationId);
      const catalog = await catalogs.of(tx, organizationId);
      const document = checkModel(modelId, body, { catalog, urls });
      const credential = credentialOf(document.baseUrl, secretId);
      const row = {
        id,
        organization_id: organizationId,
        name,
        document,
        created_at: clock.now(),
        ...credential,
      };
      if (this.#isOfInstallation(modelId)) throw new AppError('NAME_TAKEN');
      const inserted = await insertModel(tx, row);
      if (!inserted) return toModel(await this.#madeBefore(organizationId, name, id), []);
      if ((await countModels(tx, organizationId)) > maxModels)
        throw new AppError('LIMIT_TOO_HIGH', { details: { maxModels } });
      await this.#note(note, caller, inserted);
      return toModel(inserted, []);
    });
  }

  async 'models.update'({
    params: { modelName },
    body: { secretId, ...change },
    caller,
    requestId,
  }: RpcRequest<Contract['modelsUpdate']>): Promise<OrganizationModel> {
    const { organizationId } = caller;
    const { catalogs, urls, clock } = this.parts;
    return savingSecrets(this.parts, { organizationId, requestId }, async (tx, note) => {
      const before = await lockModel(tx, organizationId, modelName);
      const catalog = await catalogs.of(tx, organizationId);
      const document = checkModel(idOf(before), changed(before.document, change), { catalog, urls });
      await refuseLosingVoices(tx, before, document.voices);
      const credential = credentialOf(document.baseUrl, secretId, before);
      const row = { ...before, document, ...credential, updated_at: clock.now() };
      const isNew = row.secret_id !== before.secret_id || row.secret_origin !== before.secret_origin;
      if (isNew) await this.#note(note, caller, row);
      await updateModel(tx, row);
      return toModel(row, (await usersOfModels(tx, organizationId))(row));
    });
  }

  async 'models.delete'({
    params: { modelName },
    caller: { organizationId },
  }: RpcRequest<Contract['modelsDelete']>): Promise<null> {
    await this.parts.db.transaction(async (tx) => {
      // A save of a configuration holds the models until it is done, so that one of the two wins.
      const row = await lockModel(tx, organizationId, modelName);
      await refuseWhileUsed(tx, row);
      // Tools-secrets notices when the secret is to be deleted.
      await deleteModel(tx, organizationId, row.id);
    });
    return null;
  }

  async 'models.secretReferences'({
    body: { modelId },
    caller: { organizationId },
  }: RpcRequest<References>): Promise<Result<References>> {
    const resource = { organizationId, type: 'model', id: modelId } as const;
    return secretsInUse(this.parts.db, resource, (tx) => secretOfModel(tx, organizationId, modelId));
  }

  async 'agents.models'({
    body: { ids },
    caller: { organizationId },
  }: RpcRequest<Models>): Promise<Result<Models>> {
    return (await modelsWith(this.parts.db, organizationId, ids)).map(forService);
  }

  #isOfInstallation(id: string): boolean {
    const { sttModels, llmModels, ttsModels } = this.parts.catalogs.installation;
    return [...sttModels, ...llmModels, ...ttsModels].some((model) => model.id === id);
  }

  /** @throws AppError NAME_TAKEN for a model that another command made */
  async #madeBefore(organizationId: string, name: string, id: string): Promise<ModelRow> {
    const row = await getModel(this.parts.db, organizationId, name).catch(() => undefined);
    if (row?.id !== id) throw new AppError('NAME_TAKEN');
    return row;
  }

  /** @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED */
  async #note(note: NoteSecrets, { permissions }: Caller, row: ModelRow): Promise<void> {
    if (row.secret_id === null) return;
    const user = { id: row.id, type: 'model', name: idOf(row) } as const;
    const mayAllow = permissions.includes('secrets:use');
    await note({ user, ids: [row.secret_id], names: [], uses: usesOf(row), mayAllow });
  }
}
