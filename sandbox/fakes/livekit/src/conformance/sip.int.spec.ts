import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ListUpdate,
  RoomAgentDispatch,
  RoomConfiguration,
  SIPDispatchRuleInfo,
  SIPInboundTrunkInfo,
  SIPOutboundTrunkInfo,
} from '@livekit/protocol';
import { type ConformanceTarget, conformanceTarget } from './support.js';

let target: ConformanceTarget;
const undo: (() => Promise<unknown>)[] = [];
/** No number of anybody, and another one for every test. */
let last = 1_000_000 + Math.floor(Math.random() * 8_000_000);
const number = (): string => {
  last += 1;
  return `+1999${last}`;
};

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(async () => {
  for (const step of undo.reverse()) await step().catch(() => undefined);
  await target.close();
});

const inboundTrunk = async (numbers: readonly string[]) => {
  const trunk = await target.sip.createSipInboundTrunk('conformance', [...numbers], { metadata: 'm' });
  undo.push(() => target.sip.deleteSipTrunk(trunk.sipTrunkId));
  return trunk;
};
const rule = async (trunkIds: readonly string[]) => {
  const made = await target.sip.createSipDispatchRule(
    { type: 'individual', roomPrefix: 'in' },
    {
      name: 'conformance',
      trunkIds: [...trunkIds],
      attributes: { a: '1' },
      roomConfig: new RoomConfiguration({
        agents: [new RoomAgentDispatch({ agentName: 'conformance-agent', metadata: '{}' })],
      }),
    },
  );
  undo.push(() => target.sip.deleteSipDispatchRule(made.sipDispatchRuleId));
  return made;
};

describe('an inbound trunk', () => {
  it('is found by its id and by its number', async () => {
    const called = number();
    const { sipTrunkId } = await inboundTrunk([called]);
    expect(sipTrunkId).toMatch(/^ST_/);
    const byId = await target.sip.listSipInboundTrunk({ trunkIds: [sipTrunkId] });
    expect(byId).toMatchObject([{ sipTrunkId, numbers: [called], metadata: 'm', name: 'conformance' }]);
    const byNumber = await target.sip.listSipInboundTrunk({ numbers: [called] });
    expect(byNumber.map((trunk) => trunk.sipTrunkId)).toContain(sipTrunkId);
  });

  it('changes in the fields that are named, or as a whole', async () => {
    const [one, two] = [number(), number()];
    const { sipTrunkId } = await inboundTrunk([one]);
    const changed = await target.sip.updateSipInboundTrunkFields(sipTrunkId, {
      name: 'renamed',
      numbers: new ListUpdate({ add: [two], remove: [one] }),
    });
    expect(changed).toMatchObject({ sipTrunkId, name: 'renamed', numbers: [two], metadata: 'm' });
    const replaced = await target.sip.updateSipInboundTrunk(
      sipTrunkId,
      new SIPInboundTrunkInfo({ name: 'whole', numbers: [one] }),
    );
    expect(replaced).toMatchObject({ sipTrunkId, name: 'whole', numbers: [one], metadata: '' });
  });

  it('is refused beside one for the same number', async () => {
    const called = number();
    await inboundTrunk([called]);
    await expect(inboundTrunk([called])).rejects.toMatchObject({
      message: expect.stringContaining('Conflicting inbound SIP Trunks'),
    });
  });

  it('is gone when it was deleted', async () => {
    const called = number();
    const { sipTrunkId } = await inboundTrunk([called]);
    await target.sip.deleteSipTrunk(sipTrunkId);
    const left = await target.sip.listSipInboundTrunk({ numbers: [called] });
    expect(left.map((trunk) => trunk.sipTrunkId)).not.toContain(sipTrunkId);
  });
});

describe('an outbound trunk', () => {
  it('is made, changed and deleted', async () => {
    const from = number();
    const { sipTrunkId } = await target.sip.createSipOutboundTrunk('out', 'sip.example.com', [from]);
    undo.push(() => target.sip.deleteSipTrunk(sipTrunkId));
    const changed = await target.sip.updateSipOutboundTrunkFields(sipTrunkId, { name: 'renamed' });
    expect(changed).toMatchObject({ sipTrunkId, name: 'renamed', address: 'sip.example.com' });
    await target.sip.updateSipOutboundTrunk(
      sipTrunkId,
      new SIPOutboundTrunkInfo({ name: 'whole', address: 'sip2.example.com', numbers: [from] }),
    );
    const listed = await target.sip.listSipOutboundTrunk({ trunkIds: [sipTrunkId] });
    expect(listed).toMatchObject([{ name: 'whole', address: 'sip2.example.com', numbers: [from] }]);
    await target.sip.deleteSipTrunk(sipTrunkId);
  });

  it('that does not exist cannot be dialled through', async () => {
    const name = `conformance-${randomUUID()}`;
    await target.rooms.createRoom({ name, emptyTimeout: 60 });
    undo.push(() => target.rooms.deleteRoom(name));
    await expect(target.sip.createSipParticipant('ST_nothing', number(), name)).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a dispatch rule', () => {
  it('keeps its trunks, its attributes and the agents of its rooms', async () => {
    const { sipTrunkId } = await inboundTrunk([number()]);
    const { sipDispatchRuleId } = await rule([sipTrunkId]);
    const [listed] = await target.sip.listSipDispatchRule({ dispatchRuleIds: [sipDispatchRuleId] });
    expect(listed).toMatchObject({
      sipDispatchRuleId,
      trunkIds: [sipTrunkId],
      attributes: { a: '1' },
      rule: { rule: { case: 'dispatchRuleIndividual', value: { roomPrefix: 'in' } } },
    });
    expect(listed?.roomConfig?.agents).toMatchObject([{ agentName: 'conformance-agent', metadata: '{}' }]);
    const ofTrunk = await target.sip.listSipDispatchRule({ trunkIds: [sipTrunkId] });
    expect(ofTrunk.map((found) => found.sipDispatchRuleId)).toContain(sipDispatchRuleId);
  });

  it('changes in the fields that are named, or as a whole', async () => {
    const { sipTrunkId } = await inboundTrunk([number()]);
    const made = await rule([sipTrunkId]);
    const id = made.sipDispatchRuleId;
    const changed = await target.sip.updateSipDispatchRuleFields(id, { name: 'renamed' });
    expect(changed).toMatchObject({ name: 'renamed', trunkIds: [sipTrunkId] });
    const replaced = await target.sip.updateSipDispatchRule(
      id,
      new SIPDispatchRuleInfo({ ...changed, name: 'whole', metadata: 'new' }),
    );
    expect(replaced).toMatchObject({ sipDispatchRuleId: id, name: 'whole', metadata: 'new' });
  });

  it('is refused beside one for the same trunk', async () => {
    const { sipTrunkId } = await inboundTrunk([number()]);
    await rule([sipTrunkId]);
    await expect(rule([sipTrunkId])).rejects.toMatchObject({
      message: expect.stringContaining('Dispatch rule for the same trunk'),
    });
  });

  it('is gone when it was deleted', async () => {
    const { sipTrunkId } = await inboundTrunk([number()]);
    const { sipDispatchRuleId } = await rule([sipTrunkId]);
    await target.sip.deleteSipDispatchRule(sipDispatchRuleId);
    const left = await target.sip.listSipDispatchRule({ trunkIds: [sipTrunkId] });
    expect(left.map((found) => found.sipDispatchRuleId)).not.toContain(sipDispatchRuleId);
    await expect(target.sip.deleteSipDispatchRule(sipDispatchRuleId)).rejects.toMatchObject({ status: 404 });
  });
});
