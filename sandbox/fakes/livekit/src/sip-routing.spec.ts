import { describe, expect, it } from '@jest/globals';
import {
  SIPDispatchRule,
  SIPDispatchRuleCallee,
  SIPDispatchRuleDirect,
  SIPDispatchRuleIndividual,
  SIPDispatchRuleInfo,
  SIPInboundTrunkInfo,
} from '@livekit/protocol';
import { callerIdentity, conflictingTrunk, matchRule, matchTrunk, roomNameOf } from './sip-routing.js';

const call = { from: '+14155550100', to: '+14155550142', address: '127.0.0.1' };
const trunk = (sipTrunkId: string, numbers: string[], allowedNumbers: string[] = []) =>
  new SIPInboundTrunkInfo({ sipTrunkId, numbers, allowedNumbers });
const direct = new SIPDispatchRule({
  rule: { case: 'dispatchRuleDirect', value: new SIPDispatchRuleDirect({ roomName: 'lobby' }) },
});
const individual = new SIPDispatchRule({
  rule: { case: 'dispatchRuleIndividual', value: new SIPDispatchRuleIndividual({ roomPrefix: 'in' }) },
});
const callee = new SIPDispatchRule({
  rule: { case: 'dispatchRuleCallee', value: new SIPDispatchRuleCallee({ roomPrefix: 'to' }) },
});
const rule = (sipDispatchRuleId: string, more: Partial<SIPDispatchRuleInfo> = {}) =>
  new SIPDispatchRuleInfo({ sipDispatchRuleId, rule: individual, ...more });

describe('a trunk', () => {
  it('for the called number goes before one for every number', () => {
    const trunks = [trunk('any', []), trunk('ours', ['14155550142'])];
    expect(matchTrunk(trunks, call)?.sipTrunkId).toBe('ours');
    expect(matchTrunk(trunks, { ...call, to: '+12125550100' })?.sipTrunkId).toBe('any');
    expect(matchTrunk([trunk('other', ['+12125550100'])], call)).toBeUndefined();
  });

  it('for certain addresses takes no others, whatever number they show', () => {
    const ours = trunk('ours', [call.to]);
    ours.allowedAddresses = ['54.172.60.0/30', '192.0.2.7', '2001:db8::/64'];
    const from = (address: string) => matchTrunk([ours], { ...call, address })?.sipTrunkId;
    expect(['54.172.60.3', '192.0.2.7', '2001:db8::1'].map(from)).toEqual(['ours', 'ours', 'ours']);
    expect(['54.172.60.4', '192.0.2.8', '2001:db9::1', '127.0.0.1'].map(from)).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('for certain callers takes no others, and does not conflict with one for others', () => {
    const trunks = [trunk('picky', ['+14155550142'], ['+12125550100']), trunk('any', [])];
    expect(matchTrunk(trunks, call)?.sipTrunkId).toBe('any');
    expect(conflictingTrunk(trunk('', ['+14155550142']), trunks)).toBeUndefined();
    expect(conflictingTrunk(trunk('', ['+14155550142'], ['+12125550100']), trunks)?.sipTrunkId).toBe('picky');
  });
});

describe('a rule', () => {
  it('of the trunk goes before one for every trunk', () => {
    const rules = [rule('any'), rule('ours', { trunkIds: ['ST_1'] })];
    expect(matchRule(rules, trunk('ST_1', []), call)?.sipDispatchRuleId).toBe('ours');
    expect(matchRule(rules, undefined, call)?.sipDispatchRuleId).toBe('any');
    expect(matchRule([rule('ours', { trunkIds: ['ST_1'] })], trunk('ST_2', []), call)).toBeUndefined();
  });

  it('for the caller goes before one for everybody, and a direct one before the others', () => {
    const rules = [
      rule('open'),
      rule('direct', { rule: direct }),
      rule('caller', { inboundNumbers: [call.from] }),
    ];
    expect(matchRule(rules, undefined, call)?.sipDispatchRuleId).toBe('caller');
    expect(matchRule(rules.slice(0, 2), undefined, call)?.sipDispatchRuleId).toBe('direct');
    expect(matchRule([rule('other', { numbers: ['+12125550100'] })], undefined, call)).toBeUndefined();
  });

  it('names the room after itself, the caller or the called', () => {
    expect(roomNameOf(rule('1', { rule: direct }), call, 'x')).toBe('lobby');
    expect(roomNameOf(rule('1'), call, 'x')).toBe('in_+14155550100_x');
    expect(roomNameOf(rule('1', { rule: callee }), call, 'x')).toBe('to_+14155550142');
  });

  it('that hides numbers shows them nowhere', () => {
    const hiding = rule('1', { hidePhoneNumber: true });
    expect(roomNameOf(hiding, call, 'x')).toBe('in_0100_x');
    expect(callerIdentity(hiding, call)).toMatch(/^sip_[0-9a-f]{16}$/);
  });
});
