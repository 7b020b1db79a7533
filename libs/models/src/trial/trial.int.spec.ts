import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { Egress } from '@parlance/egress';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import { tryModel } from './trial.js';

const key = 'sk-a-long-key-of-an-organization';
let fake: RunningOpenAi;
let egress: Egress;
const servers: Server[] = [];

beforeAll(async () => {
  fake = await startOpenAi({ apiKey: key });
  egress = new Egress({ allowPrivate: ['127.0.0.1'] });
});
afterEach(() => {
  fake.chat.clear();
  fake.audio.clear();
  fake.faults.clear();
  fake.received.length = 0;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(async () => {
  await egress.close();
  await fake.stop();
});

const serverWith = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
};

const endpointOf = (kind: OpenAiEndpoint['kind'], change: Partial<OpenAiEndpoint> = {}): OpenAiEndpoint => ({
  via: 'openai',
  kind,
  id: 'custom/own',
  baseUrl: fake.url,
  model: 'own',
  apiKey: new Secret(key),
  dialect: 'compatible',
  firstChunkMs: undefined,
  organizationId: 'org',
  ...change,
});
const trialOf = (endpoint: OpenAiEndpoint, withinMs = 10_000) =>
  tryModel(endpoint, { egress, voice: 'alloy', language: 'en', withinMs });
const kinds = ['llm', 'stt', 'tts'] as const;

describe('the trial of a model that works', () => {
  it('answers the word of a language model, with the time to it', async () => {
    fake.chat.push('Hello');
    const trial = await trialOf(endpointOf('llm'));
    expect(trial).toMatchObject({ ok: true, text: 'Hello', audio: null, error: null });
    expect(trial.firstByteMs).toBeLessThanOrEqual(trial.totalMs);
    expect(fake.received[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('answers what recognition heard in the recording', async () => {
    fake.audio.push('One, two, three.');
    expect(await trialOf(endpointOf('stt'))).toMatchObject({ ok: true, text: 'One, two, three.' });
  });

  it('answers the sentence of a voice as a file to listen to', async () => {
    const { ok, audio } = await trialOf(endpointOf('tts'));
    expect(ok).toBe(true);
    const file = Buffer.from(audio?.base64 ?? '', 'base64');
    expect([file.subarray(0, 4).toString(), file.length]).toEqual(['RIFF', audio?.bytes]);
    expect(audio?.durationMs).toBe(Math.round((file.length - 44) / 48));
    expect(fake.received[0]?.body).toMatchObject({ voice: 'alloy', model: 'own', response_format: 'pcm' });
  });
});

describe.each(kinds)('the trial of %s at a server that does not work', (kind) => {
  const codeOf = async (listener: RequestListener, withinMs?: number) => {
    const { ok, error } = await trialOf(endpointOf(kind, { baseUrl: await serverWith(listener) }), withinMs);
    expect(ok).toBe(false);
    return { code: error?.code, status: error?.status, excerpt: error?.excerpt };
  };

  it('shows the beginning of a page of HTML', async () => {
    const html = (_: unknown, response: Parameters<RequestListener>[1]) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Welcome</h1>${'x'.repeat(5_000)}`);
    const { code, status, excerpt } = await codeOf(html);
    expect([code, status]).toEqual(['NOT_THE_PROTOCOL', 200]);
    expect(excerpt).toMatch(/^<h1>Welcome<\/h1>x+$/);
    expect(excerpt).toHaveLength(200);
  });

  it('does not follow a redirect with the key', async () => {
    const followed: string[] = [];
    const elsewhere = await serverWith((request, response) => {
      followed.push(request.url ?? '');
      response.end();
    });
    const redirect: RequestListener = (_, response) =>
      response.writeHead(307, { location: `${elsewhere}/chat/completions` }).end();
    expect(await codeOf(redirect)).toMatchObject({ code: 'NOT_THE_PROTOCOL', status: 307 });
    expect(followed).toEqual([]);
  });

  it('shows nothing of an answer about the key, and nothing that holds a piece of it', async () => {
    const echo =
      (status: number): RequestListener =>
      (_, response) =>
        response.writeHead(status).end(`The key ${key.slice(3, 15)}... is not ours.`);
    expect(await codeOf(echo(401))).toEqual({ code: 'KEY_REFUSED', status: 401, excerpt: null });
    expect(await codeOf(echo(400))).toEqual({ code: 'REFUSED', status: 400, excerpt: null });
  });

  it.each([
    [404, 'UNKNOWN_MODEL'],
    [422, 'REFUSED'],
    [429, 'RATE_LIMITED'],
    [503, 'SERVER_ERROR'],
  ])('says what the status %i means, with the words of the server', async (status, code) => {
    const refusal: RequestListener = (_, response) => response.writeHead(status).end('Because.\u0000\n');
    expect(await codeOf(refusal)).toEqual({ code, status, excerpt: 'Because.' });
  });

  it('ends at its deadline when the server sends nothing, or a body without an end', async () => {
    expect(await codeOf(() => undefined, 100)).toMatchObject({ code: 'TIMEOUT', status: null });
    const drip: RequestListener = (_, response) => {
      response.writeHead(500);
      response.write('…');
    };
    expect(await codeOf(drip, 300)).toMatchObject({ status: 500 });
  });

  it('says so when the address is not allowed, or nobody is there', async () => {
    const at = async (baseUrl: string) => (await trialOf(endpointOf(kind, { baseUrl }))).error?.code;
    expect(await at('https://10.0.0.1/v1')).toBe('ADDRESS_NOT_ALLOWED');
    expect(await at('http://127.0.0.1:1/v1')).toBe('NOT_REACHABLE');
  });
});

describe('an answer that is not the protocol', () => {
  it('is known by its JSON, its stream, or its want of anything', async () => {
    const codeOf = async (kind: OpenAiEndpoint['kind'], type: string, body: string) => {
      const listener: RequestListener = (_, response) =>
        response.writeHead(200, { 'content-type': type }).end(body);
      return (await trialOf(endpointOf(kind, { baseUrl: await serverWith(listener) }))).error?.code;
    };
    expect(await codeOf('llm', 'application/json', '{"choices":[]}')).toBe('NOT_THE_PROTOCOL');
    expect(await codeOf('llm', 'text/event-stream', 'data: {broken\n\n')).toBe('NOT_THE_PROTOCOL');
    expect(await codeOf('stt', 'application/json', '{broken')).toBe('NOT_THE_PROTOCOL');
    expect(await codeOf('stt', 'application/json', '{"words":[]}')).toBe('NOT_THE_PROTOCOL');
    expect(await codeOf('stt', 'application/json', '{"text":" "}')).toBe('EMPTY');
    expect(await codeOf('tts', 'audio/pcm', '')).toBe('EMPTY');
  });

  it('is cut off when it has no end', async () => {
    const endless: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on('drain', more);
      more();
    };
    const trial = await trialOf(endpointOf('stt', { baseUrl: await serverWith(endless) }));
    expect(trial.error?.code).toBe('TOO_LARGE');
  });
});
