// One organization never learns anything of another. Every operation answers each real id of another organization
// exactly as it answers an id that does not exist. That holds by session and by key, and the operation changes nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isReleased, isStreaming, type Operation, operations } from '@parlance/contracts';
import { type Account, Accounts } from './testing/accounts.js';
import { sampleRequest } from './testing/sample-requests.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';
import { type IdField, idFieldsOf, makeEverything, randomValues, type Values } from './testing/tenant-ids.js';

const rows: readonly Operation[] = operations;

let platform: SharedPlatform;
let accounts: Accounts;
let ours: Account;
let theirs: Account;
let real: Values;

beforeAll(async () => {
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  ours = await accounts.create('ours');
  theirs = await accounts.create('theirs');
  real = await makeEverything(accounts, ours);
}, 240_000);
afterAll(() => platform?.release());

const beginningOf = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined && !text.includes('event: open\n')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
};

const send = async (row: Operation, values: Values, field: IdField | undefined, credentials: object) => {
  const sample = await sampleRequest(row, theirs, accounts);
  const inPath = (part: IdField['part'], name: string): string | undefined =>
    field?.part === part && field.name === name ? values[name] : undefined;
  const [, oldQuery = ''] = sample.path.split('?');
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath('params', name) ?? randomValues(real)[name] ?? ''),
  );
  const query = new URLSearchParams(oldQuery);
  if (field?.part === 'query') query.set(field.name, values[field.name] ?? '');
  const body =
    field?.part === 'body' ? { ...Object(sample.body), [field.name]: values[field.name] } : sample.body;
  const response = await fetch(`${platform.api}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: row.method,
    headers: { ...credentials, ...(row.body ? { 'content-type': 'application/json' } : {}) },
    ...(row.body ? { body: JSON.stringify(body) } : {}),
  });
  // A stream has no end; its beginning is the whole answer to a stranger.
  const text = isStreaming(row) ? await beginningOf(response) : await response.text();
  // New in each answer.
  const changing = /"(requestId|confirmation|confirmBefore)":"[^"]*"/g;
  return { status: response.status, text: text.replaceAll(changing, '') };
};

/** Everything that the ids' owner can see of things with these ids, but for a field that changes with time alone. */
const everythingOfOurs = async (): Promise<unknown> => {
  const paths = [
    '/agents',
    '/numbers',
    '/settings',
    '/suppressions',
    '/outbound-calls/batches',
    '/tools',
    '/secrets',
    '/models',
    `/agents/${real.agentId}/widgets`,
  ];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${platform.api}${path}`, { headers: ours.headers });
      return (await answer.text()).replaceAll(/"lastCallAt":[^,]*,/g, '');
    }),
  );
  const outbound = await fetch(`${platform.api}/outbound-calls?limit=100`, { headers: ours.headers });
  const { data } = (await outbound.json()) as { data: { id: string; attempt: number }[] }; // the contract's
  return [answers, data.map(({ id, attempt }) => [id, attempt])];
};
const ways = (): readonly [string, object][] => [
  ['key', theirs.headers],
  ['session', { cookie: theirs.cookie, origin: platform.url }],
];

/** A visitor is of no organization, and the id of a widget stands in the pages that show it. */
const ofOrganizations = rows.filter(({ auth }) => auth.kind !== 'public');
const withIds = ofOrganizations.flatMap((row) => idFieldsOf(row).map((field) => ({ row, field })));

describe('every id of every operation', () => {
  it('has a sample', () => {
    const missing = withIds.filter(({ field }) => !real[field.name]);
    expect(missing.map(({ row, field }) => `${row.id} ${field.part}.${field.name}`)).toEqual([]);
  });

  it.each(withIds.map(({ row, field }) => [row.id, `${field.part}.${field.name}`, row, field] as const))(
    '%s %s of another organization is as unknown as a random one',
    async (_id, _name, row, field) => {
      const before = await everythingOfOurs();
      for (const [way, credentials] of ways()) {
        const foreign = await send(row, real, field, credentials);
        const random = await send(row, randomValues(real), field, credentials);
        expect([way, foreign]).toEqual([way, random]);
        if (!isReleased(row) && row.auth.kind === 'org') expect(foreign.status).toBe(501);
      }
      expect(await everythingOfOurs()).toEqual(before);
    },
  );
});

describe('every operation without an id', () => {
  const others = rows.filter((row) => idFieldsOf(row).length === 0);
  it.each(others.map((row) => [row.id, row] as const))('%s tells nothing of ours', async (_, row) => {
    for (const [, credentials] of ways()) {
      const { text } = await send(row, real, undefined, credentials);
      for (const value of Object.values(real)) expect(text).not.toContain(value);
    }
  });
});
