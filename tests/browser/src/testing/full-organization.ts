// An organization with one record of everything, and with names that are hard to show, for looking at every screen.
import { expect } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { startMisbehavingMcpServer } from '@parlance/tests-e2e';
import type { ConsoleWorld, Person } from './console-world.js';

/** A name of so many characters: right to left, markup, an emoji of several parts, and a word without an end. */
export const awkwardName = (length: number): string =>
  `زينب <b>“Ada”</b> & Co 👩‍🚀 ${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}`.slice(0, length);

export interface FullOrganization {
  readonly person: Person;
  /** Addresses of each route of the console behind the sign-in, by the route's path. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
  stop(): Promise<void>;
}

interface Made {
  readonly id: string;
}

const slow = { timeoutMs: 90_000, intervalMs: 200 };
const people = [
  'phone_number,name',
  '+14155550100,Ada',
  'not a number,Barbara',
  '+14155550100,Ada again',
].join('\n');

/** Puts a file where the platform says. */
const put = async (url: string, type: string, body: string): Promise<void> => {
  const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });
  expect(answer.ok).toBe(true);
};

const makeAgent = async (world: ConsoleWorld, person: Person): Promise<string> => {
  const common = { isActive: true, templateId: 'business' };
  await world.ask(person, '/agents', { ...common, name: awkwardName(120) });
  const { id } = await world.ask<Made>(person, '/agents', { ...common, name: 'Front desk' });
  const config = await world.ask<Record<string, unknown>>(person, `/agents/${id}/config`);
  const { agentId: _, version: __, createdAt: ___, updatedAt: ____, extra: _____, ...settings } = config;
  // Nothing listens there, so its messages are shown as tried.
  const post_call_webhook = { url: 'http://127.0.0.1:9/calls', events: ['call.ended'] };
  await world.ask(person, `/agents/${id}/config`, { ...settings, post_call_webhook });
  return id;
};

const makeKnowledge = async (world: ConsoleWorld, person: Person, agentId: string): Promise<void> => {
  const { uploadUrl, fileKey } = await world.ask<{ uploadUrl: string; fileKey: string }>(
    person,
    '/kb/upload-url?fileName=refunds.md&contentType=text/markdown',
  );
  await put(uploadUrl, 'text/markdown', '# Refunds\n\nA refund takes ten working days.\n');
  const source = { type: 'file', fileKey, fileName: 'refunds.md', name: awkwardName(200) };
  await world.ask(person, '/kb', { agentId, sources: [source] });
};

