import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '@parlance/errors';
import { z } from 'zod';
import {
  type Auth,
  callables,
  isReading,
  isReleased,
  needsVerified,
  type Operation,
  onlyReads,
  operations,
  releasedServices,
  rolePermissions,
  subjectOf,
  takesIdempotencyKey,
} from './index.js';

const facts: string[] = JSON.parse(
  readFileSync(new URL('./testing/interface-facts.json', import.meta.url), 'utf8'),
);
const rows: readonly Operation[] = operations;

const authName: Record<Auth['kind'], string> = {
  org: 'session-or-key',
  orgAdmin: 'owner-or-admin-session',
  member: 'member',
  internal: 'internal',
  call: 'call',
  public: 'public',
  none: 'none',
};
const permissionsOf = (auth: Auth): readonly string[] =>
  auth.kind === 'org' ? auth.anyOf : auth.kind === 'orgAdmin' ? auth.allOf : [];
const mcpFact = ({ mcp }: Operation): string => {
  if (mcp.as === 'none') return '';
  return mcp.as === 'resource' ? `resource ${mcp.name}` : `tool ${mcp.name} ${mcp.safety}`;
};
const factOf = (row: Operation): string =>
  [
    row.method,
    row.path,
    row.service,
    authName[row.auth.kind],
    permissionsOf(row.auth).join(' '),
    row.success,
    mcpFact(row),
    row.paged ? 'paged' : '',
  ].join(' | ');

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;
const count = (kind: string): number => facts.filter((fact) => fact.includes(kind)).length;

describe('the contract table', () => {
  it('equals the independent list of facts, row by row, in both directions', () => {
    const declared = rows.filter((row) => !row.extension).map(factOf);
    expect([...declared].sort()).toEqual([...facts].sort());
  });

  it('thinks of a GET that it only reads, unless the row says otherwise, and of no other method', () => {
    const unlikeMethod = callables.filter(
      (row) => onlyReads(row) !== ('method' in row && row.method === 'GET'),
    );
    expect(unlikeMethod.map(({ id }) => id).sort()).toEqual([
      'internal.agentConfig',
      'mcp.authorize',
      'models.test',
      'outboundCalls.previewBatch',
    ]);
  });

  it('counts no row as a write that only reads', () => {
    const writes = rows.filter((row) => row.bucket === 'write' && row.method === 'GET');
    expect(writes.filter(onlyReads)).toEqual([]);
  });

  it('has the counts that the interface document gives', () => {
    expect(count('| session-or-key |')).toBe(57);
    expect(count('| owner-or-admin-session |')).toBe(3);
    expect(count('| public |')).toBe(3);
    expect(count('| none |')).toBe(2);
    expect(count('| internal |')).toBe(3);
    expect(count('| resource ')).toBe(26);
    expect(count('| tool ')).toBe(33);
  });

  it('never gives two rows one id, one subject or one route', () => {
    expect(unique(callables.map(({ id }) => id))).toBe(true);
    expect(unique(callables.map(subjectOf))).toBe(true);
    expect(unique(rows.map(({ method, path }) => `${method} ${path}`))).toBe(true);
  });

  it('shows over MCP only what an API key may call', () => {
    for (const row of rows.filter(({ mcp }) => mcp.as !== 'none'))
      expect(['org', 'none']).toContain(row.auth.kind);
    const tools = rows.flatMap(({ mcp }) => (mcp.as === 'tool' ? [mcp.name] : []));
    expect(unique(tools)).toBe(true);
  });
});

describe('the services of this release', () => {
  it('are the gateway and every folder of services/, and no other', () => {
    const folders = readdirSync(new URL('../../../services', import.meta.url));
    // The facade answers no request of the contract; it asks the gateway.
    const answering = folders.filter((folder) => folder !== 'mcp-facade');
    expect([...releasedServices].sort()).toEqual([...answering, 'gateway'].sort());
  });

  it('answer every request that one service makes to another', () => {
    expect(callables.filter((row) => !('method' in row) && !isReleased(row))).toEqual([]);
  });
});

describe('a verified e-mail address', () => {
  const spending = (row: Operation): boolean =>
    (row.mcp.as === 'tool' && row.mcp.safety === 'external-cost') ||
    // Extensions are no tools over MCP.
    (row.extension === true && row.bucket === 'cost') ||
    (row.auth.kind === 'orgAdmin' && row.auth.allOf.includes('billing:manage'));

  it('is needed for everything with a cost outside, except giving a number back, and for nothing else', () => {
    const wanted = rows.filter((row) => spending(row) && row.method !== 'DELETE').map(({ id }) => id);
    expect(rows.filter(({ verified }) => verified).map(({ id }) => id)).toEqual(wanted);
    expect(wanted).not.toHaveLength(0);
  });

  it('is asked only where a person can sign in', () => {
    for (const row of rows) if (needsVerified(row)) expect(row.auth.kind).toMatch(/^org/);
  });
});

