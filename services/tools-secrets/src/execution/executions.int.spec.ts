import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, serviceRequests, type ToolTestFacts, type ToolValues } from '@parlance/contracts';
import { callerEnvOf, eventually } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { parseJson, stringifyJson } from '@parlance/json';
import { createLogger, systemClock, systemIds } from '@parlance/observability';
import { EventSeals } from '@parlance/rpc';
import { newOrganization } from '../testing/organization.js';
import { World } from '../testing/world.js';
import { recordLostRuns } from './recording.js';
import { beginRun } from './runs-repository.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world.stop());

const parameter = (name: string, place: 'path' | 'query' | 'body', change: object = {}) => ({
  ...{
    name,
    in: place,
    type: 'string' as const,
    description: name,
    required: true,
    source: 'model' as const,
  },
  ...change,
});

describe('an execution in a call', () => {
  it('gets the real words where the agent hides personal data, and no record has them', async () => {
    const org = newOrganization(world);
    world.system.answers.set('/pay', (_, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ payer: 'Ms. Lovelace' })),
    );
    const tool = await org.create('pay', '', {
      request: { method: 'POST', url: world.system.url('/pay') },
      parameters: [parameter('card', 'body'), parameter('phone', 'body')],
    });
    const call = await org.inCall(tool);
    world.hiding.add(call.agentId);
    const args = { card: '4111 1111 1111 1111', phone: '+1 212 555 0187' };
    expect(await org.run(call, 'pay', args)).toMatchObject({ result: { payer: 'Ms. Lovelace' } });
    expect(JSON.parse(world.system.sentTo('/pay')[0]?.body ?? '')).toEqual(args);
    const told = await eventually(() => {
      const [event] = world.eventsOf(org.id, events.toolExecuted);
      expect(event?.data).toMatchObject({
        arguments: { card: '[card number]', phone: '[telephone number]' },
        result: { payer: 'Ms. [name]' },
      });
      return event;
    });
    const { rows } = await world.db.query<{ row: string }>(
      'select t::text as row from tool_runs t where organization_id = $1',
      [org.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([told, rows])).not.toMatch(/4111|0187|Lovelace/);
  });

  it('sends the values of tool, model and call, and answers only the parts that the tool includes', async () => {
    const org = newOrganization(world);
    world.system.answers.set('/orders/a%2Fb', (_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ order: { state: 'sent', cost: 3 }, internal: 'x' })),
    );
    const tool = await org.create('order', '', {
      request: {
        ...{ method: 'POST', url: world.system.url('/orders/{id}'), bodyTemplate: { who: '{{customer}}' } },
        headers: { 'x-call': '{{system.callId}}' },
      },
      parameters: [
        parameter('id', 'path'),
        parameter('q', 'query', { required: false }),
        parameter('city', 'body', { source: 'preset', value: '{{city}}' }),
        parameter('pin', 'body', { sensitive: true }),
      ],
      response: { include: ['order.state'], assignments: [{ variable: 'state', path: 'order.state' }] },
    });
    const call = await org.inCall(tool);
    const args = { id: 'a/b', q: 'x&y=z', pin: '4711' };
    const answer = await org.run(call, 'order', args);
    expect(answer).toMatchObject({
      ...{ result: { order: { state: 'sent' } }, assignments: { state: 'sent' }, isError: false },
    });
    const [sent] = world.system.sentTo('/orders/a%2Fb');
    expect(sent).toMatchObject({ method: 'POST', url: '/orders/a%2Fb?q=x%26y%3Dz' });
    expect(JSON.parse(sent?.body ?? '')).toEqual({ who: 'Ada', city: 'Paris', pin: '4711' });
    expect(sent?.headers['x-call']).toBe(call.callId);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.toolExecuted)[0]?.data).toMatchObject({
        ...{ callId: call.callId, name: 'order', status: 'ok', httpStatus: 200 },
        arguments: { id: 'a/b', q: 'x&y=z', pin: '•••' },
      }),
    );
    // A later tool of the call reads the variable that this tool assigned.
    const next = await org.create('next', '/next', {
      parameters: [parameter('state', 'query', { source: 'preset', value: '{{state}}' })],
    });
    await org.attach(next.id, call.agentId);
    await org.run(call, 'next');
    expect(world.system.sentTo('/next')[0]?.url).toBe('/next?state=sent');
    const { data: runs } = await world.rpc.call(
      serviceRequests.toolsRunsOfCall,
      { body: { callId: call.callId } },
      { caller: org.caller, requestId: randomUUID() },
    );
    expect(runs).toMatchObject([
      {
        ...{
          callId: call.callId,
          agentId: call.agentId,
          name: 'order',
          result: { order: { state: 'sent' } },
        },
        ...{ arguments: { pin: '•••' }, assignments: { state: 'sent' } },
      },
      { name: 'next', arguments: {} },
    ]);
    await eventually(async () =>
      expect((await org.list()).find(({ name }) => name === 'order')?.stats24h).toMatchObject({
        ...{ runs: 1, failures: 0, p95Ms: expect.any(Number) },
      }),
    );
  });

  it('keeps every digit of numbers in the answer, the variables, the arguments and the records', async () => {
    const org = newOrganization(world);
    const numbers = '[9007199254740993,-0,1.0,1E400,0.1000000000000000055]';
    world.system.answers.set('/numbers', (_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(`\uFEFF{"orderId":7615917337495251231,"list":${numbers},"internal":1.50}`),
    );
    const bodyTemplate = parseJson(`{"fixed":${numbers}}`) as Record<string, number[]>;
    const tool = await org.create('numbers', '', {
      request: { method: 'POST', url: world.system.url('/numbers'), bodyTemplate },
      parameters: [
        parameter('n', 'query', { type: 'number' }),
        parameter('id', 'body', { type: 'integer' }),
        parameter('count', 'body', { type: 'integer' }),
        parameter('preset', 'body', {
          type: 'integer',
          source: 'preset',
          value: '{{orderId}}',
          required: false,
        }),
      ],
      response: {
        include: ['orderId', 'list'],
        assignments: [
          { variable: 'orderId', path: 'orderId' },
          { variable: 'last', path: 'list.4' },
        ],
      },
    });
    const call = await org.inCall(tool);
    const args = parseJson(`{"n":1.50,"id":${'9'.repeat(400)},"count":3.0}`) as Record<string, number>;
    const executionId = randomUUID();
    const answer = await org.run(call, 'numbers', args, executionId);
    expect(stringifyJson(answer.result)).toBe(`{"orderId":7615917337495251231,"list":${numbers}}`);
    expect(answer.assignments).toEqual({ orderId: '7615917337495251231', last: '0.1000000000000000055' });
    expect(stringifyJson(await org.run(call, 'numbers', args, executionId))).toBe(stringifyJson(answer));
    await org.run(call, 'numbers', args);
    const [first, second] = world.system.sentTo('/numbers');
    expect(first?.url).toBe('/numbers?n=1.50');
    expect(first?.body).toBe(`{"fixed":${numbers},"id":${'9'.repeat(400)},"count":3}`);
    expect(second?.body).toBe(
      `{"fixed":${numbers},"id":${'9'.repeat(400)},"count":3,"preset":7615917337495251231}`,
    );
    await eventually(() =>
      expect(stringifyJson(world.eventsOf(org.id, events.toolExecuted)[0]?.data.arguments)).toContain(
        '"n":1.50',
      ),
    );
  });

  it.each([
    [
      'application/json; charset=iso-8859-1',
      Buffer.from('{"name":"Müller €"}'.replace('€', '\x80'), 'latin1'),
      'Müller €',
    ],
    ['application/json; charset=utf-16', Buffer.from('\uFEFF{"name":"Łukasz"}', 'utf16le'), 'Łukasz'],
    ['text/plain; charset=shift_jis', Buffer.from('95d48be0', 'hex'), '返金'],
  ])('reads an answer of the type %s by its charset', async (type, body, text) => {
    const org = newOrganization(world);
    const path = `/charset/${randomUUID()}`;
    world.system.answers.set(path, (_, response) => response.setHeader('content-type', type).end(body));
    const call = await org.inCall(await org.create('charset', path));
    expect(JSON.stringify((await org.run(call, 'charset')).result)).toContain(text);
  });

  it('fails with a sentence where nothing tells the charset of the answer', async () => {
    const org = newOrganization(world);
    world.system.answers.set('/unknown-charset', (_, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(Buffer.from('{"name":"\xc2\xee\xe7"}', 'latin1')),
    );
    const tool = await org.create('unknown', '/unknown-charset');
    expect(await org.test(tool.id)).toMatchObject({
      error: { code: 'NETWORK', message: expect.stringMatching(/no UTF-8.*Content-Type names no charset/) },
    });
  });

  it('fills presets with the variables of the initiation webhook, digit for digit, below those of the call', async () => {
    const org = newOrganization(world);
    const preset = (name: string) => parameter(name, 'query', { source: 'preset', value: `{{${name}}}` });
    const tool = await org.create('init', '/init', {
      parameters: ['orderId', 'customer', 'city'].map(preset),
    });
    const call = await org.inCall(tool);
    const orderId = '9007199254740993';
    world.initiations.set(call.callId, { orderId, customer: 'Webhook', city: 'Bonn' });
    await org.run(call, 'init');
    expect(world.system.sentTo('/init')[0]?.url).toBe(`/init?orderId=${orderId}&customer=Ada&city=Bonn`);
  });

  it('sends nothing for arguments that do not fit, and answers with an error', async () => {
    const org = newOrganization(world);
    const tool = await org.create('count', '/count', {
      parameters: [
        parameter('n', 'query', { type: 'integer' }),
        parameter('kind', 'query', { enum: ['big'], required: false }),
      ],
    });
    const call = await org.inCall(tool);
    const wrong: Record<string, string | number | boolean>[] = [
      {},
      { n: '1' },
      { n: 1.5 },
      { n: 1, kind: 'small' },
      { n: 1, extra: true },
      JSON.parse('{ "n": 1, "constructor": 1 }'),
      JSON.parse('{ "__proto__": { "n": 1 } }'),
    ];
    for (const args of wrong) expect(await org.run(call, 'count', args)).toMatchObject({ isError: true });
    for (const length of [70_000, 500_000])
      expect(await org.run(call, 'count', { n: 1, pad: 'x'.repeat(length) })).toMatchObject({
        isError: true,
      });
    const run = await org.test(tool.id, { n: 'x' });
    expect(run).toMatchObject({ request: null, response: null, error: { code: 'INVALID_ARGUMENTS' } });
    expect(world.system.sentTo('/count')).toEqual([]);
    // An argument of this name is dropped: it becomes no argument, and brings none along.
    await org.run(call, 'count', JSON.parse('{ "n": 1, "__proto__": { "kind": "big" } }'));
    expect(world.system.sentTo('/count').map(({ url }) => url)).toEqual(['/count?n=1']);
  });

  it('happens once when the runtime asks for it twice', async () => {
    const org = newOrganization(world);
    const tool = await org.create('book', '/book', {
      request: { method: 'POST' },
      parameters: [parameter('n', 'body')],
    });
    const call = await org.inCall(tool);
    const executionId = randomUUID();
    const answers = await Promise.all(['1', '1', '1'].map((n) => org.run(call, 'book', { n }, executionId)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(world.system.sentTo('/book')).toHaveLength(1);
    expect(world.system.sentTo('/book')[0]?.headers['idempotency-key']).toBe(executionId);
    expect(await refusalCode(org.run(call, 'book', { n: '2' }, executionId))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is refused for tools that the agent does not have any more, and long after the end of the call', async () => {
    const org = newOrganization(world);
    const tool = await org.create('look_up', '/a');
    const call = await org.inCall(tool);
    expect(await org.run(call, 'look_up')).toMatchObject({ isError: false });
    expect(await refusalCode(org.run(call, 'Look_Up'))).toBe('TOOL_NOT_FOUND');
    const other = newOrganization(world);
    expect(await refusalCode(other.run(call, 'look_up'))).toBe('TOOL_NOT_FOUND');
    await org.endCall(call, new Date(Date.now() - 60_000));
    const ended = await org.inCall(tool);
    await org.endCall(ended, new Date(Date.now() - 660_000));
    await eventually(async () =>
      expect(await refusalCode(org.run(ended, 'look_up'))).toBe('UNAUTHENTICATED'),
    );
    expect(await org.run(call, 'look_up')).toMatchObject({ isError: false });
    await world.ask(contract.toolsDelete, { params: { toolId: tool.id } }, org.caller);
    expect(await refusalCode(org.run(call, 'look_up'))).toBe('TOOL_NOT_FOUND');
  });

  it('of a tool of an MCP server is handed on, and a tool of the agent comes first', async () => {
    const org = newOrganization(world);
    const own = await org.create('both', '/both');
    const call = await org.inCall(own);
    const answer = { result: 'from the server', assignments: {}, durationMs: 3, isError: false };
    world.mcpResults = new Map([
      ['both', answer],
      ['shop_find', answer],
    ]);
    expect(await org.run(call, 'shop_find')).toEqual(answer);
    expect(await org.run(call, 'both')).toMatchObject({ result: { path: '/both' } });
    expect(await refusalCode(org.run(call, 'unknown'))).toBe('TOOL_NOT_FOUND');
    world.mcpResults = undefined;
    expect(await org.run(call, 'shop_find')).toMatchObject({ isError: true, result: expect.any(String) });
    world.mcpResults = new Map();
  });

  it('that is under way ends well when its tool and its secret are deleted meanwhile, and is on record', async () => {
    const org = newOrganization(world);
    const { id: secretId } = await org.secret('SHORT_LIVED', 'short-lived-value');
    const waiting: ServerResponse[] = [];
    world.system.answers.set('/waits', (_, response) => void waiting.push(response));
    const headers = { 'x-key': { secretId } };
    const tool = await org.create('waits', '/waits', { timeoutMs: 60_000, request: { headers } });
    const call = await org.inCall(tool);
    const running = org.run(call, 'waits');
    await eventually(() => expect(waiting).toHaveLength(1));
    await world.ask(contract.toolsDelete, { params: { toolId: tool.id } }, org.caller);
    await world.ask(contract.secretsDelete, { params: { secretId } }, org.caller);
    waiting[0]?.end('short-lived-value came');
    expect(await running).toMatchObject({ result: '••• came', isError: false });
    expect(await refusalCode(org.run(call, 'waits'))).toBe('TOOL_NOT_FOUND');
    await eventually(() =>
      expect(world.eventsOf(org.id, events.toolExecuted)).toMatchObject([{ data: { status: 'ok' } }]),
    );
  });

  it('that was lost with its process ends with one duration in its row, its announcement and the numbers', async () => {
    const org = newOrganization(world);
    const tool = await org.create('lost', '/lost');
    const { agentId, callId } = await org.inCall(tool);
    const run = { organizationId: org.id, callId, executionId: randomUUID(), toolId: tool.id, agentId };
    const startedAt = new Date(Date.now() - 130_000);
    await beginRun(world.db, { ...run, toolName: 'lost', requestHash: 'h', startedAt });
    const parts = {
      db: world.db,
      clock: systemClock,
      ids: systemIds,
      seals: new EventSeals('tools-secrets', callerEnvOf('tools-secrets')),
      logger: createLogger({ service: 'test', level: 'silent' }),
    };
    await recordLostRuns(parts);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.toolExecuted)[0]?.data).toMatchObject({
        ...{ executionId: run.executionId, status: 'error', durationMs: 120_000, httpStatus: null },
      }),
    );
    const { rows } = await world.db.query<{ duration_ms: number }>(
      'select duration_ms from tool_runs where organization_id = $1',
      [org.id],
    );
    expect(rows).toEqual([{ duration_ms: 120_000 }]);
    const [{ stats24h } = { stats24h: undefined }] = await org.list();
    expect(stats24h).toMatchObject({ runs: 1, failures: 1 });
    expect(stats24h?.p95Ms).toBeGreaterThanOrEqual(120_000);
    expect(stats24h?.p95Ms).toBeLessThan(132_000);
  });
});

