// Real MCP clients at a running platform. Each generation makes a whole campaign. Other tests have programs that speak
// over standard input and output, and the requests of strangers and broken clients.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { operations } from '@parlance/contracts';
import { type HostileServer, startHostileServer } from '@parlance/fake-mcp/hostile';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts } from './testing/accounts.js';
import { doEveryTool } from './testing/every-tool.js';
import { callTool, connectMcp } from './testing/mcp-clients.js';
import { generations } from './testing/mcp-drivers.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const bridge = `${root}packages/mcp/bin/parlance-mcp.mjs`;
const terminal = `${root}packages/mcp/dist/terminal/main.js`;

let platform: SharedPlatform;
let accounts: Accounts;
let account: Account;
let fromNumber: string;
let server: HostileServer;

beforeAll(async () => {
  server = await startHostileServer();
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  account = await accounts.create('mcp');
  fromNumber = await accounts.number(account);
}, 240_000);
afterAll(async () => {
  await platform?.release();
  await server?.stop();
});

describe.each(generations)('a client of %s', (_, protocol, connect) => {
  it('does with each tool what it is for, and gets the answer that the tool promises', async () => {
    const own = await accounts.create('every-tool');
    const client = await connect(platform.url, own.headers);
    const number = await accounts.number(own);
    const done = await doEveryTool(client, { fromNumber: number, mcpServerUrl: server.url('honest') });
    const names = operations.flatMap(({ mcp }) => (mcp.as === 'tool' ? [mcp.name] : []));
    expect([...done].sort()).toEqual([...names].sort());
    await client.close();
  });

  it('drives a whole campaign: agent, configuration, upload, campaign, progress, cancel', async () => {
    const client = await connect(platform.url, { authorization: `Bearer ${account.apiKey}` });
    expect(client.protocol).toBe(protocol);
    const agent = await client.do('create-agent', { name: 'Caller', isActive: true, templateId: null });
    const { defaults } = await client.read('parlance://get_voice_catalog');
    const saved = await client.do('save-agent-config', {
      ...{ agentId: agent.id, firstMessage: 'Hi {{name}}.', systemPrompt: 'You are friendly.' },
      ...Object(defaults),
    });
    expect(saved.version).toBe(1);
    expect(await client.read(`parlance://get_agent_config/${agent.id}`)).toMatchObject({ version: 1 });
    const place = await client.do('get-batch-upload-url', {
      fileName: 'people.csv',
      contentType: 'text/csv',
    });
    const people = Array.from({ length: 5 }, (_row, index) => `+1415555017${index},Ada`);
    const put = await fetch(String(place.uploadUrl), {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: ['phone_number,name', ...people].join('\n'),
    });
    expect(put.ok).toBe(true);
    const campaign = await client.do('create-batch-campaign', {
      ...{ name: 'Reminders', agentId: agent.id, fromNumber, callsPerSecond: 0.1 },
      ...{ sourceFileKey: place.sourceFileKey, sourceFileName: 'people.csv' },
      callingWindow: { days: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '23:59', basis: 'campaign' },
    });
    const address = `parlance://get_batch_campaign/${campaign.id}`;
    await eventually(
      async () =>
        expect(await client.read(address)).toMatchObject({ status: 'running', progress: { total: 5 } }),
      { timeoutMs: 60_000 },
    );
    await client.do('cancel-batch-campaign', { campaignId: campaign.id });
    await eventually(async () => {
      const { status, progress } = await client.read(address);
      const { total, cancelled, pending } = Object(progress);
      expect([status, total, pending]).toEqual(['cancelled', 5, 0]);
      expect(cancelled).toBeGreaterThan(0);
    });
    expect(client.asked).toEqual([
      expect.stringMatching(/everybody in the file "people\.csv".*"Caller".*"Reminders"/),
      expect.stringMatching(/^Cancels the campaign "Reminders", which is running\. Of its 5 recipients/),
    ]);
    await client.close();
  }, 120_000);
});

