// Runs the commands of README.md, docs/quickstart.md and docs/widget.md word for word, on a platform as `npm start` runs it, then
// removes the organization that they created. The examples of the client's README and a generated Python client run here too.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { ClientReadme } from './testing/client-readme.js';
import { hasPythonGenerator, PythonClient } from './testing/python-client.js';
import { type Answered, blocksOf, commandsIn, type Fill, hasCurl, Walk } from './testing/readme-walk.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

/** A field of the last answer, such as `data.0.quoteId`. */
const field =
  (path: string): Fill =>
  (answers) => {
    let value: unknown = answers.at(-1)?.body;
    for (const name of path.split('.'))
      value =
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([key]) => key === name)?.[1]
          : undefined;
    return typeof value === 'string' ? value : undefined;
  };

/** The call behind the outbound call, once that has ended: its transcript comes afterwards. */
const endedCall: Fill = (answers) =>
  field('data.status')(answers) === 'completed' ? field('data.callId')(answers) : undefined;

/** Of a source that has been read: it can be searched from then on. */
const readyState: Fill = (answers) => {
  const status = field('data.0.status')(answers);
  return status === 'ready' ? status : undefined;
};

const fills: Readonly<Record<string, Fill>> = {
  KEY: field('key'),
  AGENT: field('data.id'),
  FROM: field('data.0.phoneNumber'),
  QUOTE: field('data.0.quoteId'),
  OUTBOUND: field('data.id'),
  CALL: endedCall,
  TOOL: field('data.id'),
  DOCUMENT: field('data.fileKey'),
  SOURCE: field('data.0.id'),
  STATE: readyState,
  UPLOAD_URL: field('data.uploadUrl'),
  FILE: field('data.sourceFileKey'),
  CAMPAIGN: field('data.id'),
  WIDGET: field('data.id'),
  END_TOKEN: field('data.endToken'),
  SESSION: field('data.sessionId'),
};

let platform: SharedPlatform;
/** Of the first organization, which the first start prints. */
let demoKey: string;
let walk: Walk;
let curl: boolean;

beforeAll(async () => {
  platform = await sharedPlatform('plain');
  demoKey = new DataFolder(platform.dataDir).state().demo?.apiKey ?? '';
  curl = await hasCurl();
  if (!curl) {
    process.stderr.write('the commands of README.md are not run: bash or curl is missing\n');
    return;
  }
  walk = new Walk(platform.url, fills);
}, 240_000);
afterAll(async () => {
  walk?.remove();
  await platform?.release();
});

const refused = (answers: readonly Answered[]) =>
  answers.filter(({ status }) => !(status >= 200 && status < 300));

describe('README.md', () => {
  it('holds a conversation with a new agent over curl, with the key that the first start has printed', async () => {
    if (!curl) return;
    const blocks = blocksOf('README.md', 'Five lines of curl');
    const readme = new Walk(platform.url, { ...fills, KEY: () => demoKey });
    const answers: Answered[] = [];
    try {
      for (const block of blocks) answers.push(...(await readme.run(block)));
    } finally {
      readme.remove();
    }
    expect(refused(answers)).toEqual([]);
    expect([answers.length, commandsIn(blocks)]).toEqual([5, 5]);
    const [created, begun, message, ended] = answers.map(({ body }) => body);
    expect(created).toMatchObject({ data: { name: 'Front desk' } });
    expect(begun).toMatchObject({ data: { firstMessage: expect.any(String) } });
    expect(message).toEqual(expect.stringContaining('event: done'));
    expect(ended).toMatchObject({ data: { ended: true } });
    // The last command lists the conversation; a list may follow a moment later.
    await eventually(async () => {
      const headers = { 'x-api-key': demoKey };
      const calls = await fetch(`${platform.api}/calls?channel=preview`, { headers });
      expect(await calls.json()).toMatchObject({ data: [{ channel: 'preview' }] });
    });
  }, 120_000);
});

describe('docs/quickstart.md', () => {
  it('makes an account, a call, a tool, a document, a widget and a campaign, command by command', async () => {
    if (!curl) return;
    const page = (heading: string) => blocksOf('docs/quickstart.md', heading);
    const blocks = [
      ...page('An account, a key and an agent'),
      ...page('A number and a first call'),
      ...page('A tool and a document'),
      ...page('A widget'),
      ...page('A campaign'),
    ];
    expect(blocks).toHaveLength(5);
    const answers: Answered[] = [];
    for (const block of blocks) answers.push(...(await walk.run(block)));
    expect(refused(answers)).toEqual([]);
    expect(answers).toHaveLength(commandsIn(blocks));
    expect(walk.value('FROM')).toMatch(/^\+1415\d{7}$/);
    expect(answers.at(-1)?.body).toMatchObject({ data: { id: walk.value('CAMPAIGN'), status: 'cancelled' } });
    const bodies = answers.map(({ body }) => body);
    // The search in the document.
    expect(bodies).toContainEqual(
      expect.objectContaining({
        data: [expect.objectContaining({ sourceName: 'refunds.md', headings: ['Refunds'] })],
      }),
    );
    // The transcript of the simulated person and the agent.
    expect(bodies).toContainEqual(
      expect.objectContaining({ data: expect.arrayContaining([expect.objectContaining({ role: 'agent' })]) }),
    );
  }, 240_000);
});

