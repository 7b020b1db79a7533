// Telnyx's official client, told never to send anything twice: by default it would buy again when an answer is lost.
import Telnyx from 'telnyx';

const timeoutMs = 10_000;

/** @param options.url instead of the provider's own, with its version: `https://api.telnyx.com/v2` */
export const telnyxClient = (options: {
  readonly apiKey: string;
  readonly url?: string | undefined;
}): Telnyx =>
  new Telnyx({
    apiKey: options.apiKey,
    maxRetries: 0,
    timeout: timeoutMs,
    ...(options.url ? { baseURL: options.url } : {}),
  });