describe('an execution with the facts of the gateway', () => {
  const preset = (name: string, value: string) => parameter(name, 'query', { source: 'preset', value });
  const values: ToolValues = {
    call: {
      ...{ campaignId: null, direction: 'inbound', fromNumber: '+14155550100', toNumber: '+14155550199' },
      ...{ startedAt: new Date().toISOString(), answeredAt: null, dynamicVariables: { customer: 'Grace' } },
    },
    agent: { variables: { customer: 'Ada', city: 'Lyon' }, timezone: 'Europe/Paris' },
  };

  it('fills placeholders with the values of the call and the agent, and requests nothing of other services', async () => {
    const org = newOrganization(world);
    const tool = await org.create('composed', '/composed', {
      parameters: [
        preset('who', '{{customer}}'),
        preset('city', '{{city}}'),
        preset('from', '{{system.callerNumber}}'),
        preset('zone', '{{system.timezone}}'),
      ],
    });
    const call = await org.inCall(tool);
    world.requested.length = 0;
    expect(await org.runWith({ values, redaction: null }, call, 'composed')).toMatchObject({
      isError: false,
    });
    const [sent] = world.system.sentTo('/composed');
    expect(Object.fromEntries(new URL(sent?.url ?? '', 'http://x').searchParams)).toEqual({
      ...{ who: 'Grace', city: 'Lyon', from: '+14155550100', zone: 'Europe/Paris' },
    });
    await eventually(() => expect(world.eventsOf(org.id, events.toolExecuted)).toHaveLength(1));
    expect(world.requested).toEqual([]);
  });

  it('sends nothing and is on record as failed where the values could not be read', async () => {
    const org = newOrganization(world);
    const tool = await org.create('unread', '/unread', { parameters: [preset('who', '{{customer}}')] });
    const call = await org.inCall(tool);
    expect(await org.runWith({ values: null, redaction: null }, call, 'unread')).toMatchObject({
      isError: true,
    });
    expect(world.system.sentTo('/unread')).toEqual([]);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.toolExecuted)).toMatchObject([{ data: { status: 'error' } }]),
    );
  });

  it('has in its record what the agent does not hide, as the gateway read it', async () => {
    const org = newOrganization(world);
    const tool = await org.create('kept', '/kept', { parameters: [parameter('card', 'query')] });
    const call = await org.inCall(tool);
    // A request of agents-config would hide everything.
    world.hiding.add(call.agentId);
    const args = { card: '4111 1111 1111 1111' };
    await org.runWith({ values: null, redaction: null }, call, 'kept', args);
    const redaction = { language: 'en', timezone: 'UTC', kinds: ['card' as const] };
    await org.runWith({ values: null, redaction }, call, 'kept', args);
    await eventually(() =>
      expect(world.eventsOf(org.id, events.toolExecuted).map(({ data }) => data.arguments)).toEqual([
        args,
        { card: '[card number]' },
      ]),
    );
  });

  it('is announced to need values only where its tool has placeholders for them', async () => {
    const org = newOrganization(world);
    const plain = await org.create('plain', '/plain');
    const filled = await org.create('filled', '/filled', { parameters: [preset('who', '{{customer}}')] });
    const { agentId } = await org.inCall(plain, filled);
    const needs = (toolName: string) =>
      world.ask(serviceRequests.toolsNeeds, { body: { agentId, toolName } }, org.caller);
    expect(await needs('plain')).toEqual({ isTool: true, needsValues: false });
    expect(await needs('filled')).toEqual({ isTool: true, needsValues: true });
    expect(await needs('other')).toEqual({ isTool: false, needsValues: false });
    const other = newOrganization(world);
    expect(
      await world.ask(serviceRequests.toolsNeeds, { body: { agentId, toolName: 'plain' } }, other.caller),
    ).toEqual({ isTool: false, needsValues: false });
  });
});

