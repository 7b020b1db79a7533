import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Callable, contract, type Operation, PersonalKind } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import { platformCaller, type RpcContext } from '@parlance/rpc';
import { AgentsOfTools } from './agents-of-tools.js';
import { composersOver } from './composers.js';
import { EndsOfCalls } from './ends-of-calls.js';
import { FactsOfCalls } from './facts-of-calls.js';
import { NumbersAtDialer } from './numbers-at-dialer.js';
import { OutboundTimelines } from './outbound-timelines.js';
import type { ReadingOptions } from './reading.js';

const [organizationId, agentId, toolId] = ['o1', randomUUID(), randomUUID()];
const context: RpcContext = { caller: platformCaller('gateway', organizationId), requestId: 'r1' };

let requested: { readonly id: string; readonly organizationId: string }[];
let responses: Record<string, unknown>;
let agents: AgentsOfTools;
let compose: (row: Operation, input: object, asking?: RpcContext) => Promise<unknown>;

const failing = (code: ErrorCode) => new AppError(code);

beforeEach(() => {
  requested = [];
  responses = {};
  const options = {
    rpc: {
      call: async ({ id }: Callable, _request: unknown, { caller }: RpcContext) => {
        requested.push({ id, organizationId: caller.organizationId });
        const response = responses[id] ?? failing('SERVICE_UNAVAILABLE');
        if (response instanceof AppError) throw response;
        return { data: response };
      },
    },
    logger: { warn: () => undefined },
  } as unknown as ReadingOptions;
  agents = new AgentsOfTools(options);
  const composers = composersOver({
    agents,
    calls: new FactsOfCalls(options),
    ends: new EndsOfCalls(options),
    numbers: new NumbersAtDialer(options),
    timelines: new OutboundTimelines(options),
  });
  compose = async ({ id }, input, asking = context) =>
    composers[id]?.({ params: {}, query: {}, body: {}, ...input } as never, asking);
});

describe('the facts about an agent of a tool', () => {
  const rows = [contract.toolsAttach, contract.toolsDetach, contract.toolsListForAgent];
  const params = { agentId, toolId };

  it('say of each request whether the agent exists in the organization of the caller', async () => {
    responses['agents.forCall'] = { language: null };
    for (const row of rows) expect(await compose(row, { params })).toEqual({ agent: 'exists' });
    responses['agents.forCall'] = failing('AGENT_NOT_FOUND');
    for (const row of rows) expect(await compose(row, { params })).toEqual({ agent: 'unknown' });
    expect(new Set(requested.map((request) => request.organizationId))).toEqual(new Set([organizationId]));
  });

  it.each(['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const)('are unread after %s', async (code) => {
    responses['agents.forCall'] = failing(code);
    for (const row of rows) expect(await compose(row, { params })).toEqual({ agent: 'unread' });
  });

  it('have the variables and the zone for a test of the tool, and are not read for a test without an agent', async () => {
    const variables = { city: 'Paris' };
    responses['agents.forCall'] = { variables, redaction: { kinds: [], timezone: 'Europe/Paris' } };
    expect(await compose(contract.toolsTest, { body: { agentId } })).toEqual({
      agent: 'exists',
      values: { call: null, agent: { variables, timezone: 'Europe/Paris' } },
    });
    responses['agents.forCall'] = failing('AGENT_NOT_FOUND');
    expect(await compose(contract.toolsTest, { body: { agentId } })).toEqual({
      agent: 'unknown',
      values: null,
    });
    requested = [];
    expect(await compose(contract.toolsTest, {})).toBeUndefined();
    expect(requested).toEqual([]);
  });
});

describe('what records of a call hide', () => {
  const hidden = () => agents.redaction({ organizationId, agentId }, context);
  const everything = { language: 'en', timezone: 'UTC', kinds: PersonalKind.options };

  it('is that of the configuration, read once in a while', async () => {
    const redaction = { kinds: ['card'], timezone: 'Europe/Berlin' };
    responses['agents.forCall'] = { language: 'de', redaction };
    expect(await hidden()).toEqual({ language: 'de', ...redaction });
    expect(await hidden()).toEqual({ language: 'de', ...redaction });
    expect(requested).toHaveLength(1);
  });

  it('is nothing for an agent that hides nothing', async () => {
    responses['agents.forCall'] = { language: 'de', redaction: { kinds: [], timezone: 'UTC' } };
    expect(await hidden()).toBeNull();
  });

  it.each(['AGENT_NOT_FOUND', 'SERVICE_UNAVAILABLE'] as const)(
    'is everything after %s, and read again for the next call',
    async (code) => {
      responses['agents.forCall'] = failing(code);
      expect(await hidden()).toEqual(everything);
      expect(await hidden()).toEqual(everything);
      expect(requested).toHaveLength(2);
    },
  );
});

