// A change shows wherever it is looked at: each kind of live event makes answers stale that exist.
import { describe, expect, it } from '@jest/globals';
import { authOperations, operations } from '@parlance/contracts';
import { everything, isTouched, touchedOf } from './touched.js';

const names = [...operations, ...authOperations].filter(({ method }) => method === 'GET').map(({ id }) => id);

describe('a live event', () => {
  it('makes stale only answers of operations that exist', () => {
    for (const { beginning } of everything)
      expect([beginning, names.some((id) => id.startsWith(beginning))]).toEqual([beginning, true]);
  });

  it('about a call makes the list of calls and the overview stale', () => {
    const touched = touchedOf({ type: 'call.ended', resource: { kind: 'call', id: 'c' } });
    expect(touched.map(({ beginning }) => beginning)).toEqual(
      expect.arrayContaining(['calls.', 'dashboard.']),
    );
  });

  it.each([
    ['suppression.changed', 'suppression', 'suppressions.list'],
    ['member.changed', 'member', 'auth.organizationListMembers'],
    ['invitation.changed', 'invitation', 'auth.organizationListInvitations'],
    ['webhook-delivery.changed', 'webhookDelivery', 'webhooks.deliveries'],
    ['webhook-delivery.changed', 'webhookDelivery', 'calls.timeline'],
  ] as const)('%s makes the answers stale that show a %s: %s', (type, kind, name) => {
    const touched = touchedOf({ type, resource: { kind, id: null } });
    expect(touched.some((touch) => isTouched(touch, [name, {}]))).toBe(true);
  });

  it('about one more turn makes no list stale', () => {
    const touched = touchedOf({ type: 'call.transcript', resource: { kind: 'call', id: 'c' } });
    expect(touched.filter((touch) => isTouched(touch, ['calls.list', {}]))).toEqual([]);
  });

  it('about one call leaves the answers about another one', () => {
    const touched = touchedOf({ type: 'call.changed', resource: { kind: 'call', id: 'c' } });
    const isStale = (...key: readonly unknown[]): boolean => touched.some((touch) => isTouched(touch, key));
    expect(isStale('calls.get', { params: { callId: 'c' } })).toBe(true);
    expect(isStale('calls.get', { params: { callId: 'another' } })).toBe(false);
    expect(isStale('calls.transcripts', { params: { callId: 'another' }, query: { limit: 100 } })).toBe(
      false,
    );
    expect(isStale('calls.list', { query: { agentId: 'a' } })).toBe(true);
  });

  it('about one campaign leaves the calls of another one, and an event without an id leaves nothing', () => {
    const key = ['outboundCalls.list', { query: { campaignId: 'another' } }, 'pages'];
    const touchedBy = (id: string | null) =>
      touchedOf({ type: 'campaign.changed', resource: { kind: 'campaign', id } });
    expect(touchedBy('p').some((touch) => isTouched(touch, key))).toBe(false);
    expect(touchedBy('another').some((touch) => isTouched(touch, key))).toBe(true);
    expect(touchedBy(null).some((touch) => isTouched(touch, key))).toBe(true);
  });
});