describe('parlance-mcp', () => {
  const start = async (apiKey: string, modern: boolean): Promise<Client> => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      modern ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const env = { PARLANCE_URL: platform.url, PARLANCE_API_KEY: apiKey };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [bridge], env, stderr: 'ignore' }),
    );
    return client;
  };

  it.each([true, false])(
    'carries everything between a client and the platform (newest protocol: %p)',
    async (modern) => {
      const [piped, direct] = await Promise.all([
        start(account.apiKey, modern),
        connectMcp(platform.url, account.headers, { modern }),
      ]);
      expect(piped.getNegotiatedProtocolVersion()).toBe(direct.getNegotiatedProtocolVersion());
      expect((await piped.listTools()).tools).toEqual((await direct.listTools()).tools);
      expect(await callTool(piped, 'delete-tool', { toolId: 'no id' })).toMatchObject({
        isError: true,
        content: { code: 'VALIDATION_ERROR' },
      });
      await expect(piped.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({
        code: -32_602,
      });
      await Promise.all([piped.close(), direct.close()]);
    },
  );

  it('tells its client what to mend when the key is wrong', async () => {
    await expect(start('parl_live_wrong', false)).rejects.toThrow('Check PARLANCE_API_KEY');
  });
});

describe('npm run mcp', () => {
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
      const child = spawn(process.execPath, [terminal, ...args], {
        env: { PATH: process.env.PATH, PARLANCE_URL: platform.url, PARLANCE_API_KEY: account.apiKey, ...env },
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
      child.stdin.end();
      child.once('close', (code) => resolve({ code, output }));
    });

  it('makes an agent, reads it, shows what its deletion would do, and deletes it', async () => {
    const made = await run([
      ...['call', 'create-agent', '--arg', 'name=Front desk', '--arg', 'isActive=true'],
      ...['--arg', 'templateId=business'],
    ]);
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('Agent created')]);
    const id = /"id": "([0-9a-f-]{36})"/.exec(made.output)?.[1] ?? '';
    expect((await run(['read', `parlance://get_agent_config/${id}`])).output).toContain('"firstMessage"');
    const preview = await run(['call', 'delete-agent', '--arg', `agentId=${id}`]);
    expect(preview.output).toContain('Nothing was done yet.');
    const token = /--confirm (\S+)/.exec(preview.output)?.[1] ?? '';
    const deleted = await run(['call', 'delete-agent', '--arg', `agentId=${id}`, '--confirm', token]);
    expect([deleted.code, deleted.output]).toEqual([0, 'Agent deleted\n']);
  });

  it('says how to mend what is wrong, and ends with exit code 1', async () => {
    const cases = [
      [['call', 'create-agent', '--arg', 'name=x'], {}, 'isActive: is required'],
      [['call', 'create-agent', '--arg', 'nmae=x'], {}, 'It takes: name, isActive, templateId.'],
      [['call', 'create-agents'], {}, '"npm run mcp -- list" names all of them.'],
      [['read', 'parlance://get_call_log/none'], {}, 'CALL_NOT_FOUND'],
      [['list'], { PARLANCE_API_KEY: 'wrong' }, 'Check PARLANCE_API_KEY'],
      [['list'], { PARLANCE_URL: 'http://127.0.0.1:1' }, 'Start the platform with npm start'],
      [['fly'], {}, '"fly" is no command.'],
    ] as const;
    for (const [args, env, sentence] of cases)
      expect(await run(args, env)).toEqual({ code: 1, output: expect.stringContaining(sentence) });
    expect(await run(['--help'])).toEqual({ code: 0, output: expect.stringContaining('call TOOL') });
  });
});

