import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadEnv } from '@parlance/config';
import { callContext } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { help } from './help.js';
import { Env, start, type TextRuntime } from './index.js';

const internalKey = 'an internal key that is long enough for it';
const found = runtimeConfig({ llmModel: 'custom/local', firstMessage: 'Hello.' });
const context = callContext({
  callId: 'call-1',
  organizationId: 'org',
  agentId: found.agent.id,
  channel: 'preview',
  direction: 'inbound',
});

let folder: string;
let platform: Server;
/** The configuration is not answered before this resolves. */
let opened: Promise<void>;
let openAi: RunningOpenAi;
let runtime: TextRuntime | undefined;

beforeEach(async () => {
  opened = Promise.resolve();
  folder = mkdtempSync(join(tmpdir(), 'parlance-runtime-'));
  openAi = await startOpenAi({});
  platform = createServer(async (_request, response) => {
    await opened;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: found }));
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await runtime?.stop();
  runtime = undefined;
  await openAi.stop();
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const startWith = async (variables: Readonly<Record<string, string>> = {}): Promise<TextRuntime> => {
  const { port } = platform.address() as AddressInfo;
  const env = loadEnv(Env, {
    INTERNAL_API_KEY: internalKey,
    PLATFORM_URL: `http://127.0.0.1:${port}/`,
    TEXT_RUNTIME_PORT: '0',
    LOG_LEVEL: 'silent',
    DRAIN_DELAY_MS: '0',
    ...variables,
  });
  runtime = await start(env);
  return runtime;
};

const post = (url: string, text: string): Promise<Response> =>
  fetch(`${url}/text-turns`, {
    method: 'POST',
    headers: { 'x-internal-key': internalKey },
    body: JSON.stringify({ context, turns: [{ seq: 0, role: 'user', text, startMs: 0 }] }),
  });

const modelsFile = (): string => {
  const path = join(folder, 'models.json');
  const entry = {
    id: 'custom/local',
    kind: 'llm',
    name: 'Local',
    baseUrl: openAi.url,
    model: 'local',
    languages: ['*'],
  };
  writeFileSync(path, JSON.stringify({ models: [entry] }));
  return path;
};

describe('the voice runtime', () => {
  it('answers by rules where the language model of the agent is not configured', async () => {
    const { url } = await startWith();
    expect(await (await post(url, 'Goodbye')).text()).toContain('Thank you, and goodbye.');
    expect(openAi.received).toEqual([]);
  });

  it("answers by a model of the operator's file, with the prompt of the agent", async () => {
    openAi.chat.push('Good day to you.');
    const { url } = await startWith({ MODELS_FILE: modelsFile() });
    expect(await (await post(url, 'Hello')).text()).toContain('"text":"Good day to you."');
    expect(JSON.stringify(openAi.received.at(-1)?.body)).toContain(found.config.systemPrompt);
  });

  it('reports an error, and no words, when no model answers', async () => {
    await openAi.stop();
    const { url } = await startWith({ MODELS_FILE: modelsFile() });
    const events = await (await post(url, 'Hello')).text();
    expect(events).toMatch(/^event: error\ndata: .*custom\/local: unreachable/);
    openAi = await startOpenAi({});
  });

  it('finishes the answer that it has begun before it stops, and accepts no other', async () => {
    let open: () => void = () => undefined;
    opened = new Promise((resolve) => {
      open = resolve;
    });
    const { url, stop } = await startWith();
    const begun = await post(url, 'Goodbye');
    const stopped = stop();
    open();
    expect(await begun.text()).toContain('event: end');
    await stopped;
    await expect(post(url, 'Hello')).rejects.toThrow('fetch failed');
  });

  it('does not start with a file of models that is not valid', async () => {
    const path = join(folder, 'models.json');
    writeFileSync(path, '{"models": [{}]}');
    await expect(startWith({ MODELS_FILE: path })).rejects.toThrow('models.json');
  });

  it('describes each of its variables in its help', () => {
    for (const name of Object.keys(Env.shape)) expect(help()).toContain(name);
    expect(help()).toContain('OPENAI_API_KEY');
  });
});
