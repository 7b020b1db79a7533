// One set of tests per row of the contract, generated from the table: a new service joins without new test code.
// A row of a service outside this release must say so; every other row must keep every promise of its declaration.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  allPermissions,
  authOperations,
  ErrorBody,
  isReleased,
  isStreaming,
  type Operation,
  operations,
  type Permission,
} from '@parlance/contracts';
import { DataFolder } from '@parlance/start';
import { type Account, Accounts } from './testing/accounts.js';
import { Customer } from './testing/examples/customer.js';
import { mailedTokenIn } from './testing/examples/mails.js';
import { Plain } from './testing/examples/plain.js';
import { recordedText, writeRecorded } from './testing/examples/recorded-file.js';
import { Recorder } from './testing/examples/recorder.js';
import { walk } from './testing/examples/walk.js';
import { startMisbehavingMcpServer } from './testing/mcp-servers.js';
import { foreignIds, pathWith, randomIds, sampleRequest } from './testing/sample-requests.js';
import { type SharedPlatform, sharedPlatform } from './testing/shared-platforms.js';

let platform: SharedPlatform;
let ours: Account;
let theirs: Account;
let accounts: Accounts;

beforeAll(async () => {
  platform = await sharedPlatform('interface');
  accounts = new Accounts(platform);
  ours = await accounts.create('ours');
  theirs = await accounts.create('theirs');
}, 240_000);