describe('what does not belong to the protocol', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const send = async (headers: Readonly<Record<string, string>>, body: string) => {
    const response = await fetch(`${platform.url}/mcp`, { method: 'POST', headers, body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const ours = () => ({ ...json, ...account.headers });
  const largest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create-agent","arguments":{"name":"${'x'.repeat(1_100_000)}"}}}`;

  it('is refused: 401 to strangers for every message, and the way to a credential', async () => {
    const initialize =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
    const metadata = `${platform.url}/.well-known/oauth-protected-resource/mcp`;
    for (const body of [initialize, ping, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', '{broken'])
      for (const [credential, challenge] of [
        [{}, `Bearer resource_metadata="${metadata}"`],
        [{ 'x-api-key': 'wrong' }, `Bearer error="invalid_token", resource_metadata="${metadata}"`],
        [{ authorization: 'Bearer wrong' }, `Bearer error="invalid_token", resource_metadata="${metadata}"`],
        [{ cookie: account.cookie, origin: platform.url }, `Bearer resource_metadata="${metadata}"`],
      ] as const) {
        const { status, headers, text } = await send({ ...json, ...credential }, body);
        expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
        expect(JSON.parse(text).error.data.code).toBe('UNAUTHENTICATED');
      }
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${platform.url}/mcp` });
  });

  it.each([
    ['a page of another site', () => ({ ...ours(), origin: 'https://evil.example' }), ping, 403],
    ['a page without an origin', () => ({ ...ours(), origin: 'null' }), ping, 403],
    ['a batch', ours, `[${ping},${ping}]`, 400],
    ['an empty batch', ours, '[]', 400],
    ['a body that is not JSON', ours, '{"jsonrpc":', 400],
    ['no body', ours, '', 400],
    ['a body without content type', () => ({ ...account.headers, accept: json.accept }), ping, 415],
    ['a form', () => ({ ...ours(), 'content-type': 'text/plain' }), ping, 415],
    ['a client that accepts nothing we answer', () => ({ ...ours(), accept: 'image/png' }), ping, 406],
    [
      'a version that there never was',
      () => ({ ...ours(), 'mcp-protocol-version': '1999-01-01' }),
      ping,
      400,
    ],
    ['arguments of a megabyte', ours, largest, 413],
    ['keys that poison objects', ours, '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"a":1}}', 400],
    ['a body that is nested too deeply', ours, `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400],
  ])('%s is refused', async (_, headers, body, status) => {
    expect((await send(headers(), body)).status).toBe(status);
  });

  it('a host that is not ours is refused, whatever the network says that it leads to', async () => {
    const { port } = new URL(platform.url);
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asking = request(
        {
          port,
          host: '127.0.0.1',
          path: '/mcp',
          method: 'POST',
          headers: { ...ours(), host: `evil.example:${port}` },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asking.once('error', reject);
      asking.end(ping);
    });
    expect(status).toBe(403);
  });

  it('an unknown method, unknown tool and unknown resource are errors of the protocol', async () => {
    const client = await connectMcp(platform.url, account.headers);
    await expect(client.callTool({ name: 'drop-tables', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32_602 });
    const { text } = await send(ours(), '{"jsonrpc":"2.0","id":1,"method":"tools/drop"}');
    expect(text).toContain('-32601');
    await client.close();
  });

  it('an id that is used again is a request of its own, and is answered like the first', async () => {
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"parlance://list_agents"}}';
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(ours(), body)));
    for (const { status, text } of answers)
      expect([status, text]).toEqual([200, expect.stringContaining('"id":7')]);
  });

  it('a session, a stream and its end are not offered', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${platform.url}/mcp`, { method, headers: ours() })).status).toBe(405);
  });
});

describe('limits', () => {
  it('hold for the address of the client, not for that of the facade', async () => {
    const response = await fetch(`${platform.api}/auth/api-key/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform.url, cookie: account.cookie },
      body: JSON.stringify({ name: 'elsewhere', permissions: ['*'], allowedAddresses: ['203.0.113.0/24'] }),
    });
    const { key } = Object(await response.json());
    await expect(connectMcp(platform.url, { 'x-api-key': key })).rejects.toThrow();
  });
});
