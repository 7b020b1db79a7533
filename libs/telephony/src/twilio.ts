// Twilio's official client, which knows the provider's host names only: another address needs a request client of its own.
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';

const defaultTimeoutMs = 10_000;

class ElsewhereClient extends twilio.RequestClient {
  readonly #base: string;

  constructor(base: string, timeout: number) {
    super({ timeout });
    this.#base = base;
  }

  override request<T>(options: RequestClient.RequestOptions<T>) {
    const { pathname, search } = new URL(options.uri);
    return super.request<T>({ ...options, uri: new URL(pathname + search, this.#base).href });
  }
}

/** A client that never sends a request twice. @param options.url instead of `*.twilio.com` */
export const twilioClient = (options: {
  readonly accountSid: string;
  readonly authToken: string;
  readonly url?: string | undefined;
  readonly timeoutMs?: number | undefined;
}): ReturnType<typeof twilio> => {
  const timeout = options.timeoutMs ?? defaultTimeoutMs;
  return twilio(options.accountSid, options.authToken, {
    autoRetry: false,
    httpClient: options.url
      ? new ElsewhereClient(options.url, timeout)
      : new twilio.RequestClient({ timeout }),
  });
};
