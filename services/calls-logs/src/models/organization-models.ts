// The models that organizations bring: their prices for the cost of a call, and their endpoints for its analysis. Nothing is
// kept, because prices and keys change.
import { type Caller, type IngestInput, type ModelForService, serviceRequests } from '@parlance/contracts';
import {
  mayBeOfOrganization,
  type OrganizationModels,
  openModels,
  type SecretSource,
} from '@parlance/models';
import type { RpcClient } from '@parlance/rpc';
import type { ModelPrices } from '../hand-over/pricing.js';

export interface ModelsOfOrganizationsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly secrets: SecretSource;
  /** Prices of the installation's models. */
  readonly prices: ModelPrices;
}

export class ModelsOfOrganizations {
  readonly #options: ModelsOfOrganizationsOptions;

  constructor(options: ModelsOfOrganizationsOptions) {
    this.#options = options;
  }

  /**
   * The prices that the usage of a call is priced with.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer
   */
  async pricesFor(
    { organizationId, usage }: Pick<IngestInput, 'organizationId' | 'usage'>,
    requestId: string,
  ): Promise<ModelPrices> {
    const { prices } = this.#options;
    const ids = [...new Set(usage.flatMap(({ model }) => model ?? []))].filter(mayBeOfOrganization);
    const own = new Map(
      (await this.#find(organizationId, ids, requestId)).map((model) => [model.id, model.prices]),
    );
    if (own.size === 0) return prices;
    return {
      version: `${prices.version}, own`,
      pricesOf: (id) => (own.has(id) ? (own.get(id) ?? undefined) : prices.pricesOf(id)),
    };
  }

  /**
   * Undefined where the model is not the organization's.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while a service does not answer
   */
  async endpoints(
    organizationId: string,
    model: string,
    requestId: string,
  ): Promise<OrganizationModels | undefined> {
    const models = await this.#find(organizationId, [model].filter(mayBeOfOrganization), requestId);
    return models.length === 0 ? undefined : openModels(this.#options.secrets, organizationId, models);
  }

  async #find(
    organizationId: string,
    ids: readonly string[],
    requestId: string,
  ): Promise<readonly ModelForService[]> {
    if (ids.length === 0) return [];
    const { rpc, callerFor } = this.#options;
    const { data } = await rpc.call(
      serviceRequests.agentsModels,
      // More than a call can have; the rest is priced by its kind.
      { body: { ids: ids.slice(0, 100) } },
      { caller: callerFor(organizationId), requestId },
    );
    return data;
  }
}