describe('the use of an agent that is to be deleted', () => {
  const use = () => compose(contract.agentsDelete, { params: { agentId } });

  it('has its calls in progress and its outbound calls', async () => {
    responses['calls.liveCountOfAgent'] = { live: 1 };
    responses['outboundCalls.openCountOfAgent'] = { open: 2 };
    expect(await use()).toEqual({ use: { liveCalls: 1, openOutboundCalls: 2 } });
  });

  it('is unknown while one of both services does not answer', async () => {
    responses['calls.liveCountOfAgent'] = { live: 0 };
    expect(await use()).toEqual({ use: null });
  });
});

describe('the limits for a change of settings', () => {
  const limits = { concurrentCalls: 5, countries: null };
  const change = (body: object) => compose(contract.settingsUpdate, { body });

  it('are read for a change of what the operator limits, and for no other', async () => {
    responses['limits.of'] = limits;
    expect(await change({ maxConcurrentCalls: 9 })).toEqual({ limits });
    expect(await change({ allowedCountries: null })).toEqual({ limits });
    requested = [];
    expect(await change({ timezone: 'UTC' })).toEqual({ limits: null });
    expect(requested).toEqual([]);
  });

  it('are unknown while the dialer does not answer', async () => {
    expect(await change({ maxConcurrentCalls: 9 })).toEqual({ limits: null });
  });
});

