// A tool that costs money or destroys something acts once over MCP, after a person has agreed to exactly that.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts } from './testing/accounts.js';
import {
  type Answer,
  callTool,
  connectMcp,
  type Given,
  type McpClientOptions,
} from './testing/mcp-clients.js';
import { type McpCopy, startMcpCopy } from './testing/mcp-copy.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

let platform: SharedPlatform;
let accounts: Accounts;
let account: Account;
let copy: McpCopy;
let agentId: string;
let fromNumber: string;
const clients: Client[] = [];

const connect = async (
  options: McpClientOptions = {},
  apiKey = account.apiKey,
  url = platform.url,
): Promise<Client> => {
  const client = await connectMcp(url, { 'x-api-key': apiKey }, options);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  account = await accounts.create('careful');
  copy = await startMcpCopy(platform);
  agentId = await accounts.agent(account);
  fromNumber = await accounts.number(account);
}, 240_000);

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await copy?.facade.stop();
  await platform?.release();
});

let lastNumber = 100;
/** A call to a number that was never called before. */
const newCall = (): Given & { readonly phoneNumber: string } => {
  lastNumber += 1;
  return { agentId, fromNumber, phoneNumber: `+1415555${String(lastNumber).padStart(4, '0')}` };
};

const get = async (path: string): Promise<unknown> => {
  const response = await fetch(`${platform.api}${path}`, { headers: account.headers });
  expect(response.status).toBe(200);
  return Object(await response.json()).data;
};

/** Outbound calls to a number, and dials that its phone heard. */
const callsTo = async (phoneNumber: string): Promise<readonly [calls: number, dials: number]> => {
  const calls = Object(await get('/outbound-calls?limit=100')) as { phoneNumber: string }[]; // the contract's list
  const ledger = readFileSync(join(platform.dataDir, 'ledger.jsonl'), 'utf8').split('\n');
  return [
    calls.filter((call) => call.phoneNumber === phoneNumber).length,
    ledger.filter((line) => [phoneNumber, fromNumber, '"dial"'].every((part) => line.includes(part))).length,
  ];
};

const tokenOf = ({ isError, content }: Answer): string => {
  expect([isError, content.status]).toEqual([false, 'confirmation_required']);
  return String(content.confirmationToken);
};

const refused = (reason: string) => ({
  isError: true,
  content: { code: 'CONFIRMATION_INVALID', details: { reason } },
});

describe('a preview', () => {
  it('says who is called by whom, and the most that it costs', async () => {
    const call = newCall();
    const { content } = await callTool(await connect(), 'create-quick-outbound-call', call);
    const worst = Object(
      await get(`/spend/worst-case?agentId=${agentId}&phoneNumber=${encodeURIComponent(call.phoneNumber)}`),
    );
    expect(worst.worstCaseMicros).toBe(worst.rateMicros * Math.ceil(worst.longestSeconds / 60));
    expect(content).toMatchObject({ worstCaseMicros: worst.worstCaseMicros, currency: worst.currency });
    expect(content.summary).toContain(
      `Calls ${call.phoneNumber} from ${fromNumber} now, with the agent "Fixture".`,
    );
    expect(content.summary).toContain(`${(worst.worstCaseMicros / 1_000_000).toFixed(2)} ${worst.currency}`);
  });

  it('of a campaign is bounded by its budget', async () => {
    const given = {
      ...{ name: 'Reminders', agentId, fromNumber, sourceFileKey: 'org/x', sourceFileName: 'people.csv' },
      budget: { maxCostMicros: 2_500_000 },
      retryPolicy: { maxAttempts: 3 },
    };
    const { content } = await callTool(await connect(), 'create-batch-campaign', given);
    expect(content.worstCaseMicros).toBe(2_500_000);
    expect(content.summary).toMatch(/"people\.csv".*"Fixture".*"Reminders".*at most 3 attempts.*the budget/s);
  });

  it('of a deletion says what would be lost', async () => {
    const client = await connect();
    const made = await callTool(client, 'create-agent', {
      name: 'Night shift',
      isActive: true,
      templateId: null,
    });
    const { id } = Object(made.content.data);
    const { content } = await callTool(client, 'delete-agent', { agentId: id });
    expect(content.summary).toBe(
      'Deletes the agent "Night shift", with its configuration. No number leads to it. This cannot be undone.',
    );
    expect(content.worstCaseMicros).toBe(0);
  });

  it('tells a key that may not read no names', async () => {
    const key = await accounts.key(account, ['agent:delete']);
    const { content } = await callTool(await connect({}, key), 'delete-agent', { agentId });
    expect(content.summary).toBe(`Deletes the agent ${agentId}. This cannot be undone.`);
  });
});

