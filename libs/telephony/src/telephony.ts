// The telephone providers that this deployment has an account at.
import type { Secret } from '@parlance/config';
import type { Provider } from '@parlance/contracts';
import type { NumberProvider, NumberSearch, SipCredential, SipTarget } from './number-provider.js';

/** The variables that `telephonyEnv` of `@parlance/config` reads. */
export interface TelephonyOptions {
  readonly TWILIO_ACCOUNT_SID?: string | undefined;
  readonly TWILIO_AUTH_TOKEN?: Secret | undefined;
  readonly TWILIO_API_URL?: string | undefined;
  readonly TELNYX_API_KEY?: Secret | undefined;
  readonly TELNYX_API_URL?: string | undefined;
  /** The time limit of an answer; 10 seconds by default. */
  readonly PROVIDER_TIMEOUT_MS?: number | undefined;
}

let lastLoad: Promise<unknown> = Promise.resolve();

/** One after the other, so that the common libraries of both SDKs are loaded once. */
const inTurn = <T>(load: () => Promise<T>): Promise<T> => {
  const loading = lastLoad.then(load, load);
  lastLoad = loading;
  return loading;
};

/** The SDKs take a third of a second to load, so each is loaded when its provider is first asked something. */
class Account implements NumberProvider {
  readonly provider: Provider;
  readonly #load: () => Promise<NumberProvider>;
  #loading: Promise<NumberProvider> | undefined;

  constructor(provider: Provider, load: () => Promise<NumberProvider>) {
    this.provider = provider;
    this.#load = load;
  }

  async ping() {
    await (await this.#loaded()).ping();
  }
  async search(wanted: NumberSearch) {
    return (await this.#loaded()).search(wanted);
  }
  async price(phoneNumber: string) {
    return (await this.#loaded()).price(phoneNumber);
  }
  async buy(wanted: { readonly phoneNumber: string; readonly marker: string }) {
    return (await this.#loaded()).buy(wanted);
  }
  async findByMarker(marker: string) {
    return (await this.#loaded()).findByMarker(marker);
  }
  async configureForSip(providerNumberId: string, target: SipTarget) {
    await (await this.#loaded()).configureForSip(providerNumberId, target);
  }
  async openTermination(target: SipTarget) {
    return (await this.#loaded()).openTermination(target);
  }
  async addCredential(target: SipTarget, credential: SipCredential) {
    return (await this.#loaded()).addCredential(target, credential);
  }
  async dropCredentials(target: SipTarget, keptVersion: string) {
    await (await this.#loaded()).dropCredentials(target, keptVersion);
  }
  async findOwned(providerNumberId: string) {
    return (await this.#loaded()).findOwned(providerNumberId);
  }
  async listOwned() {
    return (await this.#loaded()).listOwned();
  }
  async release(providerNumberId: string) {
    return (await this.#loaded()).release(providerNumberId);
  }

  #loaded(): Promise<NumberProvider> {
    this.#loading ??= inTurn(this.#load);
    return this.#loading;
  }
}

interface Place {
  readonly url: string | undefined;
  readonly timeoutMs: number | undefined;
}

const twilioAccount = (accountSid: string, authToken: Secret, place: Place): NumberProvider =>
  new Account('TWILIO', async () => {
    const { twilioClient } = await import('./twilio.js');
    const { TwilioNumbers } = await import('./twilio-numbers.js');
    return new TwilioNumbers(
      twilioClient({ accountSid, authToken: authToken.reveal(), ...place }),
      accountSid,
    );
  });

const telnyxAccount = (apiKey: Secret, place: Place): NumberProvider =>
  new Account('TELNYX', async () => {
    const { telnyxClient } = await import('./telnyx.js');
    const { TelnyxNumbers } = await import('./telnyx-numbers.js');
    return new TelnyxNumbers(telnyxClient({ apiKey: apiKey.reveal(), ...place }));
  });

/** The accounts whose credentials are given, at most one for each provider. */
export const connectTelephony = (options: TelephonyOptions): readonly NumberProvider[] => {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TELNYX_API_KEY: key } = options;
  const at = (url: string | undefined): Place => ({ url, timeoutMs: options.PROVIDER_TIMEOUT_MS });
  return [
    ...(sid !== undefined && token !== undefined
      ? [twilioAccount(sid, token, at(options.TWILIO_API_URL))]
      : []),
    ...(key !== undefined ? [telnyxAccount(key, at(options.TELNYX_API_URL))] : []),
  ];
};
