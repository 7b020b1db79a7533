// Owners belong to owners: the console offers the changes that the gateway would allow a person.
import { describe, expect, it } from '@jest/globals';
import { mayChange, mayRequire, rolesToGive } from './member-rules.js';

const yes = { allowed: true } as const;
const no = { allowed: false, reason: 'why' } as const;

describe('a role', () => {
  it('of an owner is given by owners alone', () => {
    expect(rolesToGive('owner')).toEqual(['owner', 'admin', 'member', 'viewer']);
    expect(rolesToGive('admin')).toEqual(['admin', 'member', 'viewer']);
  });

  it.each([
    ['owner', 'owner', true],
    ['owner', 'viewer', true],
    ['admin', 'owner', false],
    ['admin', 'admin', true],
  ])('lets %s change a member who is %s: %s', (own, role, allowed) => {
    expect(mayChange(yes, own, { role, isYou: false }).allowed).toBe(allowed);
  });

  it('lets nobody change the own membership, and adds nothing to what the permissions refuse', () => {
    expect(mayChange(yes, 'owner', { role: 'owner', isYou: true }).allowed).toBe(false);
    expect(mayChange(no, 'viewer', { role: 'viewer', isYou: false })).toBe(no);
  });
});

describe('a second factor of everybody', () => {
  it.each([
    ['owner', true, false, true],
    ['owner', false, false, false],
    ['owner', false, true, true],
    ['admin', true, false, false],
  ])(
    'is decided by %s, who has one (%s), required before (%s): %s',
    (own, secondFactor, isRequired, allowed) => {
      expect(mayRequire(yes, own, { secondFactor, isRequired }).allowed).toBe(allowed);
    },
  );
});