describe('a row that reaches strangers', () => {
  const forPeople = rows.filter(({ auth }) => auth.kind === 'org' || auth.kind === 'orgAdmin');
  const schemaOf = (part: z.ZodType | undefined, io: 'input' | 'output'): string =>
    part === undefined ? '' : JSON.stringify(z.toJSONSchema(part, { io, unrepresentable: 'any' }));
  const addressField = /"(?:url|urls|baseUrl|[a-zA-Z]+Url|allowedOrigins)":/;
  const takesAddress = (row: Operation): boolean =>
    addressField.test(schemaOf(row.body, 'input') + schemaOf(row.query, 'input'));
  /** Rows that only store an address: nothing is sent there before a row or a call that takes a verified address. */
  const stored: Readonly<Record<string, string>> = {
    'agents.saveConfig': 'webhooks are sent in calls',
    'tools.create': 'a tool is run in calls and by tools.test',
    'tools.update': 'a tool is run in calls and by tools.test',
    'models.create': 'a model is used in calls and by models.test',
    'models.update': 'a model is used in calls and by models.test',
    'secrets.create': 'an origin limits a secret, and nothing is sent there',
    'secrets.update': 'an origin limits a secret, and nothing is sent there',
    'widgets.create': 'an origin admits pages, and publishing takes a verified address anyway',
    'widgets.update': 'an origin admits pages, and publishing takes a verified address anyway',
  };

  it('is every row that takes an address, but those that only store it', () => {
    const taking = forPeople.filter(takesAddress);
    const silent = taking.filter(({ reaches }) => reaches !== 'strangers').map(({ id }) => id);
    expect(silent.sort()).toEqual(Object.keys(stored).sort());
    expect(taking.length).toBeGreaterThan(silent.length);
  });

  it('is every row that waits for somebody else, unless the answer comes from inside', () => {
    const inside = {
      'agents.startPreviewConversation': 'the voice runtime',
      'agents.sendPreviewMessage': 'the voice runtime',
      'numbers.search': 'a telephony provider of the operator',
      'numbers.buy': 'a telephony provider of the operator',
      'numbers.release': 'a telephony provider of the operator',
      'calls.export': 'a file that is made while it is sent',
      'outboundCalls.exportRecipients': 'a file that is made while it is sent',
      'outboundCalls.previewBatch': 'a file that is read here',
    };
    const waiting = forPeople.filter(({ answerWithinMs }) => answerWithinMs !== undefined);
    expect(
      waiting
        .filter(({ reaches }) => reaches !== 'strangers')
        .map(({ id }) => id)
        .filter((id) => !Object.hasOwn(inside, id)),
    ).toEqual([]);
  });

  it('or hands out a place for files takes a verified address', () => {
    const handsOut = forPeople.filter(({ data }) => /"uploadUrl":/.test(schemaOf(data, 'output')));
    expect(handsOut.length).toBeGreaterThan(0);
    for (const row of handsOut) expect([row.id, row.reaches]).toEqual([row.id, 'storage']);
    const verified = rows.filter(({ reaches }) => reaches !== undefined);
    expect(verified.filter(needsVerified)).toEqual(verified);
  });
});

describe('a permission that only reads', () => {
  const onlyReading = rows.filter(({ auth }) => auth.kind === 'org' && auth.anyOf.every(isReading));
  const hasEffect = (row: Operation): boolean =>
    row.method !== 'GET' || (row.mcp.as === 'tool' && row.mcp.safety !== 'read') || !onlyReads(row);

  it('lets nobody act: such a row names what it does, and people need that permission', () => {
    const looks = { 'knowledge.search': 'a search, whose question is too long for an address' };
    const acting = onlyReading
      .filter(hasEffect)
      .filter(({ id, changesNothing }) => changesNothing !== true && !Object.hasOwn(looks, id));
    expect(acting.map(({ id }) => id).sort()).toEqual(
      rows.flatMap(({ id, acts }) => (acts === undefined ? [] : [id])).sort(),
    );
    expect(acting).not.toHaveLength(0);
    for (const { acts = '' } of acting) {
      expect(isReading(acts)).toBe(false);
      expect(rolePermissions.viewer).not.toContain(acts);
      expect(rolePermissions.member).toContain(acts);
    }
  });

  it('is enough for an API key where the published interface says so, and nowhere else', () => {
    const exceptions = {
      'agents.previewSession': 'agentConfiguration:read, in the published interface',
      'mcp.execute': 'tools:read, in the published interface',
    };
    const published = rows.filter(({ acts, extension }) => acts !== undefined && extension !== true);
    expect(published.map(({ id }) => id).sort()).toEqual(Object.keys(exceptions));
  });
});

