// One try to send one webhook: headers as configured, and signed by the Standard Webhooks scheme. Everything about
// trying again is the caller's.
import { fillText, type Values } from '@parlance/contracts';
import { type Egress, EgressFailure, type EgressResponse } from '@parlance/egress';
import { histogram, webhookTries } from '@parlance/metrics';
import { headerText, isConfigurable } from './headers.js';
import { fillJson, secretMentionsIn, withSecrets } from './placeholders.js';
import { type WebhookHeader, webhookOwner } from './sealed-headers.js';
import type { WebhookSecrets } from './secrets.js';
import { signerOf } from './signer.js';

/** The parts of a configured webhook that a sender needs. */
export interface WebhookTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, WebhookHeader>>;
  /** The agent to which the sealed values of headers are bound. */
  readonly agentId?: string | undefined;
  readonly timeoutMs: number;
  /** Merged under `data.custom`, with its placeholders filled. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly signingSecretId?: string | undefined;
}

export interface WebhookMessage {
  readonly organizationId: string;
  /** The same on every try, so that a receiver knows a message that it already has. */
  readonly id: string;
  readonly body: string;
  /** The number of the try; 1 for the first. */
  readonly attempt: number;
  /** The time of this try. */
  readonly at: Date;
  /** The values of placeholders in headers. */
  readonly values: Values;
  /** Bytes of the answer that are kept at most; the rest is left unread, unless it matters whole. */
  readonly answer: { readonly maxBytes: number; readonly whenLarger: 'fail' | 'cut' };
  readonly signal?: AbortSignal | undefined;
}

const tries = histogram(webhookTries);

const resultOf = ({ status }: EgressResponse): string => {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 300 && status < 400 ? 'redirect' : 'refused';
};

const resultOfFailure = (error: unknown): string =>
  error instanceof EgressFailure && (error.reason === 'timeout' || error.reason === 'unreachable')
    ? error.reason
    : 'failed';

export interface WebhookSenderOptions {
  readonly egress: Pick<Egress, 'fetch'>;
  readonly secrets: WebhookSecrets;
}

export class WebhookSender {
  readonly #options: WebhookSenderOptions;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /**
   * The body template with its placeholders filled; undefined when there is none.
   * @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED
   */
  async custom(organizationId: string, { url, body }: WebhookTarget, values: Values): Promise<unknown> {
    if (body === undefined) return undefined;
    const opened = await this.#options.secrets.open(organizationId, { url, ...secretMentionsIn(body) });
    return fillJson(body, withSecrets(opened.byName, values), opened.byId);
  }

  /**
   * Sends the message once, within the target's time.
   * @throws AppError URL_NOT_ALLOWED, SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED; EgressFailure
   */
  async send(target: WebhookTarget, message: WebhookMessage): Promise<EgressResponse> {
    const startedAt = performance.now();
    const note = (result: string): void =>
      tries.record((performance.now() - startedAt) / 1_000, { 'parlance.result': result });
    try {
      const response = await this.#send(target, message);
      note(resultOf(response));
      return response;
    } catch (error) {
      note(resultOfFailure(error));
      throw error;
    }
  }

  async #send(target: WebhookTarget, message: WebhookMessage): Promise<EgressResponse> {
    const configured = await this.#configured(target, message);
    const signed = await this.#signed(target, message);
    // No redirect is followed, so that secrets reach the target's origin alone.
    return this.#options.egress.fetch(target.url, {
      method: 'POST',
      headers: { ...configured, ...signed },
      body: message.body,
      timeoutMs: target.timeoutMs,
      ...message.answer,
      ...(message.signal === undefined ? {} : { signal: message.signal }),
    });
  }

  async #configured(
    { url, headers, agentId = '' }: WebhookTarget,
    { organizationId, values }: WebhookMessage,
  ): Promise<Record<string, string>> {
    const { secrets } = this.#options;
    const entries = Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => isConfigurable(name));
    const opened = await secrets.open(organizationId, { url, ...secretMentionsIn(entries) });
    const owner = webhookOwner({ organizationId, agentId, url });
    const all = withSecrets(opened.byName, values);
    const filled = (name: string, value: WebhookHeader): string => {
      if (typeof value === 'string') return fillText(value, all);
      if ('secretId' in value) return opened.byId(value.secretId);
      return fillText(secrets.header(value, { ...owner, name }), values);
    };
    return Object.fromEntries(entries.map(([name, value]) => [name, headerText(filled(name, value))]));
  }

  async #signed(
    { signingSecretId }: WebhookTarget,
    { organizationId, id, body, attempt, at }: WebhookMessage,
  ): Promise<Record<string, string>> {
    const secrets = await this.#options.secrets.signing(organizationId, signingSecretId);
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => signerOf(secret).sign(id, at, body)).join(' '),
      'x-webhook-attempt': String(attempt),
    };
  }
}
