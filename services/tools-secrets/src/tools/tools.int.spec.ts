import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, serviceRequests } from '@parlance/contracts';
import { CannotOpen } from '@parlance/crypto';
import { eventually } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { newAgentId, newOrganization } from '../testing/organization.js';
import { World } from '../testing/world.js';
import { countRunsOf } from './run-counts.js';
import { listOfTools } from './tools-repository.js';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

const scansIn = (node: PlanNode): PlanNode[] => [
  ...(node['Relation Name'] === undefined ? [] : [node]),
  ...(node.Plans ?? []).flatMap(scansIn),
];

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The statement with literals, because `explain` takes no parameters here. */
const withValues = (statement: string, ...values: readonly string[]): string =>
  statement.replaceAll(/\$(\d)/g, (_, place) => `'${values[Number(place) - 1]}'`);

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 120_000);
afterAll(() => world.stop());

const parameter = {
  name: 'id',
  in: 'path' as const,
  type: 'string' as const,
  description: 'Which one',
  required: true,
  source: 'model' as const,
};

describe('a tool', () => {
  it('is read back as it was saved, with literal header values hidden and kept by "•••"', async () => {
    const org = newOrganization(world);
    await org.secret('TOKEN', 'planted-token-value');
    const headers = { 'X-Key': 'literal-credential', Authorization: 'Bearer {{secrets.TOKEN}}' };
    const url = world.system.url('/things/{id}?lang=en');
    const made = await org.create('find_thing', '', { request: { url, headers }, parameters: [parameter] });
    expect(made.request).toMatchObject({ url, headers: { ...headers, 'X-Key': '•••' } });
    const { rows } = await world.db.query('select document::text as text from tools where id = $1', [
      made.id,
    ]);
    expect(rows[0]?.text).not.toContain('literal-credential');
    const request = { ...made.request, headers: { 'x-key': '•••' } };
    const changed = await org.update(made.id, { description: 'Finds a thing.', request });
    expect(changed).toMatchObject({ name: 'find_thing', description: 'Finds a thing.', agentIds: [] });
    await org.test(made.id, { id: '1' });
    expect(world.system.sentTo('/things/1')[0]?.headers['x-key']).toBe('literal-credential');
    const moved = { ...request, url: 'https://elsewhere.example/things/{id}' };
    expect(await refusalCode(org.update(made.id, { request: moved }))).toBe('HEADER_VALUE_NEEDED');
    const stranger = { ...made.request, headers: { 'x-other': '•••' } };
    expect(await refusalCode(org.update(made.id, { request: stranger }))).toBe('VALIDATION_ERROR');
    const [secret] = await world.ask(contract.secretsList, { query: {} }, org.caller);
    expect(secret?.usedBy).toEqual([]);
  });

  it('keeps a header value of an earlier release, and binds it to its origin with the next save', async () => {
    const org = newOrganization(world);
    const made = await org.create('old', '/old', { request: { headers: { 'x-key': 'literal-credential' } } });
    const binding = JSON.stringify(['tool header', org.id, made.id, 'x-key']);
    const sealed = world.keyring.seal(Buffer.from('literal-credential'), binding);
    await world.db.query(
      `update tools set document = jsonb_set(document, '{request,headers,x-key}', $2) where id = $1`,
      [made.id, JSON.stringify({ sealed, isTemplate: false })],
    );
    await org.test(made.id);
    expect(
      await refusalCode(
        org.update(made.id, { request: { ...made.request, url: 'https://elsewhere.example/' } }),
      ),
    ).toBe('HEADER_VALUE_NEEDED');
    await org.update(made.id, { request: made.request });
    await org.test(made.id);
    expect(world.system.sentTo('/old').map(({ headers }) => headers['x-key'])).toEqual([
      'literal-credential',
      'literal-credential',
    ]);
    const { rows } = await world.db.query<{ sealed: string; bound: string }>(
      `select document #>> '{request,headers,x-key,sealed}' as sealed,
         document #>> '{request,headers,x-key,bound}' as bound from tools where id = $1`,
      [made.id],
    );
    const [{ sealed: kept = '', bound = '' } = {}] = rows;
    // The release before reads it as it did.
    expect(world.keyring.open(kept, binding).toString()).toBe('literal-credential');
    const withOrigin = JSON.stringify([...JSON.parse(binding), new URL(world.system.url('/')).origin]);
    expect(world.keyring.open(bound, withOrigin).toString()).toBe('literal-credential');
    expect(() => world.keyring.open(bound, binding)).toThrow(CannotOpen);
  });

  it('has a name that no other tool has in any case, and is unknown to other organizations', async () => {
    const [org, other] = [newOrganization(world), newOrganization(world)];
    const made = await org.create('look_up', '/a');
    const second = await org.create('other', '/a');
    expect(await refusalCode(org.create('Look_Up', '/a'))).toBe('NAME_TAKEN');
    expect(await refusalCode(org.update(second.id, { name: 'LOOK_UP' }))).toBe('NAME_TAKEN');
    await other.create('look_up', '/a');
    expect(await refusalCode(other.update(made.id, { isActive: false }))).toBe('TOOL_NOT_FOUND');
    expect(await refusalCode(other.attach(made.id, newAgentId()))).toBe('TOOL_NOT_FOUND');
    expect(await refusalCode(other.test(made.id))).toBe('TOOL_NOT_FOUND');
    const remove = world.ask(contract.toolsDelete, { params: { toolId: made.id } }, other.caller);
    expect(await refusalCode(remove)).toBe('TOOL_NOT_FOUND');
    expect((await org.list()).map(({ name }) => name).sort()).toEqual(['look_up', 'other']);
  });

  it('mentions only secrets that exist, and keeps them from being deleted', async () => {
    const [org, other] = [newOrganization(world), newOrganization(world)];
    await other.secret('THEIRS', 'value-of-another');
    const mentioning = (name: string) => ({ request: { headers: { a: `{{secrets.${name}}}` } } });
    expect(await refusalCode(org.create('t', '/a', mentioning('THEIRS')))).toBe('SECRET_NOT_FOUND');
    // A fallback makes no reference to an unknown secret good.
    expect(await refusalCode(org.create('t', '/a', mentioning('THEIRS | none')))).toBe('SECRET_NOT_FOUND');
    const byId = { request: { headers: { a: { secretId: randomUUID() } } } };
    expect(await refusalCode(org.create('t', '/a', byId))).toBe('SECRET_NOT_FOUND');
    const { id } = await org.secret('OURS', 'value-of-ours');
    const made = await org.create('t', '/a', mentioning('OURS'));
    const remove = () => world.ask(contract.secretsDelete, { params: { secretId: id } }, org.caller);
    expect(await remove().catch((error) => error)).toMatchObject({
      code: 'SECRET_IN_USE',
      details: { dependents: [{ type: 'tool', id: made.id, name: 't' }] },
    });
    await world.ask(contract.toolsDelete, { params: { toolId: made.id } }, org.caller);
    expect(await refusalCode(remove())).toBeUndefined();
  });
});

