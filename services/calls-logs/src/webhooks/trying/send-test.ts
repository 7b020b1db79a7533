// Sends one message of the type `webhook.test`, once, and shows the answer. The receiver's answer is shown without the
// secrets of the request.
import { randomUUID } from 'node:crypto';
import { decodeLoosely } from '@parlance/charsets';
import {
  type Caller,
  type Result,
  serviceRequests,
  storableText,
  valuesOfCall,
  type WebhookTestMessage,
  type WebhookTestResult,
} from '@parlance/contracts';
import { CannotOpen } from '@parlance/crypto';
import type { EgressResponse } from '@parlance/egress';
import { AppError, errorCodes } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import type { Clock } from '@parlance/observability';
import type { RpcClient } from '@parlance/rpc';
import { type Masking, type WebhookSender, type WebhookTarget, webhookApiVersion } from '@parlance/webhooks';
import { problemOf, wordFor, wordForStatus } from '../history/problems.js';

type Configured = Result<(typeof serviceRequests)['agentsPostCallWebhook']>;

export interface TestOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  /** A sender for one message, and the masking of its secrets. */
  readonly revealing: () => { readonly sender: WebhookSender; readonly masking: () => Masking };
  readonly clock: Clock;
}

export interface TestWish {
  readonly organizationId: string;
  readonly agentId: string;
  /** Another address than the configured one. */
  readonly url?: string | undefined;
  readonly requestId: string;
}

const shownCharacters = 1_024;
const readBytes = 16_384;
const timeoutMs = 10_000;

const unconfigured: Omit<Configured, 'version' | 'configuredAt'> = {
  webhook: null,
  variables: {},
  timezone: 'UTC',
};

const configurationOf = async (
  { rpc, callerFor }: TestOptions,
  wish: TestWish,
): Promise<typeof unconfigured> => {
  const { organizationId, agentId, requestId } = wish;
  try {
    const body = { agentId, version: null };
    const context = { caller: callerFor(organizationId), requestId };
    return (await rpc.call(serviceRequests.agentsPostCallWebhook, { body }, context)).data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_NOT_FOUND') return unconfigured;
    throw error;
  }
};

/** Another address gets nothing that the organization has configured for its own. */
const targetOf = ({ agentId, url }: TestWish, webhook: Configured['webhook']): WebhookTarget => {
  if (url !== undefined)
    return { url, headers: {}, timeoutMs, agentId, signingSecretId: webhook?.signingSecretId };
  if (webhook === null) throw new AppError('WEBHOOK_NOT_CONFIGURED');
  return { ...webhook, agentId };
};

/** The end of a cut text may hold a part of a secret. */
const shownAnswer = ({ body, headers, isCut }: EgressResponse, masking: Masking): string => {
  const text = decodeLoosely(body, { contentType: headers['content-type'], isCut });
  const kept = isCut ? text.slice(0, Math.max(0, text.length - masking.longest)) : text;
  return storableText(masking.text(kept).slice(0, shownCharacters));
};

const isOurs = (error: unknown): boolean =>
  error instanceof AppError && errorCodes[error.code].retryable === true;

/** @throws AppError AGENT_NOT_FOUND, WEBHOOK_NOT_CONFIGURED, and while another service is away */
export const sendTest = async (options: TestOptions, wish: TestWish): Promise<WebhookTestResult> => {
  const { organizationId, agentId } = wish;
  const { webhook, variables, timezone } = await configurationOf(options, wish);
  const target = targetOf(wish, webhook);
  const { sender, masking } = options.revealing();
  const [id, at] = [randomUUID(), options.clock.now()];
  const nothing = { callId: null, campaignId: null, direction: null, callerNumber: null, calledNumber: null };
  const values = valuesOfCall(
    {
      ...{ ...nothing, agentId, startedAt: null, durationSeconds: null, dynamicVariables: {} },
      ...{ defaults: variables, timezone },
    },
    at,
  );
  const startedAt = performance.now();
  const result = (word: string | null, answer?: EgressResponse): WebhookTestResult => ({
    messageId: id,
    origin: URL.parse(target.url)?.origin ?? '',
    delivered: word === null,
    statusCode: answer?.status ?? null,
    durationMs: Math.round(performance.now() - startedAt),
    problem: problemOf(word, answer?.status ?? null),
    answer: answer === undefined ? null : shownAnswer(answer, masking()),
  });
  try {
    const custom = await sender.custom(organizationId, target, values);
    const message = {
      ...{ id, timestamp: at.toISOString(), apiVersion: webhookApiVersion, organizationId },
      type: 'webhook.test',
      data: { agentId, ...(custom === undefined ? {} : { custom }) },
    } satisfies Omit<WebhookTestMessage, 'data'> & { readonly data: object };
    const body = stringifyJson(message);
    const sent = { organizationId, id, body, values, attempt: 1, at };
    const answer = await sender.send(target, {
      ...sent,
      answer: { maxBytes: readBytes, whenLarger: 'cut' },
    });
    return result(wordForStatus(answer.status), answer);
  } catch (error) {
    if (isOurs(error)) throw error;
    const word = error instanceof CannotOpen ? 'cannot_open' : wordFor(error);
    if (word === undefined) throw error;
    return result(word);
  }
};
