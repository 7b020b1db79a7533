// The models of one call for its voice runtime, with their keys sealed for it.
import { Controller } from '@nestjs/common';
import type { contract, ModelForCall } from '@parlance/contracts';
import { CannotOpen } from '@parlance/crypto';
import { AppError, validationError } from '@parlance/errors';
import { openModels, sealModelKey } from '@parlance/models';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { getAgent } from '../agents/agents-repository.js';
import { getStoredConfiguration } from '../configuration/configurations-repository.js';
import { Parts } from '../parts.js';
import { forService } from './model-record.js';
import { modelsWith } from './models-repository.js';

type ForCall = (typeof contract)['modelsForCall'];

@Controller()
@Serves()
export class CallModelsController {
  constructor(private readonly parts: Parts) {}

  async 'models.forCall'({
    params: { callId },
    body: { publicKey, version },
    caller: { organizationId, actor },
  }: RpcRequest<ForCall>): Promise<ModelForCall[]> {
    const { db, secrets } = this.parts;
    if (actor.type !== 'call') throw new AppError('UNAUTHENTICATED');
    const { id } = await getAgent(db, organizationId, actor.agentId);
    const config = await getStoredConfiguration(db, organizationId, id, version);
    const rows = await modelsWith(db, organizationId, [config.sttModel, config.llmModel, config.ttsModel]);
    const { models } = await openModels(secrets, organizationId, rows.map(forService));
    return models.map(({ apiKey, ...model }) => ({
      ...model,
      fallbacks: [...model.fallbacks],
      sealedKey: apiKey === undefined ? null : this.#sealed(publicKey, apiKey, { callId, ...model }),
    }));
  }

  #sealed(...[publicKey, key, model]: Parameters<typeof sealModelKey>): string {
    try {
      return sealModelKey(publicKey, key, model);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      const message = 'is no X25519 public key';
      throw validationError([{ path: 'body.publicKey', code: 'custom', message }]);
    }
  }
}