describe('a confirmation', () => {
  it('that comes a hundred times at once, at two copies, makes one call', async () => {
    const call = newCall();
    const here = await connect();
    const there = await connect({}, account.apiKey, copy.facade.url);
    const confirmationToken = tokenOf(await callTool(here, 'create-quick-outbound-call', call));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        callTool(index % 2 === 0 ? here : there, 'create-quick-outbound-call', {
          ...call,
          confirmationToken,
        }),
      ),
    );
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    for (const answer of answers) if (answer.isError) expect(answer).toMatchObject(refused('used'));
    await eventually(async () => expect(await callsTo(call.phoneNumber)).toEqual([1, 1]));
  });

  it('does nothing with a changed argument, another key, another tool, or as any other text', async () => {
    const call = newCall();
    const client = await connect();
    const confirmationToken = tokenOf(await callTool(client, 'create-quick-outbound-call', call));
    const again = (given: Given, asked = client) =>
      callTool(asked, 'create-quick-outbound-call', { ...given, confirmationToken });
    const changed = newCall();
    expect(await again({ ...call, phoneNumber: changed.phoneNumber })).toMatchObject(
      refused('for_something_else'),
    );
    expect(await again({ ...call, firstMessage: 'Hi' })).toMatchObject(refused('for_something_else'));
    const other = await connect({}, await accounts.key(account, ['outboundCalls:create', 'agent:read']));
    expect(await again(call, other)).toMatchObject(refused('for_something_else'));
    const elsewhere = await callTool(client, 'delete-agent', { agentId, confirmationToken });
    expect(elsewhere).toMatchObject(refused('for_something_else'));
    for (const bad of ['', 'x', `${confirmationToken}A`, 5, null])
      expect(
        await callTool(client, 'create-quick-outbound-call', { ...call, confirmationToken: bad }),
      ).toMatchObject(refused('malformed'));
    for (const { phoneNumber } of [call, changed]) expect(await callsTo(phoneNumber)).toEqual([0, 0]);
    // None of the refusals used it up.
    expect((await again(call)).isError).toBe(false);
    expect(await again(call)).toMatchObject(refused('used'));
    await eventually(async () => expect(await callsTo(call.phoneNumber)).toEqual([1, 1]));
  });

  it('ends after five minutes', async () => {
    const call = newCall();
    const late = await connect({}, account.apiKey, copy.facade.url);
    const confirmationToken = tokenOf(await callTool(late, 'create-quick-outbound-call', call));
    copy.pass(6 * 60_000);
    expect(await callTool(late, 'create-quick-outbound-call', { ...call, confirmationToken })).toMatchObject(
      refused('expired'),
    );
    expect(await callsTo(call.phoneNumber)).toEqual([0, 0]);
  });

  it('is not asked for what would be refused anyway', async () => {
    const call = { ...newCall(), phoneNumber: 'nobody' };
    expect(await callTool(await connect(), 'create-quick-outbound-call', call)).toMatchObject({
      isError: true,
      content: { code: 'INVALID_PHONE_NUMBER' },
    });
  });
});

describe('a client that can ask its person', () => {
  it('shows the person what would be done, and does it when the person agrees', async () => {
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return 'agrees' as const;
    };
    const call = newCall();
    const answer = await callTool(await connect({ person }), 'create-quick-outbound-call', call);
    expect(answer).toMatchObject({ isError: false, content: { data: { phoneNumber: call.phoneNumber } } });
    expect(asked).toEqual([expect.stringContaining(`Calls ${call.phoneNumber} from ${fromNumber} now`)]);
  });

  it.each(['refuses', 'cancels'] as const)('does nothing when the person %s', async (decision) => {
    const call = newCall();
    const client = await connect({ person: () => decision });
    expect(await callTool(client, 'create-quick-outbound-call', call)).toMatchObject({
      isError: true,
      content: { code: 'CONFIRMATION_DECLINED' },
    });
    expect(await callsTo(call.phoneNumber)).toEqual([0, 0]);
  });

  it('cannot send the agreement twice, nor the state of the question as a token', async () => {
    const bodies: { readonly headers: Headers; readonly body: string }[] = [];
    const recording: typeof fetch = (url, init) => {
      if (typeof init?.body === 'string' && init.body.includes('inputResponses'))
        bodies.push({ headers: new Headers(init.headers), body: init.body });
      return fetch(url, init);
    };
    const call = newCall();
    const client = await connect({ person: () => 'agrees', fetch: recording });
    expect((await callTool(client, 'create-quick-outbound-call', call)).isError).toBe(false);
    const [second] = bodies;
    if (second === undefined) throw new Error('the agreement was not sent');
    const again = await fetch(new URL('/mcp', platform.url), { method: 'POST', ...second });
    expect(Object(await again.json()).result.structuredContent).toMatchObject({
      code: 'CONFIRMATION_INVALID',
      details: { reason: 'used' },
    });
    const state = Object(JSON.parse(second.body)).params.requestState;
    const asToken = await callTool(await connect(), 'create-quick-outbound-call', {
      ...call,
      confirmationToken: state,
    });
    expect(asToken).toMatchObject(refused('for_something_else'));
    await eventually(async () => expect(await callsTo(call.phoneNumber)).toEqual([1, 1]));
  });
});

describe('a key that was made without confirmations', () => {
  it('acts at once', async () => {
    const response = await fetch(`${platform.api}/auth/api-key/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform.url, cookie: account.cookie },
      body: JSON.stringify({ name: 'robot', permissions: ['*'], mcpConfirm: 'never' }),
    });
    const client = await connect({}, Object(await response.json()).key);
    const call = newCall();
    expect(await callTool(client, 'create-quick-outbound-call', call)).toMatchObject({
      isError: false,
      content: { data: { phoneNumber: call.phoneNumber } },
    });
  });
});
