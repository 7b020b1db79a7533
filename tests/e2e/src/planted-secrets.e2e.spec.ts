// Plants secrets in every form that a webhook or a tool can use. The receivers get the secrets: one accepts, others
// repeat the whole request in their answers. Plants personal data in conversations of an agent that hides it, too. Then searches
// all that the platform wrote, stored, sent and answered for both.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@parlance/engines';
import { eventually } from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { type EchoingSystem, startEchoingSystem } from './testing/echoing-system.js';
import { generous } from './testing/generous.js';
import { foundPeople, messages, people, toolArguments, turns } from './testing/planted-people.js';
import { plantedTools, refusedTools } from './testing/planted-tools.js';
import {
  afterRotation,
  allTables,
  filesIn,
  found,
  literal,
  planted,
  random,
} from './testing/planted-values.js';
import { placeCalls, untilOver } from './testing/quick-calls.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const heard: string[] = [];
const answered: string[] = [];

let system: EchoingSystem;
let platform: RunningPlatform;
let account: Account;
let isRemoved = false;
let nats: Awaited<ReturnType<typeof connectNats>> | undefined;
beforeAll(async () => {
  system = await startEchoingSystem();
  platform = await runPlatform({
    LOG_LEVEL: 'trace',
    EGRESS_ALLOW_PRIVATE: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: system.collectorUrl,
    ...generous,
  });
  account = await new Accounts(platform).create('planted');
}, 240_000);
afterAll(async () => {
  await nats?.close();
  if (!isRemoved) await platform?.remove();
  system?.stop();
});

