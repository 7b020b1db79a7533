// Twilio's official client, with the domains of its API that are used: a process would keep the source of all forty in memory, which
// is seven megabytes. The client knows the provider's host names only: another address needs a request client of its own.
import BaseTwilio from 'twilio/lib/base/BaseTwilio.js';
import RequestClient from 'twilio/lib/base/RequestClient.js';
import Api from 'twilio/lib/rest/Api.js';
import Pricing from 'twilio/lib/rest/Pricing.js';
import Trunking from 'twilio/lib/rest/Trunking.js';

const defaultTimeoutMs = 10_000;

/** Has the names of the complete client, `Twilio` of `twilio`. */
export class Twilio extends BaseTwilio.Client {
  readonly api = new Api(this);
  readonly pricing = new Pricing(this);
  readonly trunking = new Trunking(this);

  get incomingPhoneNumbers() {
    return this.api.v2010.account.incomingPhoneNumbers;
  }

  get availablePhoneNumbers() {
    return this.api.v2010.account.availablePhoneNumbers;
  }
}

class ElsewhereClient extends RequestClient {
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
}): Twilio => {
  const timeout = options.timeoutMs ?? defaultTimeoutMs;
  return new Twilio(options.accountSid, options.authToken, {
    autoRetry: false,
    httpClient: options.url ? new ElsewhereClient(options.url, timeout) : new RequestClient({ timeout }),
  });
};
