// Asks an agent's initiation webhook about a call that is about to begin: once, within its budget. The call goes on
// with or without an answer.
import {
  type AgentConfiguration,
  type CallAtStart,
  type CallOfValues,
  type Initiation,
  type InitiationMessage,
  type VoiceCatalog,
  valuesOfCall,
} from '@parlance/contracts';
import { EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import type { Clock, Ids } from '@parlance/observability';
import { type WebhookSender, type WebhookTarget, webhookApiVersion } from '@parlance/webhooks';
import { type StoredConfiguration, shown } from '../configuration/stored-webhooks.js';
import { emptyAnswer, type InitiationAnswer, readAnswer } from './answer.js';
import { applyAnswer } from './apply.js';

export interface InitiationsOptions {
  readonly sender: Pick<WebhookSender, 'custom' | 'send'>;
  readonly catalogOf: (organizationId: string) => Promise<VoiceCatalog>;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface Initiated {
  readonly config: AgentConfiguration;
  /** Null when the agent has no initiation webhook. */
  readonly initiation: Initiation | null;
}

interface Asked {
  readonly answer: InitiationAnswer;
  readonly statusCode: number | null;
  readonly error: string | null;
}

const maxAnswerBytes = 65_536;
/**
 * The time between the end of this service's wait for the receiver and the end of the caller's wait for this service.
 */
const marginMs = 500;
const shortestMs = 100;

/** The error in one word of the platform, never in words of the receiver. */
const errorOf = (error: unknown): string => {
  if (error instanceof EgressFailure) return error.reason;
  return error instanceof AppError ? error.code : 'INTERNAL_ERROR';
};

const valuesFor = (config: AgentConfiguration, call: CallAtStart): CallOfValues => ({
  agentId: config.agentId,
  callId: call.callId ?? null,
  campaignId: call.campaignId ?? null,
  direction: call.direction ?? null,
  callerNumber: call.callerNumber ?? null,
  calledNumber: call.calledNumber ?? null,
  startedAt: null,
  durationSeconds: null,
  dynamicVariables: call.dynamicVariables ?? {},
  defaults: Object.fromEntries(
    Object.entries(config.variables).map(([name, value]) => [name, value.default]),
  ),
  timezone: config.timezone,
});

const dataOf = (agentId: string, call: CallAtStart, custom: unknown) => ({
  callId: call.callId ?? null,
  agentId,
  direction: call.direction ?? null,
  channel: call.channel ?? null,
  callerNumber: call.callerNumber ?? null,
  calledNumber: call.calledNumber ?? null,
  provider: call.provider ?? null,
  providerCallId: call.providerCallId ?? null,
  campaignId: call.campaignId ?? null,
  dynamicVariables: call.dynamicVariables ?? {},
  metadata: call.metadata ?? {},
  ...(custom === undefined ? {} : { custom }),
});

export class Initiations {
  readonly #options: InitiationsOptions;

  constructor(options: InitiationsOptions) {
    this.#options = options;
  }

  /**
   * The configuration to hold the call with, and the result of asking. Never fails.
   * @param deadline epoch milliseconds at which the caller stops waiting; 0 when there is none
   */
  async ask(
    organizationId: string,
    saved: StoredConfiguration,
    call: CallAtStart,
    deadline: number,
  ): Promise<Initiated> {
    const config = shown(saved);
    const webhook = saved.initiation_webhook;
    if (webhook === null || !webhook.enabled) return { config, initiation: null };
    const at = this.#options.clock.now();
    const timeoutMs = deadline > 0 ? this.#within(webhook.timeoutMs, deadline) : webhook.timeoutMs;
    const asked = await this.#asked(
      organizationId,
      config,
      { ...webhook, agentId: saved.agentId, timeoutMs },
      call,
      at,
    );
    const { answer, statusCode, error } = asked;
    const applied = applyAnswer(config, answer, await this.#options.catalogOf(organizationId));
    const rejected = answer.action === 'reject';
    return {
      config: applied.config,
      initiation: {
        outcome: error !== null ? 'failed' : rejected ? 'rejected' : 'applied',
        at: at.toISOString(),
        durationMs: Math.max(0, this.#options.clock.now().getTime() - at.getTime()),
        statusCode,
        error,
        ignored: [...answer.ignored, ...applied.ignored],
        action: answer.action,
        dynamicVariables: answer.dynamicVariables,
        metadata: answer.metadata,
      },
    };
  }

  #within(timeoutMs: number, deadline: number): number {
    const left = deadline - this.#options.clock.now().getTime() - marginMs;
    return Math.max(shortestMs, Math.min(timeoutMs, left));
  }

  async #asked(
    organizationId: string,
    config: AgentConfiguration,
    webhook: WebhookTarget,
    call: CallAtStart,
    at: Date,
  ): Promise<Asked> {
    const { sender, ids } = this.#options;
    const id = ids.next();
    let statusCode: number | null = null;
    try {
      const values = valuesOfCall(valuesFor(config, call), at);
      const custom = await sender.custom(organizationId, webhook, values);
      const data = dataOf(config.agentId, call, custom);
      const message: InitiationMessage = {
        ...{ type: 'call.initiation', id, timestamp: at.toISOString(), apiVersion: webhookApiVersion },
        data,
      };
      const response = await sender.send(webhook, {
        organizationId,
        id,
        body: stringifyJson(message),
        attempt: 1,
        at,
        values,
        answer: { maxBytes: maxAnswerBytes, whenLarger: 'fail' },
      });
      statusCode = response.status;
      if (statusCode < 200 || statusCode > 299) return { answer: emptyAnswer, statusCode, error: 'status' };
      return { answer: readAnswer(response.body, response.headers['content-type']), statusCode, error: null };
    } catch (error) {
      return { answer: emptyAnswer, statusCode, error: errorOf(error) };
    }
  }
}
