// The part of a configuration that says what to find out. A saved version never changes, so that it is requested once.
import { type Caller, type Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';

export type SettingsOfCall = Result<(typeof serviceRequests)['agentsAnalysisSettings']>;

interface AgentVersion {
  readonly organizationId: string;
  readonly agentId: string;
  readonly version: number | null;
  readonly requestId: string;
}

export interface AnalysisSettingsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
}

const currentForMs = 60_000;
/** A first configuration may be saved at any time. */
const missingForMs = 1_000;
/** There is no such agent or version any more, or there never was. */
const missing: ReadonlySet<string> = new Set(['AGENT_NOT_FOUND', 'CONFIG_NOT_FOUND', 'VALIDATION_ERROR']);

export class AnalysisSettingsReader {
  readonly #options: AnalysisSettingsOptions;
  readonly #cache = new LRUCache<string, { readonly settings: SettingsOfCall | undefined }>({ max: 2_000 });

  constructor(options: AnalysisSettingsOptions) {
    this.#options = options;
  }

  /**
   * Undefined where the agent or the version is gone.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer
   */
  async find({
    organizationId,
    agentId,
    version,
    requestId,
  }: AgentVersion): Promise<SettingsOfCall | undefined> {
    const key = `${organizationId} ${agentId} ${version}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.settings;
    const caller = this.#options.callerFor(organizationId);
    try {
      const { data } = await this.#options.rpc.call(
        serviceRequests.agentsAnalysisSettings,
        { body: { agentId, version } },
        { caller, requestId },
      );
      this.#cache.set(key, { settings: data }, version === null ? { ttl: currentForMs } : {});
      return data;
    } catch (error) {
      if (!(error instanceof AppError && missing.has(error.code))) throw error;
      this.#cache.set(key, { settings: undefined }, { ttl: missingForMs });
      return undefined;
    }
  }
}
