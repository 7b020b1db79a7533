// A stand-in of the platform for one agent: it gives out the configuration, answers tools and searches, and keeps what it was told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelForCall, RuntimeConfig } from '@parlance/contracts';

/** The members of a finished call that are looked at. */
export interface FinishedCall {
  readonly callId: string;
  readonly fromNumber: string | null;
  readonly endedReason: string;
  readonly answeredAt: string;
  readonly endedAt: string;
  readonly transcript: readonly {
    readonly role: string;
    readonly text: string;
    readonly spokenText?: string | null;
    readonly interrupted?: boolean;
    readonly latencyMs?: number | null;
    readonly model?: string | null;
    readonly sttModel?: string;
    readonly ttsModel?: string;
    readonly fallbacks?: readonly object[];
  }[];
  readonly usage?: readonly { readonly kind: string; readonly quantity: number; readonly unit: string }[];
  readonly latency?: { readonly e2eP50Ms: number | null } | null;
}

export interface ProgressReport {
  readonly callId: string;
  readonly type: string;
  readonly name?: string;
  readonly ms?: number;
  readonly turn?: { readonly role: string; readonly text: string };
}

const agent = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  name: 'Front desk',
  organizationId: 'org',
  isActive: true,
};

const configuration = {
  agentId: agent.id,
  version: 1,
  agent_language: 'en',
  firstMessage: 'Good day, this is the practice of Doctor Meier. How can I help you?',
  systemPrompt: 'Be kind.',
  sttModel: 'openai/whisper-1',
  llmModel: 'openai/gpt-4.1-mini',
  ttsModel: 'openai/tts-1',
  voiceId: 'openai/alloy',
  data_needed: [],
  data_evaluation: [],
  variables: {},
  preemptive_generation: true,
  ivr_navigation_enabled: false,
  timezone: 'UTC',
  rag: {},
  limits: {},
  voicemail: {},
  recording: {},
  allowedOverrides: [],
  extra: {},
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
};

const passage = {
  knowledgeSourceId: '0198c0de-0000-7000-8000-0000000000ac',
  chunkId: 'c1',
  score: 0.9,
  sourceName: 'Refunds',
  url: null,
  headings: [],
  text: 'A refund takes five days. It goes back to the card that you paid with, and you get a letter about it.',
  start: 0,
  end: 100,
};

const tool: RuntimeConfig['tools'][number] = {
  name: 'find_order',
  description: 'Finds an order by its number.',
  executionMode: 'immediate',
  fillerMessage: null,
  interruptible: true,
  timeoutMs: 10_000,
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
};

/** The platform's answer to a runtime. */
export const configurationOf = (
  config: object,
  {
    tools,
    knowledge,
    baseUrl = 'http://127.0.0.1:9/api/v1',
  }: Pick<RuntimeConfig, 'tools' | 'knowledge'> & { readonly baseUrl?: string },
): RuntimeConfig =>
  RuntimeConfig.parse({
    agent,
    config: { ...configuration, ...config },
    tools,
    mcpTools: [],
    knowledge,
    initiation: null,
    runtime: { baseUrl, callToken: 'token', expiresAt: '2099-01-01T00:00:00.000Z' },
    warnings: [],
  });

export const internalKey = 'an-internal-key-of-tests-that-is-long-enough';

export interface StandInOptions {
  /** Changes to the configuration of the agent. */
  readonly config?: object;
  /** The same for the agents of telephone numbers. */
  readonly numbers?: Readonly<Record<string, object>>;
  /** The passage that a search finds. */
  readonly passageFor?: (query: string) => string;
  /** The organization's own models, with keys that are sealed for this public key. */
  readonly modelsFor?: (callId: string, publicKey: string) => readonly ModelForCall[];
}

const numberPath = '/number-config/';

export const startStandIn = async ({
  config = {},
  numbers = {},
  passageFor = () => passage.text,
  modelsFor = () => [],
}: StandInOptions) => {
  /** Changes to the configuration for one call. */
  const configurations = new Map<string, object>();
  /** Everything that a runtime has sent. */
  const bodies: string[] = [];
  const finished: FinishedCall[] = [];
  const reports: ProgressReport[] = [];
  let url = '';
  const runtimeConfig = (path: string, callId: string): RuntimeConfig => {
    const number = path.includes(numberPath) ? decodeURIComponent(path.split(numberPath)[1] ?? '') : '';
    const knowledge = { mode: 'auto', prompt: null } as const;
    const changes = { ...config, ...numbers[number], ...configurations.get(callId) };
    return configurationOf(changes, { tools: [tool], knowledge, baseUrl: `${url}/api/v1` });
  };
  const answer = (method: string, { pathname: path, searchParams }: URL, body: string): unknown => {
    if (path.includes('/runtime/calls/')) {
      const [callId = '', operation] = path.split('/').slice(-2);
      if (operation === 'events') {
        const { events } = JSON.parse(body) as { readonly events: readonly Omit<ProgressReport, 'callId'>[] };
        reports.push(...events.map((event) => ({ ...event, callId })));
        return null;
      }
      if (operation === 'models') {
        const { publicKey } = JSON.parse(body) as { readonly publicKey: string };
        return modelsFor(callId, publicKey);
      }
      if (operation === 'knowledge') {
        const { query = '' } = JSON.parse(body) as { readonly query?: string };
        return [{ ...passage, text: passageFor(query) }];
      }
      return { result: 'It was sent yesterday.', assignments: {}, durationMs: 12, isError: false };
    }
    if (path.includes(numberPath) || method !== 'POST')
      return runtimeConfig(path, searchParams.get('callId') ?? '');
    finished.push(JSON.parse(body) as FinishedCall);
    return null;
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    bodies.push(body);
    const data = answer(request.method ?? '', new URL(request.url ?? '', url), body);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    agent,
    finished: finished as readonly FinishedCall[],
    reports: reports as readonly ProgressReport[],
    configurations,
    bodies: bodies as readonly string[],
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
};