afterAll(() => platform.release());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const send = async (
  row: Operation,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> => {
  const response = await fetch(`${platform.api}${path}`, {
    method: row.method,
    headers: { ...headers, ...(row.body ? { 'content-type': 'application/json' } : {}) },
    ...(row.body ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: isJson(response) ? JSON.parse(text) : text,
  };
};

/** Everything but a file that is downloaded. */
const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true;

const codeOf = (answer: Answer): string => ErrorBody.parse(answer.body).error.code;
const withoutRequestId = (body: unknown): unknown => {
  const { error, ...rest } = ErrorBody.parse(body);
  const { requestId: _, ...kept } = error;
  return { ...rest, error: kept };
};
/** Permissions that need a person are never given to a key. */
const keyPermissions = allPermissions.filter(
  (permission) =>
    !['billing:manage', 'phoneNumber:update', 'phoneNumber:delete', 'settings:update'].includes(permission),
);
const credentialed = operations.filter(({ auth }) => auth.kind === 'org');

const required = (row: Operation): readonly Permission[] => (row.auth.kind === 'org' ? row.auth.anyOf : []);

describe.each(credentialed.map((row) => [row.id, row as Operation] as const))('%s', (_, row) => {
  it('answers 401 to nobody', async () => {
    const answer = await send(row, pathWith(row, randomIds()), {});
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('answers 403 to a key with every permission but this one', async () => {
    const needed = required(row);
    const key = await accounts.key(
      ours,
      keyPermissions.filter((permission) => !needed.includes(permission)),
    );
    const answer = await send(row, pathWith(row, randomIds()), { 'x-api-key': key });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('answers 400 to a key that it does not know', async () => {
    if (!row.body && !row.query) return;
    const request = await sampleRequest(row, ours, accounts);
    const path = row.body
      ? request.path
      : `${request.path}${request.path.includes('?') ? '&' : '?'}surely_unknown=1`;
    const answer = await send(row, path, ours.headers, { ...Object(request.body), surely_unknown: 1 });
    expect([answer.status, codeOf(answer)]).toEqual([
      400,
      expect.stringMatching(/^(VALIDATION_ERROR|CONFIG_GROUP_INCOMPLETE)$/),
    ]);
  });

  it('answers 400 to an id that is not one', async () => {
    const names = Object.keys(row.params?.shape ?? {});
    if (names.length === 0) return;
    const broken = Object.fromEntries(names.map((name) => [name, 'not%00an-id']));
    const answer = await send(row, pathWith(row, broken, true), ours.headers, {});
    expect(answer.status).toBe(400);
  });

  it('answers a foreign id exactly like an unknown one: 404', async () => {
    // A telephone number is nobody's id: each organization erases what it has of it.
    const ids = Object.keys(row.params?.shape ?? {}).filter((name) => name !== 'phoneNumber');
    if (ids.length === 0 || !isReleased(row)) return;
    const request = await sampleRequest(row, theirs, accounts);
    const foreign = await send(
      row,
      pathWith(row, await foreignIds(ours, accounts)),
      theirs.headers,
      request.body,
    );
    const unknown = await send(row, pathWith(row, randomIds()), theirs.headers, request.body);
    expect(foreign.status).toBe(404);
    expect(withoutRequestId(foreign.body)).toEqual(withoutRequestId(unknown.body));
  });

  it('gives an answer that it declares, or says that its service is not part of this release', async () => {
    const request = await sampleRequest(row, ours, accounts);
    if (isStreaming(row)) {
      const response = await fetch(`${platform.api}${request.path}`, {
        method: row.method,
        headers: { ...ours.headers, ...(row.body ? { 'content-type': 'application/json' } : {}) },
        ...(row.body ? { body: JSON.stringify(request.body) } : {}),
      });
      // A record that is not there is an answer, too; rows without an id have none to miss.
      if (!response.ok && Object.keys(row.params?.shape ?? {}).length > 0) {
        expect(row.errors).toContain(ErrorBody.parse(await response.json()).error.code);
        return;
      }
      const type = row.download === undefined ? /^text\/event-stream/ : /^(text|application)\//;
      expect([response.status, response.headers.get('content-type')]).toEqual([
        row.success,
        expect.stringMatching(type),
      ]);
      await response.body?.cancel();
      return;
    }
    const answer = await send(row, request.path, ours.headers, request.body);
    if (!isReleased(row)) {
      expect([answer.status, codeOf(answer)]).toEqual([501, 'NOT_IMPLEMENTED']);
      return;
    }
    if (answer.status >= 400) {
      expect(row.errors).toContain(codeOf(answer));
      return;
    }
    expect(answer.status).toBe(row.success);
    if (row.download !== undefined) {
      expect(answer.headers.get('content-type')).toContain(row.download.contentType);
      expect(answer.headers.get('content-disposition')).toContain(row.download.fileName);
      return;
    }
    expect(answer.body).toMatchObject({ success: true, message: expect.any(String) });
    const { data } = Object(answer.body);
    const parsed = row.data.safeParse(data);
    expect(parsed.error?.issues ?? []).toEqual([]);
  });
});

describe.each(
  operations.filter(({ auth }) => auth.kind === 'orgAdmin').map((row) => [row.id, row as Operation] as const),
)('%s', (_, row) => {
  it('answers 403 to an API key, whatever it may do, before anything else', async () => {
    const answer = await send(row, pathWith(row, randomIds()), ours.headers, {});
    expect([answer.status, codeOf(answer)]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });
  it('answers 401 to nobody', async () => {
    expect((await send(row, pathWith(row, randomIds()), {}, {})).status).toBe(401);
  });
});

describe.each(
  operations.filter(({ auth }) => auth.kind === 'internal').map((row) => [row.id, row as Operation] as const),
)('%s', (_, row) => {
  it("answers 401 to an organization's credentials and to a wrong key", async () => {
    for (const headers of [{}, ours.headers, { 'x-internal-key': 'wrong' }]) {
      const answer = await send(row, pathWith(row, randomIds()), headers, {});
      expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_INTERNAL_KEY']);
    }
  });
});

describe('one walk through the interface', () => {
  /** Begins a login at a server of others. */
  const leftOut = ['mcp.authorize'];

  it('meets every operation with success, each after what it needs; its answers are the examples of the document', async () => {
    const customer = await Customer.start();
    const mcpServer = await startMisbehavingMcpServer();
    const mcpServerUrl = mcpServer.url('honest');
    const folder = new DataFolder(platform.dataDir);
    const recorder = new Recorder(platform.api);
    const addresses = [
      [mcpServerUrl, 'https://mcp.example.com'],
      [customer.url, 'https://shop.example.com'],
      [platform.url, 'https://voice.example.com'],
    ] as const;
    try {
      await walk({
        ...{ recorder, url: platform.url, customer, mcpServerUrl },
        internalKey: folder.secrets().internalKey,
        mailedToken: mailedTokenIn(folder.directory('mail')),
      });
    } finally {
      customer.stop();
      await mcpServer.stop();
    }
    const ids = [...operations.filter(isReleased), ...authOperations].map(({ id }): string => id);
    expect(ids.filter((id) => !recorder.exchanges.has(id))).toEqual(leftOut);
    const text = recordedText(new Plain(new Map(addresses)), recorder.exchanges, customer.messages);
    expect(text).not.toContain('127.0.0.1');
    if (process.env.PARLANCE_RECORD_EXAMPLES === '1') writeRecorded(text);
  }, 300_000);
});
