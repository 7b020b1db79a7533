// A small HTTP server in the place of the platform. It has an agent with a tool and a document, and a call token.
// Everything that must stay between the platform and the runtime is there as words that are easily found.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RuntimeConfig } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';

/** None of these may reach a participant of a room. */
export const planted = {
  prompt: 'planted-system-prompt',
  promptOfCall: 'planted-prompt-of-this-call',
  promptOfKnowledge: 'planted-prompt-of-knowledge',
  defaultOfVariable: 'planted-default',
  variable: 'planted-variable',
  metadata: 'planted-metadata',
  tool: 'planted-description-of-a-tool',
  callToken: 'planted-call-token',
  internalKey: 'planted-internal-key-that-is-long-enough',
} as const;

/** The members of a handed-over call that these tests look at. */
export interface HandedOver {
  readonly callId: string;
  readonly roomName: string;
  readonly endedReason: string;
  readonly answeredBy: string;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly answeredAt: string;
  readonly endedAt: string;
  readonly transcript: readonly {
    readonly role: string;
    readonly text: string;
    readonly toolCall?: object | null;
    readonly sources?: readonly object[];
  }[];
}

export interface Told {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const base = runtimeConfig({
  agent_language: 'en',
  firstMessage: 'Good day, this is the practice.',
  systemPrompt: planted.prompt,
  variables: { secret: { default: planted.defaultOfVariable, required: false, description: '' } },
});
export const { agent } = base;

const found = (url: string): RuntimeConfig => ({
  ...base,
  tools: [
    {
      ...{ name: 'find_order', description: planted.tool, executionMode: 'immediate' },
      ...{ fillerMessage: null, interruptible: true, timeoutMs: 10_000 },
      parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    },
  ],
  knowledge: { mode: 'auto', prompt: planted.promptOfKnowledge },
  runtime: {
    baseUrl: `${url}/api/v1`,
    callToken: planted.callToken,
    expiresAt: '2099-01-01T00:00:00.000Z',
  },
});

export const source = {
  knowledgeSourceId: '0198c0de-0000-7000-8000-0000000000ac',
  chunkId: 'c1',
  score: 0.9,
};
/** By the last part of the path. */
const answers: Readonly<Record<string, unknown>> = {
  find_order: { result: 'sent', assignments: {}, durationMs: 12, isError: false },
  knowledge: [
    { ...source, sourceName: 'Refunds', url: null, headings: [], text: 'Five days.', start: 0, end: 10 },
  ],
};

export const startPlatform = async () => {
  const asked: string[] = [];
  const handedOver: HandedOver[] = [];
  /** Requests with the token of a call. */
  const told: Told[] = [];
  let url = '';
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    let body = '';
    for await (const part of request) body += part;
    let data: unknown = found(url);
    if (path.includes('/runtime/calls/')) {
      told.push({ path, authorization: request.headers.authorization, body: JSON.parse(body) });
      data = answers[path.split('/').at(-1) ?? ''];
    } else if (request.method === 'POST') handedOver.push(JSON.parse(body) as HandedOver);
    else asked.push(path);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, asked, handedOver, told, url };
};
