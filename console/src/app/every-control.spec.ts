// For every role and every operation: a control is offered exactly where the contract lets the role in.
import { describe, expect, it } from '@jest/globals';
import {
  authOperations,
  needsVerified,
  type Operation,
  operations,
  type Role,
  rolePermissions,
  roles,
} from '@parlance/contracts';
import { accessOf } from '../data/access.js';
import { permissionsOfRole } from '../data/roles.js';
import { judge } from './permission-rules.js';

const leads = (role: Role): boolean => role === 'owner' || role === 'admin';

/** The gateway's decision about a row of the interface, read off the contract and not off the console's own table. */
const allowsRow = ({ auth, acts }: Operation, role: Role): boolean => {
  const held: readonly string[] = rolePermissions[role];
  if (acts !== undefined && !held.includes(acts)) return false;
  if (auth.kind === 'org') return auth.anyOf.some((one) => held.includes(one));
  if (auth.kind === 'orgAdmin') return leads(role) && auth.allOf.every((one) => held.includes(one));
  return auth.kind === 'member';
};

const rows: readonly Operation[] = operations;
const forMembers = rows.filter(({ auth }) => ['org', 'member', 'orgAdmin'].includes(auth.kind));

const mayIn = (id: string, role: Role, isVerified = true): boolean =>
  judge(accessOf(id), { role, permissions: rolePermissions[role], isVerified }).allowed;

describe.each(roles)('for %s', (role) => {
  it('every operation is offered or refused as the contract says', () => {
    const offered = forMembers.filter(({ id }) => mayIn(id, role)).map(({ id }) => id);
    expect(offered).toEqual(forMembers.filter((row) => allowsRow(row, role)).map(({ id }) => id));
    const managed = authOperations.filter(({ id }) => mayIn(id, role)).map(({ id }) => id);
    expect(managed).toEqual(
      authOperations.filter(({ who }) => who !== 'ownerOrAdmin' || leads(role)).map(({ id }) => id),
    );
  });

  it('what takes a verified address is refused without one, and nothing else is', () => {
    const lost = forMembers.filter(({ id }) => mayIn(id, role) && !mayIn(id, role, false));
    expect(lost.map(({ id }) => id)).toEqual(
      forMembers.filter((row) => needsVerified(row) && allowsRow(row, role)).map(({ id }) => id),
    );
  });

  it('the page about roles tells the permissions of the contract', () =>
    expect(permissionsOfRole(role)).toEqual(rolePermissions[role]));
});