describe('the end of a live call by an operator', () => {
  const [callId, outboundCallId, dialCancelledAt] = [randomUUID(), randomUUID(), '2026-03-01T10:00:00.000Z'];
  const end = () => compose(contract.callsEndLive, { body: { roomName: 'ob_1' } });
  const found = (call: object | null) => {
    responses['calls.inRoom'] = { call: call && { callId, inText: false, dialOf: null, ...call } };
  };
  const ids = () => requested.map(({ id }) => id);

  it('ends the dial at the dialer first, with the time at which it was ended', async () => {
    found({ dialOf: outboundCallId });
    responses['outboundCalls.endAttempt'] = { cancelledAt: dialCancelledAt };
    expect(await end()).toEqual({
      ended: { callId, inText: false, dialOf: outboundCallId, dialCancelledAt },
    });
    expect(ids()).toEqual(['calls.inRoom', 'outboundCalls.endAttempt']);
  });

  it('ends the conversation in text at widgets first', async () => {
    found({ inText: true });
    responses['widgets.endConversation'] = { ended: true };
    expect(await end()).toEqual({
      ended: { callId, inText: true, dialOf: null, dialCancelledAt: null },
    });
    expect(ids()).toEqual(['calls.inRoom', 'widgets.endConversation']);
  });

  it('ends nothing where no call is live, and where a call is neither dialled nor in text', async () => {
    found(null);
    expect(await end()).toEqual({ ended: null });
    found({});
    expect(await end()).toMatchObject({ ended: { callId, dialCancelledAt: null } });
    expect(ids()).toEqual(['calls.inRoom', 'calls.inRoom']);
  });

  it.each([
    ['the dialer', { dialOf: outboundCallId }],
    ['widgets', { inText: true }],
  ])('is refused while %s does not answer, so that the call lasts', async (_, part) => {
    found(part);
    await expect(end()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('has no dial to end where the dialer knows no outbound call', async () => {
    found({ dialOf: outboundCallId });
    responses['outboundCalls.endAttempt'] = failing('OUTBOUND_CALL_NOT_FOUND');
    expect(await end()).toMatchObject({ ended: { dialOf: outboundCallId, dialCancelledAt: null } });
  });

  it('is left to a service of 0.2.0, which answers no request for the call of a room', async () => {
    expect(await end()).toBeUndefined();
    responses['calls.inRoom'] = failing('UPSTREAM_TIMEOUT');
    await expect(end()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });
});

describe('the attempts for the timeline of a call', () => {
  const outboundCallId = randomUUID();
  const timeline = { entries: [], isCut: false };
  const reader = { ...context.caller, permissions: ['outboundCalls:read'] };
  const attempts = (caller = reader) =>
    compose(contract.callsTimeline, { params: { callId: randomUUID() } }, { ...context, caller });

  it('are read for a reader who may see outbound calls, and for no other', async () => {
    responses['calls.outboundCall'] = { outboundCallId };
    responses['outboundCalls.timeline'] = timeline;
    expect(await attempts()).toEqual({ outbound: { timeline } });
    requested = [];
    expect(await attempts({ ...reader, permissions: ['callLogs:read'] })).toEqual({ outbound: null });
    expect(requested).toEqual([]);
  });

  it('are none for a call without an outbound call, and where the dialer knows none', async () => {
    responses['calls.outboundCall'] = { outboundCallId: null };
    expect(await attempts()).toEqual({ outbound: null });
    responses['calls.outboundCall'] = { outboundCallId };
    responses['outboundCalls.timeline'] = failing('OUTBOUND_CALL_NOT_FOUND');
    expect(await attempts()).toEqual({ outbound: null });
  });

  it('are missing while the dialer does not answer', async () => {
    responses['calls.outboundCall'] = { outboundCallId };
    expect(await attempts()).toEqual({ outbound: { timeline: null } });
  });

  it('are left to a service of 0.2.0', async () => {
    expect(await attempts()).toBeUndefined();
  });
});

describe('the purchase of a number', () => {
  const numberId = randomUUID();
  const begun = { numberId, monthlyPriceMicros: 1_250_000, currency: 'USD', numbersOwned: 2 };
  const buy = () =>
    compose(contract.numbersBuy, { body: { provider: 'TWILIO', phoneNumber: '+14155550100' } });

  it('has its month reserved once it is on record', async () => {
    responses['numbers.begin'] = { begun };
    responses['spend.reserveNumber'] = {};
    expect(await buy()).toEqual({ numberId, refusal: null });
    expect(requested.map(({ id }) => id)).toEqual(['numbers.begin', 'spend.reserveNumber']);
  });

  it('is told why its month is not reserved, also while the dialer does not answer', async () => {
    responses['numbers.begin'] = { begun };
    const details = { limit: 'day' };
    responses['spend.reserveNumber'] = new AppError('SPEND_LIMIT_REACHED', { details });
    expect(await buy()).toEqual({ numberId, refusal: { code: 'SPEND_LIMIT_REACHED', details } });
    for (const code of ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR'] as const) {
      responses['spend.reserveNumber'] = failing(code);
      expect(await buy()).toEqual({ numberId, refusal: { code: 'SERVICE_UNAVAILABLE' } });
    }
  });

  it('is refused with the reason why it is not begun, and reserves nothing', async () => {
    responses['numbers.begin'] = failing('QUOTE_EXPIRED');
    await expect(buy()).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(requested.map(({ id }) => id)).toEqual(['numbers.begin']);
  });

  it('is left to a service that begins none for the gateway', async () => {
    expect(await buy()).toBeUndefined();
    responses['numbers.begin'] = { begun: null };
    expect(await buy()).toBeUndefined();
    expect(requested.map(({ id }) => id)).toEqual(['numbers.begin', 'numbers.begin']);
  });
});

describe('the release of a number', () => {
  const hold = { holdId: randomUUID(), phoneNumber: '+14155550100' };
  const release = () => compose(contract.numbersRelease, { params: { phId: randomUUID() } });

  it('has the campaign that calls from the number, requested while the number is held', async () => {
    responses['numbers.hold'] = { hold };
    for (const campaignId of [null, randomUUID()]) {
      responses['outboundCalls.campaignFrom'] = { campaignId };
      expect(await release()).toEqual({ holdId: hold.holdId, campaign: { id: campaignId } });
    }
    expect(requested.map(({ id }) => id).slice(0, 2)).toEqual(['numbers.hold', 'outboundCalls.campaignFrom']);
  });

  it('knows of no answer while the dialer does not answer', async () => {
    responses['numbers.hold'] = { hold };
    expect(await release()).toEqual({ holdId: hold.holdId, campaign: null });
  });

  it('is refused with the reason why the number is not held', async () => {
    responses['numbers.hold'] = failing('NUMBER_NOT_FOUND');
    await expect(release()).rejects.toMatchObject({ code: 'NUMBER_NOT_FOUND' });
  });

  it('is left to a service that holds no number for the gateway', async () => {
    expect(await release()).toBeUndefined();
    responses['numbers.hold'] = { hold: null };
    expect(await release()).toBeUndefined();
  });
});
