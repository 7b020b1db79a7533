// The provider that the conformance suite talks to: the one at CONFORMANCE_TWILIO_URL, or the stand-in. The suite itself
// knows only a URL, an account and the official client. The real provider must therefore pass it as well. There it buys
// and releases numbers, which costs money, and runs only when CONFORMANCE_TWILIO_URL says so.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { twilioClient } from '@parlance/telephony/clients';
import { startTwilio } from '../index.js';

export type Client = ReturnType<typeof twilioClient>;

export interface ConformanceTarget {
  readonly client: Client;
  readonly url: string;
  /** The same account with a token that is not its own. */
  readonly impostor: Client;
  close(): Promise<void>;
}

export const clientAt = (url: string, accountSid: string, authToken: string): Client =>
  twilioClient({ accountSid, authToken, url: url.includes('twilio.com') ? undefined : url });

/** Asks again until there is something, for at most ten seconds. */
export const eventually = async <T>(find: () => Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const given = process.env.CONFORMANCE_TWILIO_URL;
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
