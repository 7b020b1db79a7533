// A control is offered exactly where the gateway would let the person in.
import { describe, expect, it } from '@jest/globals';
import { type Permission, type Role, rolePermissions, roles } from '@parlance/contracts';
import { accessOf } from '../data/access.js';
import { judge } from './permission-rules.js';

const standing = (role: Role, isVerified = true) => ({
  role,
  permissions: rolePermissions[role],
  isVerified,
});
const may = (operation: string, role: Role, isVerified = true): boolean =>
  judge(accessOf(operation), standing(role, isVerified)).allowed;
const allowed = (operation: string): readonly Role[] => roles.filter((role) => may(operation, role));

describe('a person may', () => {
  it.each<[string, readonly Role[]]>([
    ['agents.list', ['owner', 'admin', 'member', 'viewer']],
    ['agents.create', ['owner', 'admin', 'member']],
    ['agents.delete', ['owner', 'admin']],
    ['settings.update', ['owner', 'admin']],
    ['auth.organizationInviteMember', ['owner', 'admin']],
    ['auth.changePassword', ['owner', 'admin', 'member', 'viewer']],
  ])('%s as %j', (operation, expected) => expect(allowed(operation)).toEqual(expected));

  it('with a permission that another row also takes, such as the first and the later saves of a configuration', () => {
    const held: readonly Permission[] = ['agentConfiguration:update'];
    expect(judge(accessOf('agents.saveConfig'), { ...standing('viewer'), permissions: held }).allowed).toBe(
      true,
    );
  });

  it('begin calls with a verified address alone, and is told why not', () => {
    expect([may('outboundCalls.quick', 'owner'), may('outboundCalls.quick', 'owner', false)]).toEqual([
      true,
      false,
    ]);
    const verdict = judge(accessOf('agents.delete'), standing('viewer'));
    expect(verdict).toMatchObject({ allowed: false, reason: expect.stringContaining('agent:delete') });
  });

  it('do nothing before the permissions are known', () => {
    expect(judge(accessOf('agents.list'), undefined).allowed).toBe(false);
  });
});
