// The webhook configuration that a call ran with. A saved version never changes, so agents-config is asked about each
// once. The answer is always right, also for versions from before this service listened to any event. No copy needs to
// be kept.
import { type Caller, type Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';

type Configured = Result<(typeof serviceRequests)['agentsPostCallWebhook']>;

/** The receiver of messages about a call, and the values of the agent's placeholders. */
export interface ConfiguredWebhook extends Pick<Configured, 'configuredAt' | 'variables' | 'timezone'> {
  readonly agentId: string;
  readonly webhook: NonNullable<Configured['webhook']>;
}

export interface AgentVersion {
  readonly organizationId: string;
  readonly agentId: string;
  /** Null when no report named one; the version in force stands for it. */
  readonly version: number | null;
}

export interface WebhookConfigurationsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
}

const currentForMs = 60_000;
/** There is no such agent or version, or it never was one. */
const nobody: ReadonlySet<string> = new Set(['AGENT_NOT_FOUND', 'CONFIG_NOT_FOUND', 'VALIDATION_ERROR']);

export class WebhookConfigurations {
  readonly #options: WebhookConfigurationsOptions;
  readonly #cache = new LRUCache<string, { readonly found: ConfiguredWebhook | undefined }>({ max: 5_000 });

  constructor(options: WebhookConfigurationsOptions) {
    this.#options = options;
  }

  /**
   * Undefined where the agent has no enabled webhook.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer
   */
  async find(of: AgentVersion, requestId: string): Promise<ConfiguredWebhook | undefined> {
    const key = `${of.organizationId} ${of.agentId} ${of.version}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.found;
    const found = await this.#ask(of, requestId);
    this.#cache.set(key, { found }, of.version === null ? { ttl: currentForMs } : {});
    return found;
  }

  /** The webhook in force at this moment; undefined where the agent has no enabled one. @throws as `find` does */
  current(of: Omit<AgentVersion, 'version'>, requestId: string): Promise<ConfiguredWebhook | undefined> {
    return this.#ask({ ...of, version: null }, requestId);
  }

  async #ask(
    { organizationId, agentId, version }: AgentVersion,
    requestId: string,
  ): Promise<ConfiguredWebhook | undefined> {
    const caller = this.#options.callerFor(organizationId);
    try {
      const { data } = await this.#options.rpc.call(
        serviceRequests.agentsPostCallWebhook,
        { body: { agentId, version } },
        { caller, requestId },
      );
      const { webhook, configuredAt, variables, timezone } = data;
      return webhook?.enabled ? { agentId, webhook, configuredAt, variables, timezone } : undefined;
    } catch (error) {
      if (error instanceof AppError && nobody.has(error.code)) return undefined;
      throw error;
    }
  }
}