describe('agents', () => {
  it('are given tools once and lose them once, and each change is announced with a higher version', async () => {
    const org = newOrganization(world);
    const tool = await org.create('look_up', '/a', {
      request: { url: world.system.url('/a/{id}') },
      parameters: [parameter],
    });
    const agentId = newAgentId();
    const forAgent = () => world.ask(serviceRequests.toolsForAgent, { body: { agentId } }, org.caller);
    for (let i = 0; i < 2; i += 1)
      expect(await org.attach(tool.id, agentId)).toMatchObject({ attached: true });
    expect(await forAgent()).toMatchObject([
      { name: 'look_up', parameters: { required: ['id'], additionalProperties: false } },
    ]);
    await org.update(tool.id, { isActive: false });
    expect(await forAgent()).toEqual([]);
    const detach = () =>
      world.ask(contract.toolsDetach, { params: { toolId: tool.id, agentId } }, org.caller);
    for (let i = 0; i < 2; i += 1) expect(await detach()).toMatchObject({ attached: false });
    await eventually(() =>
      expect(world.eventsOf(org.id, events.agentToolsChanged).map(({ data }) => data)).toEqual([
        { agentId, tools: 1, version: 1 },
        { agentId, tools: 0, version: 2 },
      ]),
    );
    expect(await refusalCode(org.attach(tool.id, randomUUID().replace(/^./, 'b')))).toBe('AGENT_NOT_FOUND');
  });

  it('are known by what the gateway sends along, and agents-config is not requested for them', async () => {
    const org = newOrganization(world);
    const tool = await org.create('known', '/known');
    const agentId = newAgentId();
    const params = { toolId: tool.id, agentId };
    world.requested.length = 0;
    for (const [agent, code] of [
      ['unknown', 'AGENT_NOT_FOUND'],
      ['unread', 'SERVICE_UNAVAILABLE'],
    ] as const) {
      const composed = { agent };
      expect(await refusalCode(world.ask(contract.toolsAttach, { params, composed }, org.caller))).toBe(code);
      expect(await refusalCode(world.ask(contract.toolsDetach, { params, composed }, org.caller))).toBe(code);
      const list = { params: { agentId }, query: {}, composed };
      expect(await refusalCode(world.ask(contract.toolsListForAgent, list, org.caller))).toBe(code);
    }
    const composed = { agent: 'exists' as const };
    await world.ask(contract.toolsAttach, { params, composed }, org.caller);
    const list = { params: { agentId }, query: {}, composed };
    expect(await world.ask(contract.toolsListForAgent, list, org.caller)).toMatchObject([{ id: tool.id }]);
    // What is attached can be detached while agents-config is away.
    await world.ask(contract.toolsDetach, { params, composed: { agent: 'unread' } }, org.caller);
    expect(await world.ask(contract.toolsListForAgent, list, org.caller)).toEqual([]);
    expect(world.requested).toEqual([]);
  });

  it('that are deleted lose their tools, and get no new ones', async () => {
    const org = newOrganization(world);
    const tool = await org.create('look_up', '/a');
    const agentId = newAgentId();
    await org.attach(tool.id, agentId);
    await world.announce(events.agentDeleted, org.id, { agentId, name: 'Desk' });
    await eventually(async () => expect((await org.list())[0]?.agentIds).toEqual([]));
    expect(await refusalCode(org.attach(tool.id, agentId))).toBe('AGENT_NOT_FOUND');
  });
});