describe('a test of a tool with the facts of the gateway', () => {
  it('has the values of the agent, and is refused for one that is unknown or could not be read', async () => {
    const org = newOrganization(world);
    const tool = await org.create('tried', '/tried', {
      parameters: [parameter('city', 'query', { source: 'preset', value: '{{city}}' })],
    });
    const agentId = randomUUID();
    const test = (composed: ToolTestFacts) =>
      world.ask(
        contract.toolsTest,
        { params: { toolId: tool.id }, body: { arguments: {}, agentId }, composed },
        org.caller,
      );
    world.requested.length = 0;
    const values = { call: null, agent: { variables: { city: 'Lyon' }, timezone: 'UTC' } };
    expect(await test({ agent: 'exists', values })).toMatchObject({ error: null });
    expect(world.system.sentTo('/tried')[0]?.url).toBe('/tried?city=Lyon');
    expect(await refusalCode(test({ agent: 'unknown', values: null }))).toBe('AGENT_NOT_FOUND');
    expect(await refusalCode(test({ agent: 'unread', values: null }))).toBe('SERVICE_UNAVAILABLE');
    expect(world.requested).toEqual([]);
  });
});

describe('secrets', () => {
  const value = 'pl"anted/s+e cret=é1';
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('hex'),
  ];

  /** The secret inside the credentials of basic authentication. */
  const inside = Buffer.from(`user:${value}`).toString('base64');

  it('are sent, and no answer, test or record holds any form of them that comes back', async () => {
    const org = newOrganization(world);
    const { id } = await org.secret('PLANTED', value);
    world.system.answers.set('/echo', (_, response) =>
      response
        .setHeader('x-echo', encodeURIComponent(value))
        .end(JSON.stringify({ forms, inside, nested: [{ value }] })),
    );
    const tool = await org.create('echo', '', {
      onError: 'passthrough',
      request: {
        ...{ method: 'POST', url: world.system.url('/echo?key={{secrets.PLANTED}}') },
        headers: {
          'x-a': { secretId: id },
          'x-b': 'Bearer {{secrets.PLANTED}}',
          'x-c': 'literal-credential',
        },
        bodyTemplate: { deep: [{ token: 'a {{secrets.PLANTED}} b' }] },
      },
      response: { assignments: [{ variable: 'stolen', path: 'nested.0.value' }] },
    });
    const call = await org.inCall(tool);
    const told = [await org.run(call, 'echo'), await org.test(tool.id), await org.list()];
    world.system.answers.set('/echo', (_, response) => {
      response.statusCode = 500;
      response.end([...forms, inside].join(' '));
    });
    told.push(await org.run(call, 'echo'), await org.test(tool.id));
    const [sent] = world.system.sentTo('/echo');
    expect(JSON.parse(sent?.body ?? '').deep[0].token).toBe(`a ${value} b`);
    expect(new URL(sent?.url ?? '', 'http://x').searchParams.get('key')).toBe(value);
    expect(sent?.headers['x-c']).toBe('literal-credential');
    await eventually(() => expect(world.eventsOf(org.id, events.toolExecuted)).toHaveLength(2));
    const { rows } = await world.db.query('select tool_runs::text as text from tool_runs');
    const everything = JSON.stringify([told, rows, world.published]);
    expect(everything).toContain('•••');
    for (const form of [...forms, inside.slice(8, -4), 'literal-credential'])
      expect([form, everything.includes(JSON.stringify(form).slice(1, -1))]).toEqual([form, false]);
  });
});

