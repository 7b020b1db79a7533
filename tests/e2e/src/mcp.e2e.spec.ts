// One set of tests per resource and per tool over MCP, generated from the contract. A new row joins without new test code.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { allPermissions, isReleased, type Operation, operations, type Safety } from '@parlance/contracts';
import { type Account, Accounts } from './testing/accounts.js';
import {
  type Answer,
  callTool,
  confirmTool,
  connectMcp,
  type Given,
  refusalAt,
  withoutRequestId,
} from './testing/mcp-clients.js';
import { addressOf, neededQuery, sampleArguments } from './testing/mcp-samples.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';
import { makeEverything, randomValues, type Values } from './testing/tenant-ids.js';

const rows: readonly Operation[] = operations;
const resources = rows.flatMap((row) => (row.mcp.as === 'resource' ? [{ row, name: row.mcp.name }] : []));
const toolRows = rows.flatMap((row) =>
  row.mcp.as === 'tool' ? [{ row, name: row.mcp.name, safety: row.mcp.safety }] : [],
);
const isConfirmed = (safety: Safety): boolean => safety === 'external-cost' || safety === 'destructive';

/** The interface document, row by row. */
const factsFile = fileURLToPath(
  new URL('../../../libs/contracts/src/testing/interface-facts.json', import.meta.url),
);
const facts: readonly string[] = JSON.parse(readFileSync(factsFile, 'utf8'));

let platform: SharedPlatform;
let accounts: Accounts;
let ours: Account;
let theirs: Account;
let real: Values;
let client: Client;
let stranger: Client;
let listed: ReadonlyMap<string, Tool>;
const clients: Client[] = [];

const connect = async (apiKey: string): Promise<Client> => {
  const connected = await connectMcp(platform.url, { 'x-api-key': apiKey });
  clients.push(connected);
  return connected;
};

beforeAll(async () => {
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  ours = await accounts.create('ours');
  theirs = await accounts.create('theirs');
  real = await makeEverything(accounts, ours);
  client = await connect(ours.apiKey);
  stranger = await connect(theirs.apiKey);
  const { tools } = await client.listTools();
  listed = new Map(tools.map((tool) => [tool.name, tool]));
}, 240_000);

afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()));
  await platform?.release();
});

/** A key with every permission but those that this row needs. */
const keyWithout = ({ auth }: Operation): Promise<string> => {
  const needed: readonly string[] = auth.kind === 'org' ? auth.anyOf : [];
  const forPeople = ['billing:manage', 'phoneNumber:update', 'phoneNumber:delete', 'settings:update'];
  return accounts.key(
    ours,
    allPermissions.filter((permission) => !needed.includes(permission) && !forPeople.includes(permission)),
  );
};

const validator = new AjvJsonSchemaValidator();
const expectFit = (schema: Tool['inputSchema'] | Tool['outputSchema'], value: unknown): void => {
  if (schema === undefined) throw new Error('the tool has no such schema');
  const result = validator.getValidator(Object(schema))(value);
  expect(result.valid ? [] : result.errorMessage).toEqual([]);
};

/** The answer, held to the schema that the tool promises. */
const held = (name: string, answer: Answer): Answer => {
  expectFit(listed.get(name)?.outputSchema, answer.content);
  return answer;
};

