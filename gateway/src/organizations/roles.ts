// The roles of the contract in the form that better-auth's organization plugin wants, and back.
import { permissionStatements, type Role, rolePermissions, roles } from '@parlance/contracts';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements, memberAc, ownerAc } from 'better-auth/plugins/organization/access';

/** The right to make, change and revoke API keys, in the words of the api-key plugin. */
const keyActions = ['create', 'read', 'update', 'delete'] as const;

const copies = Object.fromEntries(
  Object.entries(permissionStatements).map(([resource, actions]) => [resource, [...actions]]),
);

export const accessControl = createAccessControl({ ...defaultStatements, apiKey: keyActions, ...copies });

/** `{ resource: [action] }`, as access-control libraries write a list of permissions. */
export const toStatements = (permissions: readonly string[]): Record<string, string[]> => {
  const statements: Record<string, string[]> = {};
  for (const permission of permissions) {
    const [resource = '', action = ''] = permission.split(':');
    statements[resource] = [...(statements[resource] ?? []), action];
  }
  return statements;
};

// better-auth's own table gives the rights of members on the organization itself; a viewer has a plain member's part of
// it.
const organizationParts = {
  owner: { ...ownerAc.statements, apiKey: [...keyActions] },
  admin: { ...adminAc.statements, apiKey: [...keyActions] },
  member: memberAc.statements,
  viewer: memberAc.statements,
} as const satisfies Record<Role, unknown>;

const roleOf = (name: Role) =>
  accessControl.newRole({ ...organizationParts[name], ...toStatements(rolePermissions[name]) });

export const organizationRoles = {
  owner: roleOf('owner'),
  admin: roleOf('admin'),
  member: roleOf('member'),
  viewer: roleOf('viewer'),
};

/** The role that a membership or an invitation names: exactly one of ours, or undefined. */
export const roleNamed = (text: string): Role | undefined => roles.find((role) => role === text);
