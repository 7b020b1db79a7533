// The provider that the conformance suite talks to: the one at TWILIO_CONFORMANCE_URL, or the stand-in. The suite itself
// knows only a URL, an account and the official client, so that the real provider must pass it as well. There it buys
// and releases numbers, which costs money, and runs only when TWILIO_CONFORMANCE_URL says so.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { startTwilio } from '../index.js';

/** Sends what is meant for `*.twilio.com` to another address: all that production code needs to be pointed elsewhere. */
class ElsewhereClient extends twilio.RequestClient {
  readonly #base: string;

  constructor(base: string) {
    super();
    this.#base = base;
  }

  override request<T>(options: RequestClient.RequestOptions<T>) {
    const { pathname, search } = new URL(options.uri);
    return super.request<T>({ ...options, uri: new URL(pathname + search, this.#base).href });
  }
}

export type Client = ReturnType<typeof twilio>;

export interface ConformanceTarget {
  readonly client: Client;
  readonly url: string;
  /** The same account with a token that is not its own. */
  readonly impostor: Client;
  close(): Promise<void>;
}

export const clientAt = (url: string, accountSid: string, authToken: string): Client =>
  twilio(accountSid, authToken, url.includes('twilio.com') ? {} : { httpClient: new ElsewhereClient(url) });

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const given = process.env.TWILIO_CONFORMANCE_URL;
  const accountSid = process.env.TWILIO_ACCOUNT_SID ?? `AC${'0'.repeat(32)}`;
  const authToken = process.env.TWILIO_AUTH_TOKEN ?? 'token-of-the-stand-in';
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-twilio-'));
  const server =
    given === undefined ? await startTwilio({ dataDir, credentials: { accountSid, authToken } }) : undefined;
  const url = server?.url ?? given ?? '';
  return {
    client: clientAt(url, accountSid, authToken),
    impostor: clientAt(url, accountSid, 'another-token'),
    url,
    close: async () => {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