describe('the lists', () => {
  it('have the 26 resources and 33 tools of the interface, and those of extensions', async () => {
    const wanted = (kind: string): string[] =>
      facts.flatMap((fact) => new RegExp(`\\| ${kind} (\\S+)`).exec(fact)?.[1] ?? []).sort();
    const { resources: fixed } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const addresses = [
      ...fixed.map(({ uri }) => uri),
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ];
    const extensions = ['list_campaign_recipients/{campaignId}'];
    expect(addresses.map((address) => address.replace('parlance://', '')).sort()).toEqual(
      [...wanted('resource'), ...extensions].sort(),
    );
    const moreTools = ['delete-outbound-call'];
    expect([...listed.keys()].sort()).toEqual([...wanted('tool'), ...moreTools].sort());
    expect([addresses.length, listed.size]).toEqual([26 + extensions.length, 33 + moreTools.length]);
  });

  it('are one page each, and refuse a cursor that was never given out', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'] as const)
      await expect(client.request({ method, params: { cursor: 'invented' } })).rejects.toMatchObject({
        code: -32_602,
      });
  });

  it('promise no news of lists that never change', () => {
    const { tools, resources: capability } = client.getServerCapabilities() ?? {};
    expect([tools?.listChanged, capability?.listChanged, capability?.subscribe]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe.each(resources.map((resource) => [resource.name, resource] as const))(
  'resource %s',
  (_, { row, name }) => {
    const hasIds = name.includes('{');

    it('is refused to a key without its permission', async () => {
      if (row.auth.kind !== 'org') return;
      const limited = await connect(await keyWithout(row));
      const query = await neededQuery(row, ours, accounts);
      expect(await refusalAt(limited, addressOf(name, real, query))).toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    });

    it('answers a foreign id exactly like an unknown one', async () => {
      if (!hasIds) return;
      const foreign = await refusalAt(stranger, addressOf(name, real));
      const unknown = await refusalAt(stranger, addressOf(name, randomValues(real)));
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
      expect(String(foreign.code)).toMatch(isReleased(row) ? /_NOT_FOUND$/ : /^NOT_IMPLEMENTED$/);
    });

    it('refuses a malformed id, a field that it does not know, and an address with too much', async () => {
      const ids = hasIds ? Object.fromEntries(Object.keys(real).map((key) => [key, 'no\0thing'])) : real;
      const query = await neededQuery(row, ours, accounts);
      if (hasIds) expect(await refusalAt(client, addressOf(name, ids))).toMatchObject({ rpcCode: -32_602 });
      const unknown = addressOf(name, real, { ...query, surely_unknown: 1 });
      expect(await refusalAt(client, unknown)).toMatchObject({ rpcCode: -32_602, code: 'VALIDATION_ERROR' });
      expect(await refusalAt(client, `${addressOf(name, real)}/more`)).toMatchObject({ rpcCode: -32_602 });
    });

    it('reads what the contract declares, or says that its service is not part of this release', async () => {
      const uri = addressOf(name, real, await neededQuery(row, ours, accounts));
      if (!isReleased(row)) {
        expect(await refusalAt(client, uri)).toMatchObject({ code: 'NOT_IMPLEMENTED' });
        return;
      }
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      expect([contents.length, content?.uri, content?.mimeType]).toEqual([1, uri, 'application/json']);
      const { data } = JSON.parse(content !== undefined && 'text' in content ? content.text : '');
      expect(row.data.safeParse(data).error?.issues ?? []).toEqual([]);
    });
  },
);

describe('a paged resource', () => {
  it('leads from page to page by the address of the next one', async () => {
    const ids: string[] = [];
    let uri: string | undefined = 'parlance://list_outbound_calls?limit=1';
    while (uri !== undefined && ids.length < 10) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      const page = JSON.parse(content !== undefined && 'text' in content ? content.text : '');
      ids.push(...page.data.map(({ id }: { id: string }) => id));
      uri = page.next;
    }
    expect(ids).toHaveLength(2);
    expect(new Set(ids)).toContain(real.outboundId);
  });
});

describe('completions', () => {
  const templates = resources.filter(({ name }) => name.includes('{'));
  it.each(templates.map(({ name }) => [name]))(
    'of %s suggest ids of the own organization only',
    async (name) => {
      const parameter = /\{(\w+)\}/.exec(name)?.[1] ?? '';
      const ask = (asking: Client, value: string) =>
        asking.complete({
          ref: { type: 'ref/resource', uri: `parlance://${name}` },
          argument: { name: parameter, value },
        });
      const id = real[parameter] ?? '';
      const typed = id.slice(0, 30);
      const wanted = parameter === 'widgetId' ? [] : [id];
      expect((await ask(client, typed)).completion.values).toEqual(wanted);
      expect((await ask(stranger, typed)).completion.values).toEqual([]);
    },
  );

  it('refuse a template that is none', async () => {
    const ref = { type: 'ref/resource', uri: 'parlance://nothing/{id}' } as const;
    await expect(client.complete({ ref, argument: { name: 'id', value: '' } })).rejects.toMatchObject({
      code: -32_602,
    });
  });
});

describe.each(toolRows.map((tool) => [tool.name, tool] as const))('tool %s', (_, { row, name, safety }) => {
  const given = (account: Account, ids: Values): Promise<Given> =>
    sampleArguments(row, { account, accounts, ids });

  it('is told with its safety class, and with schemas that its own sample fits', async () => {
    const tool = listed.get(name);
    expect(tool?._meta).toEqual({ safetyClass: safety });
    expect(tool?.annotations).toEqual({
      readOnlyHint: safety === 'read',
      destructiveHint: safety === 'destructive',
      openWorldHint: safety === 'external-cost',
    });
    expectFit(tool?.inputSchema, await given(ours, real));
    expect(Object.keys(Object(tool?.inputSchema.properties)).includes('confirmationToken')).toBe(
      isConfirmed(safety),
    );
    expect(['anyOf', 'oneOf', 'allOf'].filter((choice) => choice in Object(tool?.inputSchema))).toEqual([]);
  });

  it('is refused to a key without its permission, before a person is asked', async () => {
    const limited = await connect(await keyWithout(row));
    const answer = held(name, await callTool(limited, name, await given(ours, real)));
    const code = isReleased(row) || !isConfirmed(safety) ? 'PERMISSION_DENIED' : 'NOT_IMPLEMENTED';
    expect(answer).toMatchObject({ isError: true, content: { code } });
  });

  it('answers foreign ids exactly like unknown ones, also when it was confirmed', async () => {
    const ids = Object.keys(row.params?.shape ?? {});
    if (ids.length === 0) return;
    const foreign = held(name, await confirmTool(stranger, name, await given(theirs, real)));
    const unknown = held(name, await confirmTool(stranger, name, await given(theirs, randomValues(real))));
    expect(withoutRequestId(foreign.content)).toEqual(withoutRequestId(unknown.content));
    expect(String(foreign.content.code)).toMatch(isReleased(row) ? /_NOT_FOUND$/ : /^NOT_IMPLEMENTED$/);
  });

  it('refuses arguments of the wrong type, and arguments that it does not know', async () => {
    const sample = await given(ours, real);
    const wrong = Object.fromEntries(Object.keys(sample).map((key) => [key, [{ wrong: true }]]));
    const released = isReleased(row) || !isConfirmed(safety);
    const code = released
      ? /^(VALIDATION_ERROR|CONFIG_GROUP_INCOMPLETE|INVALID_PHONE_NUMBER)$/
      : /^NOT_IMPLEMENTED$/;
    for (const bad of [wrong, { ...sample, surely_unknown: 1 }]) {
      if (Object.keys(bad).length === 0) continue;
      const answer = held(name, await callTool(client, name, bad));
      expect([answer.isError, String(answer.content.code)]).toEqual([true, expect.stringMatching(code)]);
    }
  });

  it('asks before it acts where it has to, and nothing else', async () => {
    if (!isReleased(row)) {
      const answer = held(name, await callTool(client, name, await given(ours, real)));
      expect(answer).toMatchObject({ isError: true, content: { code: 'NOT_IMPLEMENTED' } });
      return;
    }
    if (!isConfirmed(safety)) return;
    const answer = held(name, await callTool(client, name, await given(ours, real)));
    // Some samples name missing things; the platform asks for no confirmation of those either.
    if (answer.isError) expect(row.errors).toContain(answer.content.code);
    else
      expect(answer.content).toMatchObject({ status: 'confirmation_required', summary: expect.any(String) });
  });
});
