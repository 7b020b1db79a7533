// Telnyx's official client, told never to send anything twice: by default it would buy again when an answer is lost.
import Telnyx from 'telnyx';

const defaultTimeoutMs = 10_000;

/** The SDK tells its time limit from a broken connection by the words of the error, so this file sets the words. */
const fetchOrSay: typeof fetch = async (input, init) => {
  try {
    return await fetch(input, init);
  } catch (cause) {
    throw init?.signal?.aborted ? new Error('timed out', { cause }) : cause;
  }
};

/** @param options.url instead of the provider's own, with its version: `https://api.telnyx.com/v2` */
export const telnyxClient = (options: {
  readonly apiKey: string;
  readonly url?: string | undefined;
  readonly timeoutMs?: number | undefined;
}): Telnyx =>
  new Telnyx({
    apiKey: options.apiKey,
    maxRetries: 0,
    fetch: fetchOrSay,
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    ...(options.url ? { baseURL: options.url } : {}),
  });