const makeCampaign = async (
  world: ConsoleWorld,
  person: Person,
  { agentId, fromNumber }: { readonly agentId: string; readonly fromNumber: string },
): Promise<string> => {
  const { uploadUrl, sourceFileKey } = await world.ask<{ uploadUrl: string; sourceFileKey: string }>(
    person,
    '/outbound-calls/batch-upload-url?fileName=people.csv&contentType=text/csv',
  );
  await put(uploadUrl, 'text/csv', people);
  const { id } = await world.ask<Made>(person, '/outbound-calls/batches', {
    ...{ name: awkwardName(120), agentId, fromNumber, sourceFileKey, sourceFileName: 'people.csv' },
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  return id;
};

/** An outbound call that was answered, with its transcript and cost. */
const untilPriced = (world: ConsoleWorld, person: Person, outboundId: string): Promise<string> =>
  eventually(async () => {
    const { callId } = await world.ask<{ callId: string | null }>(person, `/outbound-calls/${outboundId}`);
    expect(callId).not.toBeNull();
    const { cost } = await world.ask<{ cost: object | null }>(person, `/calls/${callId}`);
    expect(cost).not.toBeNull();
    return callId ?? '';
  }, slow);

/** A message to the webhook that was tried. */
const untilTried = (world: ConsoleWorld, person: Person): Promise<string> =>
  eventually(async () => {
    const [delivery] = await world.ask<readonly (Made & { tries: number })[]>(person, '/webhooks/deliveries');
    expect(delivery?.tries).toBeGreaterThan(0);
    return delivery?.id ?? '';
  }, slow);

const connect = async (
  world: ConsoleWorld,
  person: Person,
  server: Awaited<ReturnType<typeof startMisbehavingMcpServer>>,
): Promise<string> => {
  const url = server.url('hidden-instructions');
  return (await world.ask<Made>(person, '/mcp/connections', { name: awkwardName(120), url })).id;
};

export const makeFullOrganization = async (world: ConsoleWorld): Promise<FullOrganization> => {
  const person = await world.person(awkwardName(100));
  const server = await startMisbehavingMcpServer();
  const agentId = await makeAgent(world, person);
  const fromNumber = await world.buyNumber(person);
  const { id: outboundId } = await world.ask<Made>(person, '/outbound-calls/quick', {
    ...{ agentId, fromNumber, phoneNumber: '+14155550100', username: awkwardName(120) },
  });
  const tool = await world.ask<Made>(person, '/tools', {
    name: 'a_tool_with_a_name_that_goes_on_until_it_has_sixty_four_letters',
    description: 'Does <b>something</b> & more.',
    request: { method: 'POST', url: 'https://shop.example.com/a/path/that/goes/on/and/on/until/it/ends' },
  });
  const secret = { name: 'A_NAME_THAT_GOES_ON_AND_ON_UNTIL_IT_HAS_SIXTY_FOUR_LETTERS', value: 'x' };
  await world.ask(person, '/secrets', secret);
  const model = { kind: 'llm', model: 'llama', baseUrl: 'https://models.example.com/v1' };
  await world.ask(person, '/models', { ...model, id: 'custom/llama', name: awkwardName(100) });
  await makeKnowledge(world, person, agentId);
  const widget = await world.ask<Made>(person, `/agents/${agentId}/widgets`, {
    ...{ name: awkwardName(120), allowedOrigins: ['https://www.example.com', 'https://example.org'] },
  });
  await world.ask(person, '/suppressions', { phoneNumbers: ['+14155550103'], reason: awkwardName(200) });
  const email = 'somebody.with.an.address.that.goes.on.and.on@a-rather-long-domain.example.com';
  await world.askAuth(person, '/organization/invite-member', { email, role: 'viewer' });
  await world.askAuth(person, '/api-key/create', { name: awkwardName(60), permissions: ['agent:read'] });
  const [campaignId, connectionId, callId, deliveryId] = await Promise.all([
    makeCampaign(world, person, { agentId, fromNumber }),
    connect(world, person, server),
    untilPriced(world, person, outboundId),
    untilTried(world, person),
  ]);
  const tabs = (path: string, names: readonly string[]) => names.map((tab) => `${path}?tab=${tab}`);
  return {
    person,
    addresses: {
      '/': ['/'],
      '/account': ['/account'],
      '/agents': ['/agents'],
      '/agents/new': ['/agents/new'],
      '/agents/$agentId': tabs(`/agents/${agentId}`, [
        ...['configuration', 'versions', 'try', 'tools', 'knowledge', 'mcp', 'numbers'],
      ]),
      '/api-keys': ['/api-keys'],
      '/api-keys/new': ['/api-keys/new'],
      '/calls': ['/calls'],
      '/calls/$callId': [`/calls/${callId}`],
      '/live-calls': ['/live-calls'],
      '/campaigns': ['/campaigns'],
      '/campaigns/new': ['/campaigns/new'],
      '/campaigns/$campaignId': [`/campaigns/${campaignId}`],
      '/do-not-call': ['/do-not-call'],
      '/knowledge': [`/knowledge?agent=${agentId}`],
      '/mcp-servers': ['/mcp-servers'],
      '/mcp-servers/connect': ['/mcp-servers/connect'],
      '/mcp-servers/$connectionId': [`/mcp-servers/${connectionId}`],
      '/members': ['/members'],
      '/models': ['/models'],
      '/models/new': ['/models/new'],
      '/models/$modelName': ['/models/llama'],
      '/numbers': ['/numbers'],
      '/numbers/buy': ['/numbers/buy?provider=TWILIO&country=US'],
      '/outbound-calls': ['/outbound-calls'],
      '/outbound-calls/new': ['/outbound-calls/new'],
      '/outbound-calls/$outboundId': [`/outbound-calls/${outboundId}`],
      '/secrets': ['/secrets'],
      '/settings': ['/settings'],
      '/spend': ['/spend'],
      '/tools': ['/tools'],
      '/tools/new': ['/tools/new'],
      '/tools/$toolId': tabs(`/tools/${tool.id}`, ['definition', 'test', 'agents']),
      '/webhooks': ['/webhooks', `/webhooks?open=${deliveryId}`],
      '/widgets': [`/widgets?agent=${agentId}`],
      '/widgets/new': ['/widgets/new'],
      '/widgets/$widgetId': [`/widgets/${widget.id}`],
    },
    stop: () => server.stop(),
  };
};