describe('the numbers of a day', () => {
  /** Executions of the last 20 hours: one in twenty fails, and they take 1 to 1,000 ms. */
  const runMany = async (organizationId: string, toolId: string, runs: number): Promise<void> => {
    const atOnce = 5_000;
    for (let from = 1; from <= runs; from += atOnce)
      await world.db.query(
        `with ended as (
           insert into tool_runs (organization_id, call_id, execution_id, tool_id, tool_name, agent_id, request_hash,
             started_at, status, duration_ms)
           select $1, 'c', gen_random_uuid(), $2, 't', gen_random_uuid(), 'h',
             now() - make_interval(secs => n % 72000), case when n % 20 = 0 then 'error' else 'ok' end, n % 1000 + 1
           from generate_series($3::int, $3::int + ${atOnce - 1}) n returning *)
         ${countRunsOf('ended')}`,
        [organizationId, toolId, from],
      );
  };
  /** Rows that the list of tools reads, and the time that it takes in Postgres. */
  const costOfList = async (organizationId: string) => {
    const { rows } = await world.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>(
      `explain (analyze, format json) ${withValues(listOfTools, organizationId, 'infinity', lastId, '1001')}`,
    );
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    if (plan === undefined) throw new Error('no plan');
    const scans = scansIn(plan.Plan);
    const ofRuns = scans.filter((scan) => scan['Relation Name']?.startsWith('tool_run'));
    // A number that its text would not repeat, such as 1.250, is read as an exact number, and not as one of JavaScript.
    return { ms: Number(plan['Execution Time']), ofRuns };
  };

  it('cost the same after 100,000 executions, because the list reads no execution', async () => {
    const org = newOrganization(world);
    const tool = await org.create('busy', '/busy');
    await org.create('idle', '/idle');
    await runMany(org.id, tool.id, 100_000);
    await world.db.query('analyze tool_run_counts');
    const { ms, ofRuns } = await costOfList(org.id);
    expect(ofRuns.map((scan) => scan['Relation Name'])).toEqual(['tool_run_counts']);
    const read = ofRuns.reduce((sum, scan) => sum + scan['Actual Rows'] * scan['Actual Loops'], 0);
    // At most 24 hours of at most 73 classes from 1 ms to 1 s.
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(24 * 73);
    process.stdout.write(`GET /tools after 100,000 executions: ${read} rows, ${ms.toFixed(1)} ms in Postgres
`);
    const stats = Object.fromEntries((await org.list()).map(({ name, stats24h }) => [name, stats24h]));
    expect(stats.busy).toMatchObject({ runs: 100_000, failures: 5_000 });
    expect(stats.busy?.p95Ms).toBeGreaterThanOrEqual(950);
    expect(stats.busy?.p95Ms).toBeLessThan(950 * 1.1);
    expect(stats.idle).toEqual({ runs: 0, failures: 0, p95Ms: null });
  }, 120_000);
});
