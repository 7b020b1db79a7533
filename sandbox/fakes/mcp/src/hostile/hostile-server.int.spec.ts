// The hostile server misbehaves on the wire as the name of each mode says; otherwise a test against it proves nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type HostileMode, type HostileServer, startHostileServer } from './index.js';

const Listed = z.object({
  result: z.object({
    tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.looseObject({}) })),
    nextCursor: z.string().optional(),
  }),
});
const Answer = z.object({ id: z.union([z.string(), z.number()]), result: z.looseObject({}) });

let server: HostileServer;

beforeAll(async () => {
  server = await startHostileServer({ redirectTo: 'http://127.0.0.1:9/inside' });
});

afterAll(() => server?.stop());

const ask = (
  mode: HostileMode,
  method: string,
  params: object = {},
  init: RequestInit = {},
): Promise<Response> =>
  fetch(server.url(mode), {
    method: 'POST',
    redirect: 'manual',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    ...init,
  });

const call = (mode: HostileMode, init: RequestInit = {}): Promise<Response> =>
  ask(mode, 'tools/call', { name: 'echo', arguments: { text: 'good day' } }, init);

const tools = async (mode: HostileMode): Promise<z.infer<typeof Listed>['result']['tools']> =>
  Listed.parse(await (await ask(mode, 'tools/list')).json()).result.tools;

it('answers the honest mode as a server should', async () => {
  const initialized = await ask('honest', 'initialize', { protocolVersion: '2025-11-25' });
  expect(initialized.headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(Answer.parse(await initialized.json()).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect((await tools('honest')).map(({ name }) => name)).toEqual(['echo', 'headers']);
  expect(await (await call('honest')).json()).toMatchObject({
    id: 7,
    result: { content: [{ text: 'good day' }] },
  });
  expect(server.asked('honest')).toEqual(['initialize', 'tools/list', 'tools/call']);
});

it('answers the distant mode late, by a stream', async () => {
  const began = performance.now();
  const answer = await call('distant');
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(performance.now() - began).toBeGreaterThan(250);
  expect(await answer.text()).toContain('good day');
});

describe('answers that fail', () => {
  it.each(['hang-on-call', 'hang-on-connect'] as const)('%s keeps the answer to itself', async (mode) => {
    const given = new AbortController();
    const answer = call(mode, { signal: given.signal });
    const told = expect(answer).rejects.toThrow('enough');
    const honest = await call('honest');
    expect(honest.status).toBe(200);
    expect(server.open(mode)).toBe(1);
    given.abort(new Error('enough'));
    await told;
  });

  it('die-mid-answer breaks off', async () => {
    const answer = await call('die-mid-answer');
    await expect(answer.text()).rejects.toThrow();
  });

  it.each(['huge-answer', 'huge-list'] as const)('%s is larger than fifty megabytes', async (mode) => {
    const answer = mode === 'huge-list' ? await ask(mode, 'tools/list') : await call(mode);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50 * 1_024 * 1_024);
  });

  it('wrong-ids answers another question', async () => {
    expect(Answer.parse(await (await call('wrong-ids')).json()).id).not.toBe(7);
  });

  it('forgets-sessions answers a session once', async () => {
    const session = (await ask('forgets-sessions', 'initialize', { protocolVersion: '2025-11-25' })).headers;
    const headers = { 'mcp-session-id': session.get('mcp-session-id') ?? '' };
    const statuses = [
      await call('forgets-sessions', { headers }),
      await call('forgets-sessions', { headers }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 404]);
  });

  it('redirect leads inside', async () => {
    const answer = await call('redirect');
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/inside']);
  });

  it('no-json and no-json-rpc are not what they should be', async () => {
    await expect((await call('no-json')).json()).rejects.toThrow();
    expect(Answer.safeParse(await (await call('no-json-rpc')).json()).success).toBe(false);
  });
});

describe('streams', () => {
  it('slow-loris sends its headers at once and the rest by bytes', async () => {
    const given = new AbortController();
    const answer = await call('slow-loris', { signal: given.signal });
    const first = await answer.body?.getReader().read();
    expect(first?.value?.byteLength).toBe(1);
    given.abort();
  });

  it('notification-flood answers after 20,000 notifications', async () => {
    const events = (await (await call('notification-flood')).text()).trim().split('\n\n');
    expect(events).toHaveLength(20_001);
    expect(events.at(-1)).toContain('good day');
  });

  it('endless-stream ends with its reader alone', async () => {
    const given = new AbortController();
    const answer = await call('endless-stream', { signal: given.signal });
    const reader = answer.body?.getReader();
    let bytes = 0;
    while (bytes < 10_000_000) bytes += (await reader?.read())?.value?.byteLength ?? Number.NaN;
    expect(server.open('endless-stream')).toBe(1);
    given.abort();
  });
});

describe('lists', () => {
  it('changing-tools reads differently at each look', async () => {
    const [first] = await tools('changing-tools');
    const [second] = await tools('changing-tools');
    expect(first?.name).toBe(second?.name);
    expect(first?.description).not.toBe(second?.description);
  });

  it('schema-bomb nests 5,000 deep, and is megabytes large', async () => {
    const text = await (await ask('schema-bomb', 'tools/list')).text();
    expect(text.includes('{"type":"object","properties":{"a":'.repeat(5_000))).toBe(true);
    expect(text.length).toBeGreaterThan(4_000_000);
  });

  it('ten-thousand-tools has as many, and endless-pages has always more', async () => {
    expect(await tools('ten-thousand-tools')).toHaveLength(10_000);
    const page = Listed.parse(await (await ask('endless-pages', 'tools/list')).json()).result;
    expect(page.nextCursor).toBeDefined();
  });

  it('unusable-names and hidden-instructions have what they promise', async () => {
    expect((await tools('unusable-names')).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['../x', '']),
    );
    const [seen, unseen] = await tools('hidden-instructions');
    expect(seen?.description).toContain('<IMPORTANT>');
    expect(unseen?.description).toMatch(/[\u{e0020}-\u{e007e}]/u);
  });
});
