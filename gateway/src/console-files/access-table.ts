// Folds the contract into the small table by which the console knows the permissions of a person beforehand. The
// gateway decides all the same.
import {
  allPermissions,
  authOperations,
  needsVerified,
  type Operation,
  operations,
  rolePermissions,
  roles,
} from '@parlance/contracts';

/** For people: a role that may act may also read. */
const permissionsOf = ({ auth, acts }: Operation): readonly string[] => {
  if (acts !== undefined) return [acts];
  if (auth.kind === 'org') return auth.anyOf;
  return auth.kind === 'orgAdmin' ? auth.allOf : [];
};

const takesKey = ({ method, auth }: Operation): boolean => method === 'POST' && auth.kind !== 'none';

const lineOf = (id: string, kind: string, flags: string, permissions: readonly string[]): string =>
  [id, kind, flags === '' ? '-' : flags, ...permissions].join(' ');

const lines = (): readonly string[] => {
  const rows: readonly Operation[] = operations;
  const forPeople = rows.filter(({ auth }) => ['org', 'member', 'orgAdmin', 'none'].includes(auth.kind));
  return [
    ...forPeople.map((row) =>
      lineOf(
        row.id,
        row.auth.kind,
        `${needsVerified(row) ? 'v' : ''}${takesKey(row) ? 'k' : ''}`,
        permissionsOf(row),
      ),
    ),
    ...authOperations.map((row) => lineOf(row.id, row.who, row.verified === true ? 'v' : '', [])),
  ];
};

/** The module `console/src/generated/access.ts`. */
export const buildAccessTable =
  (): string => `// Access to each operation, one in each line: id, kind, flags and permissions. Written by \`npm run gen\` from the contract;
// changes here are lost.

// Kinds org: one of the permissions. orgAdmin: owner or admin, with all of them. v: takes a verified address. k: takes an
// Idempotency-Key.
export const accessTable = \`
${lines().join('\n')}
\`;
`;

/** The module `console/src/generated/roles.ts`. */
export const buildRolesTable =
  (): string => `// The permissions of each role, one role in each line; \`all\` holds every permission. Written by \`npm run gen\` from the
// contract; changes here are lost.
export const rolesTable = \`
${[['all', allPermissions] as const, ...roles.map((role) => [role, rolePermissions[role]] as const)]
  .map(([role, permissions]) => [role, ...permissions].join(' '))
  .join('\n')}
\`;
`;
