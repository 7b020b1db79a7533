// The permissions of each role, as the contract says.
import { rolesTable } from '../generated/roles.js';

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

const lines: ReadonlyMap<string, readonly string[]> = new Map(
  rolesTable
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...permissions] = line.split(' ');
      return [name, permissions] as const;
    }),
);

export const permissionsOfRole = (role: Role): readonly string[] => lines.get(role) ?? [];

interface Resource {
  readonly name: string;
  /** In the order of the contract. */
  readonly actions: readonly string[];
}

const resourcesOf = (permissions: readonly string[]): readonly Resource[] => {
  const found = new Map<string, string[]>();
  for (const permission of permissions) {
    const [name = '', action = ''] = permission.split(':');
    found.set(name, [...(found.get(name) ?? []), action]);
  }
  return [...found].map(([name, actions]) => ({ name, actions }));
};

/** Every permission there is, by its subject. */
export const resources: readonly Resource[] = resourcesOf(lines.get('all') ?? []);
