// Requests of the runtime with its internal key: the configuration of a call, and the hand-over of a finished one.
import { type CallContext, ModelForCall, RuntimeConfig } from '@parlance/contracts';
import { ModelKeyPair, mayBeOfOrganization, type OrganizationModels } from '@parlance/models';
import { z } from 'zod';
import type { InboundCall } from './contexts.js';

export interface PlatformOptions {
  /** The address of the gateway for runtimes, such as http://127.0.0.1:4700. */
  readonly url: string;
  readonly internalKey: string;
}

const requestTimeoutMs = 12_000;
/** A person on the phone waits about so long for the first words. */
const configurationForMs = 20_000;
/** The call starts with the operator's models when the organization's cannot be read. */
const modelsForMs = 3_000;
const handOverForMs = 10 * 60_000;
const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** The platform refuses a longer fact; it has the variables and metadata from the dispatch already. */
const longestFact = 4_000;

/** Ends early when the signal aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });

const isFinal = ({ status }: Response): boolean => status !== 429 && status < 500;

interface Attempts {
  readonly forMs: number;
  readonly signal?: AbortSignal | undefined;
}

export class Platform {
  readonly #options: PlatformOptions;

  constructor(options: PlatformOptions) {
    this.#options = options;
  }

  /**
   * Undefined: there is nothing to run, because the agent is gone, inactive, or refuses the call, or calls are too many.
   * @throws Error when the platform does not answer, or answers something else than a configuration
   */
  configuration(call: CallContext, signal?: AbortSignal): Promise<RuntimeConfig | undefined> {
    const facts = {
      callId: call.callId,
      channel: call.channel,
      direction: call.direction,
      callerNumber: call.fromNumber,
      calledNumber: call.toNumber,
      provider: call.provider,
      campaignId: call.campaignId,
      dynamicVariables: JSON.stringify(call.dynamicVariables),
      metadata: JSON.stringify(call.metadata),
    };
    return this.#configuration(`internal-config/${encodeURIComponent(call.agentId)}`, facts, signal);
  }

  /** Undefined: no agent answers the number. @throws Error as `configuration` does */
  configurationOfNumber(call: InboundCall, signal?: AbortSignal): Promise<RuntimeConfig | undefined> {
    const facts = { ...call, channel: 'phone', direction: 'inbound' };
    return this.#configuration(`number-config/${encodeURIComponent(call.calledNumber)}`, facts, signal);
  }

  /**
   * The organization's own models that the call's configuration names, with their keys. Undefined where it names none, or the
   * platform is of a release without them.
   * @throws Error when the platform does not answer, or answers something else
   */
  async models(
    callId: string,
    { agent: { organizationId }, config, runtime }: Pick<RuntimeConfig, 'agent' | 'config' | 'runtime'>,
    signal?: AbortSignal,
  ): Promise<OrganizationModels | undefined> {
    const named = [config.sttModel, config.llmModel, config.ttsModel];
    if (runtime.callToken === null || !named.some(mayBeOfOrganization)) return undefined;
    // A key pair for each request: what was sealed for it opens nowhere else, and never again.
    const keys = new ModelKeyPair();
    const response = await this.#untilFinal(
      `/runtime/calls/${encodeURIComponent(callId)}/models`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${runtime.callToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ publicKey: keys.publicKey, version: config.version }),
      },
      { forMs: modelsForMs, signal },
    );
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`the platform answered ${response.status} to a request for models`);
    const { data } = (await response.json()) as { readonly data?: unknown };
    return keys.open({ organizationId, callId }, z.array(ModelForCall).parse(data));
  }

  /**
   * Hands a finished call over, and repeats it until it is answered.
   * @throws Error when the platform refuses it, or does not answer for ten minutes
   */
  async handOver(call: object): Promise<void> {
    const response = await this.#postCall(call);
    // A platform of release 0.2.0 refuses members that it does not know.
    if (response.status === 400 && 'optedOut' in call) {
      const { optedOut: _optedOut, ...rest } = call;
      return this.handOver(rest);
    }
    if (!response.ok)
      throw new Error(`the platform refused a call: ${response.status} ${await response.text()}`);
  }

  #postCall(call: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(call) };
    return this.#untilFinal('/calls', request, { forMs: handOverForMs });
  }

  async #configuration(
    path: string,
    facts: Readonly<Record<string, string | null>>,
    signal: AbortSignal | undefined,
  ): Promise<RuntimeConfig | undefined> {
    const sent = Object.entries(facts).filter((fact): fact is [string, string] => {
      const [, value] = fact;
      return value !== null && value.length <= longestFact;
    });
    const response = await this.#untilFinal(
      `/agents/${path}?${new URLSearchParams(sent)}`,
      { method: 'GET' },
      { forMs: configurationForMs, signal },
    );
    // More calls than the number may get: this one is not answered.
    if (response.status === 429) return undefined;
    if (!isFinal(response)) throw new Error(`the platform answered ${response.status} to ${path}`);
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as { readonly data?: unknown };
    const found = RuntimeConfig.parse(data);
    return found.initiation?.action === 'reject' ? undefined : found;
  }

  /** Repeats a request that failed on the way, or was answered with 429 or 5xx. */
  async #untilFinal(path: string, init: RequestInit, { forMs, signal }: Attempts): Promise<Response> {
    const deadline = Date.now() + forMs;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const result = await this.#request(path, init, signal);
      if (result instanceof Response && isFinal(result)) return result;
      const retryAfterMs =
        result instanceof Response ? Number(result.headers.get('retry-after')) * 1_000 || 0 : 0;
      const nextMs = Math.max(waitMs, retryAfterMs);
      if (signal?.aborted || Date.now() + nextMs > deadline) {
        if (result instanceof Response) return result;
        throw result;
      }
      await pause(nextMs, signal);
    }
  }

  async #request(
    path: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
  ): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    try {
      return await fetch(`${this.#options.url}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, 'x-internal-key': this.#options.internalKey },
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