describe('a streamed answer', () => {
  const streaming = rows.filter(({ stream }) => stream !== undefined);

  it('has no data beside its events, and leaves the event `error` to failures', () => {
    expect(streaming).not.toHaveLength(0);
    for (const { data, stream } of streaming) {
      expect(data).toBeInstanceOf(z.ZodUndefined);
      expect(Object.keys(stream ?? {})).not.toContain('error');
    }
  });

  it('is never kept under an Idempotency-Key, nor offered as a page or over MCP', () => {
    for (const row of streaming)
      expect([takesIdempotencyKey(row), row.paged, row.mcp.as]).toEqual([false, undefined, 'none']);
  });
});

describe('a file that is downloaded', () => {
  it('is a stream of texts that is only read', () => {
    const files = rows.filter(({ download }) => download !== undefined);
    expect(files).not.toHaveLength(0);
    for (const { method, stream } of files) {
      expect([method, Object.keys(stream ?? {})]).toEqual(['GET', ['text']]);
      expect(stream?.text?.safeParse({ text: 'a,b' }).success).toBe(true);
    }
  });
});

describe('named schemas', () => {
  it('each have one meaning over the whole contract', () => {
    const parts = rows.flatMap((row) => [
      ...[row.params, row.query, row.body, row.data],
      ...Object.values(row.stream ?? {}),
    ]);
    const all = z.tuple([z.string(), ...parts.filter((part) => part !== undefined)]);
    for (const io of ['input', 'output'] as const) {
      expect(() => z.toJSONSchema(all, { io, unrepresentable: 'any' })).not.toThrow();
    }
  });
});

describe.each(rows.map((row) => [row.id, row] as const))('%s', (_, row) => {
  it('declares every path parameter and no other', () => {
    expect(Object.keys(row.params?.shape ?? {}).sort()).toEqual(parametersOf(row.path).sort());
  });

  it('names only codes that exist', () => {
    for (const code of row.errors) expect(errorCodes).toHaveProperty(code);
  });

  it('can be described: requests as they come in, answers as they go out', () => {
    for (const part of [row.params, row.query, row.body]) {
      if (part) expect(() => z.toJSONSchema(part, { io: 'input' })).not.toThrow();
    }
    for (const part of [row.data, ...Object.values(row.stream ?? {})])
      expect(() => z.toJSONSchema(part, { io: 'output', unrepresentable: 'any' })).not.toThrow();
  });

  it('refuses keys it does not know', () => {
    for (const part of [row.params, row.query, row.body]) {
      if (!part) continue;
      const result = part.safeParse({ __surely_unknown: 1 });
      expect(JSON.stringify(result.error?.issues)).toMatch(/unrecognized_keys|invalid_union/);
    }
  });

  it('takes a body only where a body belongs', () => {
    if (row.method === 'GET' || row.method === 'DELETE') expect(row.body).toBeUndefined();
  });

  it('pages every list that grows with an organization', () => {
    const wholeLists = {
      'numbers.search': 'a search at a provider, with a limit of its own',
      'calls.live': 'bounded by the concurrent calls of the organization',
      'mcp.catalog': 'compiled in',
      'agents.listConfigVersions': 'has a limit and continues before a version',
      'suppressions.history': 'the latest facts about one number, with a limit of its own',
    };
    const rows: readonly Operation[] = operations;
    const unpaged = rows
      .filter(({ method, data, paged }) => method === 'GET' && data instanceof z.ZodArray && paged !== true)
      .map(({ id }) => id);
    expect(unpaged.sort()).toEqual(Object.keys(wholeLists).sort());
    for (const { id, paged, query, errors } of rows)
      if (paged === true)
        expect([id, Object.keys(query?.shape ?? {}), errors]).toEqual([
          id,
          expect.arrayContaining(['cursor', 'limit']),
          expect.arrayContaining(['INVALID_CURSOR']),
        ]);
  });
});
