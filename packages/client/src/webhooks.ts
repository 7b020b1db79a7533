// Webhooks as their receivers verify them: the Standard Webhooks scheme, by Web Crypto alone.
import type { WebhookMessage } from './generated/schemas.js';

export interface ReceivedWebhook {
  /** The body as it arrived, before any parsing. */
  readonly payload: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The signing secret; several while one takes the place of another. */
  readonly secret: string | readonly string[];
  /** The longest distance between the time of the message and now, in seconds: 300 by default. */
  readonly toleranceSeconds?: number;
  /** Instead of the clock of this machine. */
  readonly now?: Date;
}

export type WebhookProblem = 'headers_missing' | 'too_old' | 'too_new' | 'signature_wrong' | 'not_json';

const sentences: Readonly<Record<WebhookProblem, string>> = {
  headers_missing: 'The message lacks a header of a signed webhook.',
  too_old: 'The message is older than the tolerance.',
  too_new: 'The time of the message lies in the future.',
  signature_wrong: 'No signature of the message was made with a given secret.',
  not_json: 'The message is not JSON.',
};

/** A message that is not a webhook of the platform, or not a fresh one. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem) {
    super(sentences[problem]);
    this.problem = problem;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

const secretPrefix = 'whsec_';
const signaturePrefix = 'v1,';

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

const fromBase64 = (text: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** After the prefix stands the key in base64; any other secret is itself the key. */
const keyOf = async (secret: string): Promise<CryptoKey> => {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  const key = (encoded === '' ? undefined : fromBase64(encoded)) ?? bytesOf(secret);
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

/** Some platforms of functions hand headers over as they were sent, with capitals. */
const valueIn = (headers: Exclude<ReceivedWebhook['headers'], Headers>, name: string) =>
  headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

const headerOf = (headers: ReceivedWebhook['headers'], name: string): string => {
  const found = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  const value = typeof found === 'object' ? found?.[0] : found;
  if (value === undefined || value === '') throw new WebhookError('headers_missing');
  return value;
};

const checkTime = (timestamp: string, toleranceSeconds: number, now: Date): void => {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('headers_missing');
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('too_old');
  if (age < -toleranceSeconds) throw new WebhookError('too_new');
};

const signaturesIn = (header: string): Bytes[] =>
  header
    .split(' ')
    .filter((part) => part.startsWith(signaturePrefix))
    .flatMap((part) => fromBase64(part.slice(signaturePrefix.length)) ?? []);

const joined = (head: Bytes, payload: Uint8Array): Bytes => {
  const whole = new Uint8Array(head.length + payload.length);
  whole.set(head);
  whole.set(payload, head.length);
  return whole;
};

/**
 * The message of a webhook, once its signature and its time are found right. Web Crypto compares signatures in constant
 * time. A message may come again: its `id` is the same then.
 * @throws WebhookError
 */
export const verifyWebhook = async (received: ReceivedWebhook): Promise<WebhookMessage> => {
  const { payload, headers, secret, toleranceSeconds = 300, now = new Date() } = received;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(headers, 'webhook-signature'));
  checkTime(timestamp, toleranceSeconds, now);
  const body = typeof payload === 'string' ? bytesOf(payload) : payload;
  const signed = joined(bytesOf(`${id}.${timestamp}.`), body);
  const keys = await Promise.all((typeof secret === 'string' ? [secret] : secret).map(keyOf));
  const verdicts = await Promise.all(
    keys.flatMap((key) =>
      signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
    ),
  );
  if (!verdicts.includes(true)) throw new WebhookError('signature_wrong');
  try {
    return JSON.parse(new TextDecoder().decode(body)); // the platform signed it
  } catch {
    throw new WebhookError('not_json');
  }
};