const ask = async (
  method: string,
  path: string,
  body?: unknown,
  credentials: Readonly<Record<string, string>> = account.headers,
) => {
  const response = await fetch(`${platform.api}${path}`, {
    method,
    headers: { ...credentials, 'content-type': 'application/json', 'idempotency-key': random() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  answered.push(`${JSON.stringify([...response.headers])} ${text}`);
  return { status: response.status, data: JSON.parse(text).data };
};

const webhook = (url: string, ids: Readonly<Record<string, string>>) => ({
  url,
  signingSecretId: ids.SIGNING,
  headers: {
    'X-Literal': `Bearer ${literal}`,
    'X-Id': { secretId: ids.BY_ID },
    'X-Split': '{{secrets.LEFT}}/{{ secrets.RIGHT }}',
    'X-Rotated': '{{secrets.ROTATED}}',
    'X-Lines': { secretId: ids.UNICODE },
    Authorization: 'Basic {{secrets.BASIC}}',
  },
  body: {
    key: '{{secrets.BODY}}',
    deep: [{ er: { key: 'Bearer {{secrets.NESTED | none}}', lines: { secretId: ids.UNICODE } } }],
    json: '{"key":"{{secrets.ESCAPED}}"}',
  },
});

const save = async (name: string, initiation: string, postCall: string, ids: Record<string, string>) => {
  const agent = await ask('POST', '/agents', { name, isActive: true, templateId: 'business' });
  const { data } = await ask('GET', `/agents/${agent.data.id}/config`);
  const { agentId: id, version: _v, createdAt: _c, updatedAt: _u, ...config } = data;
  const hooks = {
    initiation_webhook: webhook(initiation, ids),
    post_call_webhook: webhook(postCall, ids),
  };
  expect(await ask('POST', `/agents/${id}/config`, { ...config, ...hooks })).toMatchObject({ status: 200 });
  const refused = { ...config, initiation_webhook: { url: `${initiation}?key={{secrets.BODY}}` } };
  expect(await ask('POST', `/agents/${id}/config`, refused)).toMatchObject({ status: 422 });
  return String(id);
};

/** Makes every planted tool, gives it to the agent, and runs it as a person and as the runtime of a call. */
const runTools = async (ids: Readonly<Record<string, string>>, agentId: string, refusing: string) => {
  const callId = randomUUID();
  const { internalKey } = new DataFolder(platform.dataDir).secrets();
  const internal = { 'x-internal-key': internalKey };
  const { runtime } = (
    await ask('GET', `/agents/internal-config/${agentId}?callId=${callId}`, undefined, internal)
  ).data;
  const bearer = { authorization: `Bearer ${runtime.callToken}` };
  const told: Record<string, { test: unknown; inCall: unknown }> = {};
  for (const { name } of plantedTools(system.url, refusing, ids)) {
    const { id } = (await ask('GET', '/tools')).data.find((tool: { name: string }) => tool.name === name);
    const test = await ask('POST', `/tools/${id}/test`, { arguments: { id: '7' }, agentId });
    const path = `/runtime/calls/${callId}/tools/${name}`;
    const inCall = await ask('POST', path, { arguments: { id: '7' } }, bearer);
    expect([name, test.status, inCall.status]).toEqual([name, 200, 200]);
    told[name] = { test: test.data, inCall: inCall.data };
  }
  const megabyte = { arguments: { id: 'x'.repeat(1_048_576) } };
  expect(await ask('POST', `/runtime/calls/${callId}/tools/a_mirror`, megabyte, bearer)).toMatchObject({
    status: 413,
  });
  return told;
};

const makeTools = async (ids: Readonly<Record<string, string>>, agentId: string, refusing: string) => {
  for (const tool of plantedTools(system.url, refusing, ids)) {
    const made = await ask('POST', '/tools', tool);
    expect([tool.name, made.status]).toEqual([tool.name, 201]);
    expect((await ask('POST', `/tools/${made.data.id}/attach/${agentId}`)).status).toBe(200);
  }
  for (const [status, tool] of refusedTools(system.url))
    expect([tool, (await ask('POST', '/tools', tool)).status]).toEqual([tool, status]);
};

/** The requests that came to this path. */
const sentTo = (path: string) => system.received.filter((one) => one.path === path);

const hiding = { redaction: { kinds: ['card', 'telephone', 'mail', 'name'] }, timezone: 'America/New_York' };

/** An agent that hides personal data, with a tool and a webhook that get it. */
const hidingAgent = async (): Promise<string> => {
  const agent = await ask('POST', '/agents', { name: 'Hides', isActive: true, templateId: 'business' });
  const { id } = agent.data;
  const { data } = await ask('GET', `/agents/${id}/config`);
  const { agentId: _id, version: _v, createdAt: _c, updatedAt: _u, ...config } = data;
  const post_call_webhook = { url: `${system.url}/ok/people` };
  const saved = await ask('POST', `/agents/${id}/config`, { ...config, ...hiding, post_call_webhook });
  expect(saved.status).toBe(200);
  const parameter = { in: 'body', type: 'string', description: 'Which one', required: true, source: 'model' };
  const tool = await ask('POST', '/tools', {
    name: 'pay',
    description: 'Pays something.',
    parameters: Object.keys(toolArguments).map((name) => ({ ...parameter, name })),
    request: { method: 'POST', url: `${system.url}/said/pay` },
  });
  expect(tool.status).toBe(201);
  expect((await ask('POST', `/tools/${tool.data.id}/attach/${id}`)).status).toBe(200);
  return String(id);
};

/** The conversation in text. Its answers are the person's own, and are not searched. */
const talk = async (agentId: string): Promise<string> => {
  const begun = await ask('POST', `/agents/${agentId}/preview-conversations`, {});
  expect(begun.status).toBe(201);
  const { sessionId, callId } = begun.data;
  const path = `/agents/${agentId}/preview-conversations/${sessionId}`;
  // A conversation takes a few messages at once, and then one a second.
  for (const text of messages)
    await eventually(async () => {
      const answer = await fetch(`${platform.api}${path}/messages`, {
        method: 'POST',
        headers: { ...account.headers, 'content-type': 'application/json', 'idempotency-key': random() },
        body: JSON.stringify({ text }),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('event: done')]);
    });
  expect((await ask('POST', `${path}/end`)).status).toBe(200);
  return String(callId);
};

/** A call whose runtime redacts nothing: its turns while it lasts, a tool, and its hand-over. */
const call = async (agentId: string): Promise<string> => {
  const callId = randomUUID();
  const internal = { 'x-internal-key': new DataFolder(platform.dataDir).secrets().internalKey };
  const found = await ask('GET', `/agents/internal-config/${agentId}?callId=${callId}`, undefined, internal);
  const { agent, runtime } = found.data;
  const bearer = { authorization: `Bearer ${runtime.callToken}` };
  const ran = await fetch(`${platform.api}/runtime/calls/${callId}/tools/pay`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: toolArguments }),
  });
  expect([ran.status, await ran.text()]).toEqual([200, expect.stringContaining(people.card)]);
  const at = Date.now() - 60_000;
  const iso = (afterMs: number): string => new Date(at + afterMs).toISOString();
  const events = turns.map((turn) => ({ seq: turn.seq, at: iso(turn.startMs), type: 'turn', turn }));
  expect((await ask('POST', `/runtime/calls/${callId}/events`, { events }, bearer)).status).toBe(202);
  const handedOver = {
    ...{ eventId: randomUUID(), schemaVersion: 1, organizationId: agent.organizationId, agentId, callId },
    ...{ channel: 'preview', direction: 'inbound', status: 'completed', endedReason: 'user_hangup' },
    ...{ startedAt: iso(0), answeredAt: iso(0), endedAt: iso(30_000), transcript: turns },
    error: { reason: 'unknown', detail: `${people.card} was said` },
  };
  expect((await ask('POST', '/calls', handedOver, internal)).status).toBe(201);
  return callId;
};