describe('another system that misbehaves', () => {
  const big = Buffer.alloc(1_000_000, 'x');
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));

  it('fails its own execution within the time and size limits, with a code for the failure', async () => {
    const org = newOrganization(world);
    const drip = (
      response: { write(chunk: Buffer | string): boolean; destroyed: boolean },
      chunk: Buffer | string,
    ) => {
      const timer = setInterval(() => {
        if (response.destroyed) clearInterval(timer);
        else response.write(chunk);
      }, 20);
      timer.unref();
    };
    const system = world.system.answers;
    system.set('/inside', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    system.set('/elsewhere', (_, response) =>
      response.writeHead(307, { location: world.system.url('/a') }).end(),
    );
    system.set('/endless', (_, response) =>
      drip(response.setHeader('content-type', 'application/json'), big),
    );
    system.set('/slow', (_, response) => drip(response, ' '));
    system.set('/silent', () => undefined);
    system.set('/bomb', (_, response) =>
      response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip').end(bomb),
    );
    system.set('/gone', (request) => request.socket.destroy());
    const codeOf = async (path: string, timeoutMs = 60_000, method: 'GET' | 'POST' = 'GET') => {
      const tool = await org.create(`t${path.slice(1)}${method}`, path, {
        timeoutMs,
        request: { method },
      });
      return (await org.test(tool.id)).error?.code;
    };
    expect(await codeOf('/inside')).toBe('URL_NOT_ALLOWED');
    expect(await codeOf('/elsewhere', 60_000, 'POST')).toBe('BAD_STATUS');
    expect(await codeOf('/endless')).toBe('TOO_LARGE');
    expect(await codeOf('/slow', 1_000)).toBe('TIMEOUT');
    expect(await codeOf('/silent', 1_000)).toBe('TIMEOUT');
    expect(await codeOf('/bomb')).toBe('TOO_LARGE');
    expect(await codeOf('/gone')).toBe('NETWORK');
  }, 120_000);

  it('may send broken JSON: the model is told the text, cut to the limit of the tool', async () => {
    const org = newOrganization(world);
    world.system.answers.set('/lies', (_, response) =>
      response.setHeader('content-type', 'application/json').end(`{"broken": ${'\u0000x'.repeat(100)}`),
    );
    const tool = await org.create('lies', '/lies', { response: { maxChars: 20, include: ['a'] } });
    expect((await org.test(tool.id)).result).toBe(`{"broken": ${'x'.repeat(9)}`);
  });

  it('holds up no other tool and no other call', async () => {
    const org = newOrganization(world);
    const held: ServerResponse[] = [];
    world.system.answers.set('/hangs', (_, response) => void held.push(response));
    const hanging = await Promise.all(
      Array.from({ length: 10 }, (_, i) => org.create(`hangs_${i}`, '/hangs', { timeoutMs: 60_000 })),
    );
    const quick = await org.create('quick', '/quick');
    const call = await org.inCall(quick, ...hanging);
    const stuck = Array.from({ length: 50 }, (_, i) => org.run(call, `hangs_${i % 10}`));
    // The number alone: an assertion about the answers themselves would write all of them down at every try.
    await eventually(() => expect(held.length).toBe(50));
    const isStuck = Promise.race(stuck).then(() => 'over');
    const others = Array.from({ length: 100 }, () =>
      org.run({ ...call, callId: `c${randomUUID()}` }, 'quick'),
    );
    // Every quick execution has its answer while all of the others hang.
    const first = await Promise.race([isStuck, Promise.all(others)]);
    expect(first).not.toBe('over');
    expect((await Promise.all(others)).every(({ isError }) => !isError)).toBe(true);
    for (const response of held) response.destroy();
    expect((await Promise.all(stuck)).every(({ isError }) => isError)).toBe(true);
  }, 120_000);
});
