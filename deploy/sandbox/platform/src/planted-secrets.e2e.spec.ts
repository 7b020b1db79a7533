// Plants secrets in every form that a webhook can use. Both receivers get the secrets: one accepts, one fails and
// repeats the whole request. The test then searches all that the platform wrote, stored, sent and answered for the
// secrets.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createDatabase } from '@parlance/persistence';
import { connectNats } from '@parlance/rpc';
import { freePort } from '@parlance/sandbox-engines';
import { eventually } from '@parlance/testing';
import { DataFolder } from './data-folder.js';
import { type Account, Accounts } from './testing/accounts.js';
import { placeCalls } from './testing/quick-calls.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const random = (): string => randomBytes(12).toString('hex');
/** The values that the test searches for. They are random, so no other text can hold one of them. */
const planted = {
  BY_ID: `id-${random()}`,
  BODY: `body-${random()}`,
  NESTED: `nested-${random()}`,
  ESCAPED: `escaped"${random()}\\${random()}`,
  LEFT: `left-${random()}`,
  RIGHT: `right-${random()}`,
  SIGNING: `whsec_${randomBytes(24).toString('base64')}`,
  ROTATED: `before-${random()}`,
  UNICODE: `"quoted"\nümläut ${random()}`,
  BASIC: Buffer.from(`user:${random()}`).toString('base64'),
} as const;
const afterRotation = `after-${random()}`;
const literal = `literal-${random()}`;

/** The value as it is, as JSON and forms write it, and its parts that no writing changes. */
const waysToWrite = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ...(value.match(/[0-9a-f]{24}/g) ?? []),
];
const wanted = [...Object.values(planted), afterRotation, literal].flatMap(waysToWrite);
const found = (text: string): string[] => wanted.filter((value) => text.includes(value));

interface Received {
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}
const received: Received[] = [];
const traced: string[] = [];
const heard: string[] = [];
const answered: string[] = [];

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    }),
  );
const read = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};
/** `/ok` accepts; `/echo` fails, and repeats the request in a header and in the body of its answer. */
const receiver = createServer(async (request, response) => {
  const body = (await read(request)).toString();
  const headers = JSON.stringify(request.headers);
  received.push({ path: request.url ?? '', headers, body });
  if (request.url?.startsWith('/ok')) return void response.end('{}');
  response.writeHead(500, { 'x-echo': encodeURIComponent(headers) }).end(`${headers}${body}`);
});
const collector = createServer(async (request, response) => {
  traced.push((await read(request)).toString('latin1'));
  response.end();
});

let platform: RunningPlatform;
let account: Account;
let isRemoved = false;
let nats: Awaited<ReturnType<typeof connectNats>> | undefined;
beforeAll(async () => {
  platform = await runPlatform({
    LOG_LEVEL: 'trace',
    EGRESS_ALLOW_PRIVATE: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: await listen(collector),
    RATE_LIMIT_WRITE_PER_MINUTE: '1000',
  });
  account = await new Accounts(platform).create('planted');
}, 240_000);
afterAll(async () => {
  await nats?.close();
  if (!isRemoved) await platform?.remove();
  receiver.close();
  collector.close();
}, 30_000);

const ask = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${platform.api}${path}`, {
    method,
    headers: { ...account.headers, 'content-type': 'application/json', 'idempotency-key': random() },
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

/** Every file of the platform: databases, event store, message store, documents, logs and ledger. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return filesIn(path);
    return stats?.isFile() ? [path] : [];
  });

const allTables = async (): Promise<string> => {
  const folder = new DataFolder(platform.dataDir);
  const password = encodeURIComponent(folder.secrets().postgresPassword);
  const url = `postgres://parlance:${password}@127.0.0.1:${folder.state().ports.postgres}/parlance`;
  const db = createDatabase({ url: new Secret(url), applicationName: 'search', max: 1 });
  try {
    const { rows } = await db.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(...table.rows.map(({ row }) => row));
    }
    return texts.join('\n');
  } finally {
    await db.end();
  }
};

describe('secrets that webhooks use', () => {
  it('reach both receivers and are found nowhere else', async () => {
    const folder = new DataFolder(platform.dataDir);
    nats = await connectNats({
      url: `nats://${folder.secrets().natsToken}@127.0.0.1:${folder.state().ports.nats}`,
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
    const url = await listen(receiver);
    const refusing = `http://127.0.0.1:${await freePort()}/nobody`;
    const accepts = await save('Accepts', `${url}/ok/initiation`, `${url}/ok/call`, ids);
    const fails = await save('Fails', refusing, `${url}/echo`, ids);
    const fromNumber = await new Accounts(platform).number(account);
    const to = ['+14155550100'];
    await placeCalls(platform, { account, agentId: accepts, fromNumber }, to);
    await placeCalls(platform, { account, agentId: fails, fromNumber }, to);
    await eventually(() => {
      for (const path of ['/ok/initiation', '/ok/call', '/echo'])
        expect(received.filter((one) => one.path === path)).not.toEqual([]);
    });
    const got = received.find(({ path }) => path === '/ok/call');
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

    const listed = await ask('GET', '/secrets');
    expect(listed.data).toHaveLength(Object.keys(planted).length);
    for (const secret of listed.data) {
      expect(secret.usedBy).toHaveLength(2);
      expect(secret.lastUsedAt).not.toBeNull();
    }
    for (const path of ['/agents', `/agents/${accepts}/config`, '/calls', '/outbound-calls', '/calls/live'])
      expect((await ask('GET', path)).status).toBe(200);
    expect(await ask('DELETE', `/secrets/${ids.BASIC}`)).toMatchObject({ status: 409 });
    const tables = await allTables();
    await nats.close();
    const running = platform;
    await running.stop();

    expect(heard.length).toBeGreaterThan(50);
    expect(traced.length).toBeGreaterThan(0);
    for (const [place, text] of Object.entries({
      'an answer': answered.join('\n'),
      'a message on NATS': heard.join('\n'),
      'a trace': traced.join('\n'),
      'a table': tables,
    }))
      expect({ place, found: found(text) }).toEqual({ place, found: [] });
    const files = filesIn(running.dataDir).map((path) => ({
      path,
      found: found(readFileSync(path, 'latin1')),
    }));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => file.found.length > 0)).toEqual([]);
    await running.remove();
    isRemoved = true;
  }, 180_000);
});
