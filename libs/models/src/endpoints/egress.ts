// The guarded egress to models.
import { Egress } from '@parlance/egress';
import type { ModelsFile } from '../operator/models-file.js';
import type { OpenAiEndpoint } from './endpoint.js';

/** The parsed settings of `egressEnv`. */
export interface ModelEgressEnv {
  readonly EGRESS_ALLOW_PRIVATE: readonly string[];
  readonly EGRESS_DENY: readonly string[];
}

const hostAndPort = (baseUrl: string): string => {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
};

/** The way out to an endpoint. */
export interface ModelGuards {
  readonly of: (endpoint: Pick<OpenAiEndpoint, 'organizationId'>) => Pick<Egress, 'open'>;
}

/** Its owner closes it. */
export class ModelEgress implements ModelGuards {
  readonly #operator: Egress;
  readonly #organizations: Egress;

  constructor(operator: Egress, organizations: Egress) {
    this.#operator = operator;
    this.#organizations = organizations;
  }

  readonly of = ({ organizationId }: Pick<OpenAiEndpoint, 'organizationId'>): Egress =>
    organizationId === undefined ? this.#operator : this.#organizations;

  async close(): Promise<void> {
    await Promise.all([this.#operator.close(), this.#organizations.close()]);
  }
}

/**
 * Vendors and the operator's models are reached through one egress, which allows the addresses of the operator too: they may
 * be inside the network. What organizations chose goes through another, which allows none of them.
 * @param addresses further base URLs of the operator
 */
export const modelEgress = (
  env: ModelEgressEnv,
  { models }: ModelsFile,
  addresses: readonly string[] = [],
): ModelEgress => {
  const deny = env.EGRESS_DENY;
  const inside = [...models.map(({ baseUrl }) => baseUrl), ...addresses].map(hostAndPort);
  return new ModelEgress(
    new Egress({ allowPrivate: [...env.EGRESS_ALLOW_PRIVATE, ...inside], deny }),
    new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny }),
  );
};
