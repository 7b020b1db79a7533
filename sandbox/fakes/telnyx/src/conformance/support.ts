// The provider that the conformance suite talks to: the one at CONFORMANCE_TELNYX_URL, or the stand-in. The suite itself
// knows only a URL, a key and the official client. The real provider must therefore pass it as well. There it buys and
// releases numbers, which costs money, and runs only when CONFORMANCE_TELNYX_URL says so.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { telnyxClient } from '@parlance/telephony/clients';
import type Telnyx from 'telnyx';
import { startTelnyx } from '../index.js';

export interface ConformanceTarget {
  readonly client: Telnyx;
  readonly url: string;
  close(): Promise<void>;
}

export const clientAt = (url: string, apiKey: string): Telnyx => telnyxClient({ apiKey, url });

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const given = process.env.CONFORMANCE_TELNYX_URL;
  const apiKey = process.env.TELNYX_API_KEY ?? 'KEY-of-the-stand-in';
  const dataDir = await mkdtemp(join(tmpdir(), 'parlance-telnyx-'));
  const server = given === undefined ? await startTelnyx({ dataDir, credentials: { apiKey } }) : undefined;
  const url = server?.url ?? given ?? '';
  return {
    client: clientAt(url, apiKey),
    url,
    close: async () => {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Asks again until there is something, for at most half a minute. */
export const eventually = async <T>(find: () => Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