describe('secrets and personal data', () => {
  it('reach the receivers that webhooks and tools use them for', async () => {
    const folder = new DataFolder(platform.dataDir);
    nats = await connectNats({
      url: `nats://parlance:${folder.secrets().natsToken}@127.0.0.1:${folder.state().ports.nats}`,
      name: 'listener',
    });
    nats.subscribe('>', {
      callback: (_, { subject, headers, data }) =>
        heard.push(`${subject} ${headers?.toString()} ${Buffer.from(data).toString('latin1')}`),
    });
    const ids: Record<string, string> = {};
    for (const [name, value] of Object.entries(planted)) {
      const made = await ask('POST', '/secrets', { name, value });
      expect(made.status).toBe(201);
      ids[name] = made.data.id;
    }
    const rotation = { value: afterRotation, keepPreviousForSeconds: 3_600 };
    expect(await ask('PUT', `/secrets/${ids.ROTATED}`, rotation)).toMatchObject({ status: 200 });
    const { url } = system;
    const refusing = `http://127.0.0.1:${await freePort()}/nobody`;
    const accepts = await save('Accepts', `${url}/ok/initiation`, `${url}/ok/call`, ids);
    const fails = await save('Fails', refusing, `${url}/echo/call`, ids);
    await makeTools(ids, accepts, refusing);
    const fromNumber = await new Accounts(platform).number(account);
    const to = ['+14155550100'];
    // The simulated runtime runs the first tool of the agent in its call.
    const placed = await placeCalls(platform, { account, agentId: accepts, fromNumber }, to);
    await placeCalls(platform, { account, agentId: fails, fromNumber }, to);
    await eventually(
      () => {
        for (const path of ['/ok/initiation', '/ok/call', '/echo/call', '/mirror/json'])
          expect(sentTo(path)).not.toEqual([]);
      },
      { timeoutMs: 60_000 },
    );
    const told = await runTools(ids, accepts, refusing);
    const [got] = sentTo('/ok/call');
    for (const value of [
      planted.BY_ID,
      `${planted.LEFT}/${planted.RIGHT}`,
      afterRotation,
      planted.BASIC,
      literal,
    ])
      expect(got?.headers).toContain(value);
    for (const value of [planted.BODY, planted.NESTED, planted.ESCAPED, planted.UNICODE])
      expect(got?.body).toContain(JSON.stringify(value).slice(1, -1));

    // Each form of a tool's request holds its secrets on the wire, so a search that finds nothing means something.
    const [json] = sentTo('/mirror/json');
    for (const value of [
      planted.BY_ID,
      `${planted.LEFT}${planted.RIGHT}`,
      `a ${afterRotation} b`,
      planted.BASIC,
    ])
      expect(json?.headers).toContain(value);
    expect(json?.headers).toContain(literal);
    for (const value of [planted.BODY, planted.NESTED, planted.ESCAPED, planted.UNICODE])
      expect(json?.body).toContain(JSON.stringify(value).slice(1, -1));
    for (const path of ['/mirror/json', `/mirror/${planted.LEFT}-form`, '/echo', '/moved', '/garbage']) {
      const [sent] = sentTo(path);
      expect([path, new URL(sent?.url ?? '', url).searchParams.get('key')]).toEqual([path, planted.ADDRESS]);
    }
    const [form] = sentTo(`/mirror/${planted.LEFT}-form`);
    expect(new URLSearchParams(form?.body).get('key')).toBe(planted.BODY);
    expect(JSON.parse(sentTo('/ok/preset').at(-1)?.body ?? '')).toMatchObject({ stolen: '•••' });
    expect(told).toMatchObject({
      a_mirror: { test: { error: null }, inCall: { isError: false, assignments: { stolen: '•••' } } },
      b_form: { test: { error: null }, inCall: { isError: false } },
      c_fails: {
        test: { error: { code: 'BAD_STATUS' } },
        inCall: { isError: true, result: { status: 500 } },
      },
      d_moved: { test: { error: null, response: { status: 200 } }, inCall: { isError: false } },
      e_garbage: { test: { error: { code: 'NETWORK' } }, inCall: { isError: true } },
      f_nobody: { test: { error: { code: 'NETWORK' } }, inCall: { isError: true } },
    });

    const listed = await ask('GET', '/secrets');
    expect(listed.data).toHaveLength(Object.keys(planted).length);
    for (const secret of listed.data) {
      const users = secret.usedBy.map(({ type }: { type: string }) => type);
      if (secret.name !== 'ADDRESS') expect(users.filter((type: string) => type === 'agent')).toHaveLength(2);
      if (secret.name !== 'SIGNING') expect(users).toContain('tool');
      expect(secret.lastUsedAt).not.toBeNull();
    }
    const [outbound] = await untilOver(platform, account, placed);
    const path = `/calls/${outbound?.callId}`;
    const transcript = await ask('GET', `${path}/transcripts`);
    expect(JSON.stringify(transcript.data)).toContain('a_mirror');
    const lists = [
      '/agents',
      `/agents/${accepts}/config`,
      '/calls',
      '/outbound-calls',
      '/calls/live',
      '/tools',
    ];
    for (const read of [...lists, `/tools/agent/${accepts}`, path])
      expect((await ask('GET', read)).status).toBe(200);
    expect(await ask('DELETE', `/secrets/${ids.BASIC}`)).toMatchObject({ status: 409 });
  }, 180_000);

  it('reach the tool and the person of a conversation whose agent hides them', async () => {
    const agentId = await hidingAgent();
    const calls = [await talk(agentId), await call(agentId)];
    await eventually(() => expect(sentTo('/ok/people')).toHaveLength(calls.length), { timeoutMs: 60_000 });
    expect(foundPeople(sentTo('/said/pay')[0]?.body ?? '')).toEqual(
      expect.arrayContaining([people.card, people.telephone, people.lastName]),
    );
    for (const callId of calls) {
      const transcript = await ask('GET', `/calls/${callId}/transcripts`);
      expect(JSON.stringify(transcript.data)).toContain('[card number]');
      expect((await ask('GET', `/calls/${callId}`)).status).toBe(200);
    }
  }, 120_000);

  it('are found in no answer, message, trace, delivery, table and file', async () => {
    const tables = await allTables(platform.dataDir);
    await nats?.close();
    const running = platform;
    await running.stop();

    expect(heard.length).toBeGreaterThan(50);
    expect(system.traced.length).toBeGreaterThan(0);
    for (const [place, text] of Object.entries({
      'an answer': answered.join('\n'),
      'a message on NATS': heard.join('\n'),
      'a trace': system.traced.join('\n'),
      'a table': tables,
    }))
      expect({ place, found: found(text) }).toEqual({ place, found: [] });
    // Requests between processes carry what is said, and no store keeps them.
    const kept = heard.filter((message) => message.startsWith('parlance.evt.'));
    expect(kept.length).toBeGreaterThan(10);
    const deliveries = sentTo('/ok/people').map(({ body, headers }) => `${headers} ${body}`);
    for (const [place, text] of Object.entries({
      'an answer': answered.join('\n'),
      'an event on NATS': kept.join('\n'),
      'a trace': system.traced.join('\n'),
      'a delivery': deliveries.join('\n'),
      'a table': tables,
    }))
      expect({ place, found: foundPeople(text) }).toEqual({ place, found: [] });
    const files = filesIn(running.dataDir).map((path) => ({
      path,
      found: ((text) => [...found(text), ...foundPeople(text)])(readFileSync(path, 'latin1')),
    }));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => file.found.length > 0)).toEqual([]);
    await running.remove();
    isRemoved = true;
  }, 180_000);
});
