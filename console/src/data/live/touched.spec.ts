// A change shows wherever it is looked at: each kind of live event makes answers stale that exist.
import { describe, expect, it } from '@jest/globals';
import { authOperations, operations } from '@parlance/contracts';
import { everything, touchedOf } from './touched.js';

const names = [...operations, ...authOperations].filter(({ method }) => method === 'GET').map(({ id }) => id);

describe('a live event', () => {
  it('makes stale only answers of operations that exist', () => {
    for (const beginning of everything)
      expect([beginning, names.some((id) => id.startsWith(beginning))]).toEqual([beginning, true]);
  });

  it('about a call makes the list of calls and the overview stale', () => {
    const touched = touchedOf({ type: 'call.ended', resource: { kind: 'call', id: 'c' } });
    expect(touched).toEqual(expect.arrayContaining(['calls.', 'dashboard.']));
  });

  it.each([
    ['suppression.changed', 'suppression', 'suppressions.list'],
    ['member.changed', 'member', 'auth.organizationListMembers'],
    ['invitation.changed', 'invitation', 'auth.organizationListInvitations'],
    ['webhook-delivery.changed', 'webhookDelivery', 'webhooks.deliveries'],
    ['webhook-delivery.changed', 'webhookDelivery', 'calls.timeline'],
  ] as const)('%s makes the answers stale that show a %s: %s', (type, kind, name) => {
    const touched = touchedOf({ type, resource: { kind, id: null } });
    expect(touched.some((beginning) => name.startsWith(beginning))).toBe(true);
  });

  it('about one more turn makes no list stale', () => {
    const touched = touchedOf({ type: 'call.transcript', resource: { kind: 'call', id: 'c' } });
    expect(touched.filter((name) => 'calls.list'.startsWith(name))).toEqual([]);
  });
});
