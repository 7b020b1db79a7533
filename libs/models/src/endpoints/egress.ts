// The guarded egress to models.
import { Egress } from '@parlance/egress';
import type { ModelsFile } from '../operator/models-file.js';

/** The parsed settings of `egressEnv`. */
export interface ModelEgressEnv {
  readonly EGRESS_ALLOW_PRIVATE: readonly string[];
  readonly EGRESS_DENY: readonly string[];
}

const hostAndPort = (baseUrl: string): string => {
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
};

/**
 * Allows what the installation's egress allows, and the addresses of the operator's file, which may be inside. It is for
 * models alone: a customer's address must not reach these hosts. Its owner closes it.
 */
export const modelEgress = (env: ModelEgressEnv, { models }: ModelsFile): Egress =>
  new Egress({
    allowPrivate: [...env.EGRESS_ALLOW_PRIVATE, ...models.map(({ baseUrl }) => hostAndPort(baseUrl))],
    deny: env.EGRESS_DENY,
  });
