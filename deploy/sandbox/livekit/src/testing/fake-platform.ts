// The platform as the stand-in sees it: takes webhooks and finished calls, and hands out one configuration.
import { createServer } from 'node:http';
import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk';
import { runtimeConfig } from './runtime-config.js';

export interface FakePlatform {
  readonly url: string;
  readonly webhooks: readonly WebhookEvent[];
  /** Webhooks that were not signed with the right secret. */
  readonly forged: readonly string[];
  readonly ingested: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

const found = runtimeConfig();
export const { agent } = found;
/** Calls to this number play no conversation. */
export const deafNumber = '+14155550199';

export const startFakePlatform = async (apiKey: string, apiSecret: string): Promise<FakePlatform> => {
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const webhooks: WebhookEvent[] = [];
  const forged: string[] = [];
  const ingested: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      if (request.url === '/hooks/livekit')
        await receiver.receive(body, request.headers.authorization).then(
          (event) => webhooks.push(event),
          () => forged.push(body),
        );
      else if (request.url === '/api/v1/calls') ingested.push(JSON.parse(body));
      if (request.url?.endsWith(encodeURIComponent(deafNumber))) response.statusCode = 409;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, data: found }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    webhooks,
    forged,
    ingested,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Looks again until there is something, for at most a minute. */
export const until = async <T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