describe('docs/widget.md', () => {
  it('holds a conversation in text with a new widget, over curl, on a platform without voice in browsers', async () => {
    if (!curl) return;
    const blocks = blocksOf('docs/widget.md', 'Without the element');
    expect(blocks).toHaveLength(1);
    const answers: Answered[] = [];
    for (const block of blocks) answers.push(...(await walk.run(block)));
    expect(answers).toHaveLength(commandsIn(blocks));
    const [made, config, session, message, ended] = answers;
    expect(made).toMatchObject({ status: 201, body: { data: { modes: ['voice', 'text'] } } });
    expect(config).toMatchObject({ status: 200, body: { data: { modes: ['text'] } } });
    expect(session).toMatchObject({ status: 201, body: { data: { mode: 'text', token: null } } });
    expect(message).toMatchObject({ status: 200, body: expect.stringContaining('event: done') });
    expect(ended).toMatchObject({ status: 200, body: { data: { ended: true } } });
  });
});

describe('the organization of the quickstart', () => {
  const person = { email: 'you@example.com', password: 'a long password' };
  const post = (path: string, body: object, cookie = ''): Promise<Response> =>
    fetch(`${platform.api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform.url, cookie },
      body: JSON.stringify(body),
    });
  const signIn = async (): Promise<string> => {
    const response = await post('/auth/sign-in/email', person);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return cookies.join('; ');
  };
  const read = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${platform.api}${path}`, { headers });
    return { status: response.status, body: (await response.json()) as ReadBody };
  };
  const activeOf = async (cookie: string) =>
    (await read('/auth/get-session', { cookie })).body.session?.activeOrganizationId ?? '';

  it('is removed once it owns no number, and then nothing of it is served, bought or dialled any more', async () => {
    if (!curl) return;
    const cookie = await signIn();
    const organizationId = await activeOf(cookie);
    const remove = async () => {
      const response = await post('/auth/organization/delete', { organizationId }, cookie);
      return { status: response.status, body: (await response.json()) as ReadBody };
    };
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: { code: 'ORGANIZATION_IN_USE', details: { numbers: 1, campaigns: 0 } } },
    });
    const { body: numbers } = await read('/numbers', { cookie });
    const [number] = numbers.data ?? [];
    const released = await fetch(`${platform.api}/numbers/${number?.id}`, {
      method: 'DELETE',
      headers: { origin: platform.url, cookie },
    });
    expect(released.status).toBe(200);
    // The last call of the campaign may still be ending.
    await eventually(async () => expect((await remove()).status).toBe(200), { intervalMs: 500 });

    const key = { 'x-api-key': walk.value('KEY') };
    await eventually(async () => expect((await read('/agents', key)).status).toBe(401), {
      timeoutMs: 60_000,
    });
    expect((await read('/agents', { cookie })).body.error?.code).toBe('NO_ACTIVE_ORGANIZATION');
    const runtime = { 'x-internal-key': new DataFolder(platform.dataDir).secrets().internalKey };
    await eventually(async () =>
      expect((await read(`/agents/internal-config/${walk.value('AGENT')}`, runtime)).status).toBe(404),
    );
    const called = encodeURIComponent(walk.value('FROM'));
    expect((await read(`/agents/number-config/${called}`, runtime)).status).toBe(404);
    // A person who signs in again gets another organization, which is empty.
    const again = await signIn();
    expect(await activeOf(again)).not.toBe(organizationId);
    expect((await read('/agents', { cookie: again })).body.data).toEqual([]);
    expect((await read('/numbers', { cookie: again })).body.data).toEqual([]);
  }, 240_000);
});

describe('a program of others', () => {
  let accounts: Accounts;
  let account: Account;
  beforeAll(async () => {
    accounts = new Accounts(platform);
    account = await accounts.create('programmer');
  });

  it('in TypeScript does what the README of the client shows', async () => {
    const { email, password, apiKey } = account;
    const readme = new ClientReadme({ url: platform.url, apiKey, email, password });
    try {
      expect(await readme.printed()).toEqual([
        '',
        'true true',
        '0 calls in seven days',
        'body.name',
        expect.stringMatching(/^\[ .programmer's organization. \]$/),
      ]);
      expect(await readme.received()).toEqual({ statuses: [204, 400], printed: 'completed' });
    } finally {
      readme.remove();
    }
  }, 120_000);

  it('in Python calls everybody in a file, by a client generated from the document without a warning', async () => {
    if (!(await hasPythonGenerator())) {
      process.stderr.write('no client is generated in Python: openapi-python-client is not installed\n');
      return;
    }
    const python = new PythonClient();
    try {
      const document = await fetch(`${platform.api}/docs.json`);
      expect(await python.generate(await document.text())).toBe('');
      const variables = {
        PARLANCE_URL: platform.url,
        PARLANCE_KEY: account.apiKey,
        AGENT_ID: await accounts.agent(account),
        FROM_NUMBER: await accounts.number(account),
      };
      expect(await python.campaign(variables, ['+14155550100', '+14155550180'])).toEqual({
        ...{ version: 1, status: 'completed', total: 2, refused: 'CALL_NOT_FOUND' },
        calls: { '+14155550100': 'completed', '+14155550180': expect.any(String) },
        kinds: expect.arrayContaining(['attempt.started', 'attempt.ended', 'call.started', 'call.ended']),
      });
    } finally {
      python.remove();
    }
  }, 240_000);
});

/** The fields of an answer that these tests look at. */
interface ReadBody {
  readonly data?: readonly { readonly id: string }[];
  readonly error?: { readonly code: string; readonly details?: unknown };
  readonly session?: { readonly activeOrganizationId: string };
}
