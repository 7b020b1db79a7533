// The keys of an organization's models on their way to the voice runtime. Each is sealed for a key pair that the runtime
// makes for one request, and bound to the call, the model and the origin that it may be sent to.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Secret } from '@parlance/config';
import type { ModelForCall } from '@parlance/contracts';
import { CannotOpen, openWith, readBoxKey, sealFor } from '@parlance/crypto';
import type { OrganizationModel, OrganizationModels } from './organization-models.js';

interface ModelOfCall {
  readonly callId: string;
  readonly id: string;
  readonly baseUrl: string;
}

const useOf = ({ callId, id, baseUrl }: ModelOfCall) => ({
  purpose: 'parlance key of a model',
  aad: JSON.stringify(['model', callId, id, new URL(baseUrl).origin]),
});

/** @throws CannotOpen for a `publicKey` that is none */
export const sealModelKey = (publicKey: string, key: Secret, model: ModelOfCall): string =>
  sealFor(readBoxKey(publicKey), Buffer.from(key.reveal()), useOf(model));

/** The key pair of one request for the models of a call. */
export class ModelKeyPair {
  readonly publicKey: string;
  readonly #privateKey: KeyObject;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    this.publicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
    this.#privateKey = privateKey;
  }

  /** A model whose key does not open is not usable. */
  open(
    { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
    models: readonly ModelForCall[],
  ): OrganizationModels {
    return { organizationId, models: models.map((model) => this.#opened(callId, model)) };
  }

  #opened(callId: string, { sealedKey, isUsable, ...model }: ModelForCall): OrganizationModel {
    if (sealedKey === null) return { ...model, apiKey: undefined, isUsable };
    try {
      const key = openWith(this.#privateKey, sealedKey, useOf({ callId, ...model })).toString('utf8');
      return { ...model, apiKey: new Secret(key), isUsable };
    } catch (error) {
      if (error instanceof CannotOpen) return { ...model, apiKey: undefined, isUsable: false };
      throw error;
    }
  }
}
