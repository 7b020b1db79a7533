// The telephone providers that this deployment has an account at.
import type { Secret } from '@parlance/config';
import type { Provider } from '@parlance/contracts';

/** What `telephonyEnv` of `@parlance/config` reads. */
export interface TelephonyOptions {
  readonly TWILIO_ACCOUNT_SID?: string | undefined;
  readonly TWILIO_AUTH_TOKEN?: Secret | undefined;
  readonly TWILIO_API_URL?: string | undefined;
  readonly TELNYX_API_KEY?: Secret | undefined;
  readonly TELNYX_API_URL?: string | undefined;
}

/** An account at a provider. */
export interface Telephony {
  readonly provider: Provider;
  /** Rejects when the provider cannot be reached, or does not know the account. */
  ping(): Promise<void>;
}

// The SDKs take a third of a second to load, so each is loaded when its provider is first asked something.
const twilioAccount = (accountSid: string, authToken: Secret, url: string | undefined): Telephony => ({
  provider: 'TWILIO',
  ping: async () => {
    const { twilioClient } = await import('./twilio.js');
    await twilioClient({ accountSid, authToken: authToken.reveal(), url })
      .api.v2010.accounts(accountSid)
      .fetch();
  },
});

const telnyxAccount = (apiKey: Secret, url: string | undefined): Telephony => ({
  provider: 'TELNYX',
  ping: async () => {
    const { telnyxClient } = await import('./telnyx.js');
    await telnyxClient({ apiKey: apiKey.reveal(), url }).balance.retrieve();
  },
});

/** The accounts whose credentials are given, at most one for each provider. */
export const connectTelephony = (options: TelephonyOptions): readonly Telephony[] => {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TELNYX_API_KEY: key } = options;
  return [
    ...(sid !== undefined && token !== undefined ? [twilioAccount(sid, token, options.TWILIO_API_URL)] : []),
    ...(key !== undefined ? [telnyxAccount(key, options.TELNYX_API_URL)] : []),
  ];
};
