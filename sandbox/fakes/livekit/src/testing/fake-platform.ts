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
  /** The requests with the token of a call, in order. */
  readonly asked: readonly { readonly path: string; readonly token: string; readonly body: unknown }[];
  close(): Promise<void>;
}

const found = runtimeConfig();
export const { agent } = found;
/** An agent with a tool and a document. */
export const ableAgentId = '0198c0de-0000-7000-8000-0000000000ab';
const ableAgent = (url: string): object => ({
  ...found,
  tools: [
    {
      ...{ name: 'find_order', description: 'Finds an order.', executionMode: 'immediate' },
      ...{ fillerMessage: null, interruptible: true, timeoutMs: 10_000 },
      parameters: {
        type: 'object',
        properties: { order: { type: 'string' }, customer_name: { type: 'string' } },
        required: ['order', 'customer_name'],
      },
    },
  ],
  knowledge: { mode: 'auto', prompt: null },
  runtime: {
    baseUrl: `${url}/api/v1`,
    callToken: 'token-of-the-call',
    expiresAt: '2099-01-01T00:00:00.000Z',
  },
});
export const knowledgeSourceId = '0198c0de-0000-7000-8000-0000000000ac';
const passage = {
  ...{ knowledgeSourceId, chunkId: 'c1', sourceName: 'Refunds', url: null, headings: [] },
  ...{ text: 'A refund takes five days.', score: 0.9, start: 0, end: 25 },
};
const answers: Readonly<Record<string, unknown>> = {
  find_order: { result: { state: 'sent' }, assignments: {}, durationMs: 12, isError: false },
  knowledge: [passage],
};

/** Calls to this number play no conversation. */
export const deafNumber = '+14155550199';

export const startFakePlatform = async (apiKey: string, apiSecret: string): Promise<FakePlatform> => {
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  const webhooks: WebhookEvent[] = [];
  const forged: string[] = [];
  const ingested: Record<string, unknown>[] = [];
  const asked: { path: string; token: string; body: unknown }[] = [];
  let url = '';
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
      const [, path] = request.url?.split('/runtime/') ?? [];
      if (path !== undefined)
        asked.push({ path, token: request.headers.authorization ?? '', body: JSON.parse(body) });
      const about = request.url?.includes(ableAgentId) ? ableAgent(url) : found;
      const data = path === undefined ? about : answers[path.split('/').at(-1) ?? ''];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ success: true, data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    asked,
    webhooks,
    forged,
    ingested,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Calls `find` until it returns a value. @throws Error after a minute without one */
export const until = async <T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
