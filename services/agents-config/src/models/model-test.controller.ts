// Sends one small request to a model, and answers what came of it.
import { Controller } from '@nestjs/common';
import type { contract, ModelKind, ModelTest, VoiceCatalog } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { endpointsFor, openModels, voiceNameOf } from '@parlance/models';
import { failedTrial, tryModel } from '@parlance/models/trial';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { forService } from './model-record.js';
import { modelsWith } from './models-repository.js';

type Test = (typeof contract)['modelsTest'];

const kinds = ['llm', 'stt', 'tts'] as const satisfies readonly ModelKind[];

const kindOf = (catalog: VoiceCatalog, modelId: string): ModelKind | undefined =>
  kinds.find((kind) => catalog[`${kind}Models`].some(({ id }) => id === modelId));

/** The server's name of the voice; one of a vendor that has none in the catalog is the protocol's own. */
const voiceOf = ({ voices }: VoiceCatalog, modelId: string, voiceId: string | undefined): string => {
  const ofModel = voices.filter(({ ttsModels }) => ttsModels.includes(modelId));
  const voice = voiceId === undefined ? ofModel[0] : ofModel.find(({ id }) => id === voiceId);
  if (voiceId !== undefined && voice === undefined) {
    const message = 'is no voice of this model';
    throw validationError([{ path: 'body.voiceId', code: 'custom', message }]);
  }
  return voice === undefined ? 'alloy' : voiceNameOf(voice.id);
};

@Controller()
@Serves()
export class ModelTestController {
  constructor(private readonly parts: Parts) {}

  async 'models.test'({
    body: { modelId, voiceId, language = 'en' },
    caller: { organizationId },
  }: RpcRequest<Test>): Promise<ModelTest> {
    const { db, catalogs, secrets, modelKeys, modelsFile, modelEgress } = this.parts;
    const catalog = await catalogs.of(db, organizationId);
    const kind = kindOf(catalog, modelId);
    if (kind === undefined) throw new AppError('MODEL_NOT_FOUND');
    const voice = kind === 'tts' ? voiceOf(catalog, modelId, voiceId) : '';
    const rows = await modelsWith(db, organizationId, [modelId]);
    const own = await openModels(secrets, organizationId, rows.map(forService));
    const { endpoints } = endpointsFor(kind, modelId, modelKeys, modelsFile, own);
    // The fall-backs are not tested with it.
    const endpoint = endpoints.find(({ id }) => id === modelId);
    if (endpoint === undefined) return { modelId, kind, ...failedTrial('KEY_MISSING') };
    if (endpoint.via !== 'openai') return { modelId, kind, ...failedTrial('NOT_TESTABLE') };
    return {
      modelId,
      kind,
      ...(await tryModel(endpoint, { egress: modelEgress.of(endpoint), voice, language })),
    };
  }
}
