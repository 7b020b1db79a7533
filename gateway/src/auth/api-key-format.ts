// The format of an API key, and the permissions that it may carry. The format is parl_<environment>_<12 characters>_<43
// characters>, base62. The last part holds 256 random bits, so a plain SHA-256 keeps it safe at rest.
import { randomInt } from 'node:crypto';
import { allPermissions, isPermission, type Permission } from '@parlance/contracts';
import { toStatements } from '../organizations/roles.js';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
const secretLength = 43;

const random = (length: number): string =>
  Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');

export const generateApiKey = (environment: string): string =>
  `parl_${environment}_${random(idLength)}_${random(secretLength)}`;

/** The number of characters of a key that are shown to tell keys apart: up to the fourth of its id. */
export const shownLength = (environment: string): number => `parl_${environment}_`.length + 4;

const pattern = /^parl_[a-z]{2,8}_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/;

/** False for text that cannot be a key of ours, so that it is refused without looking anything up. */
export const looksLikeApiKey = (text: string): boolean => pattern.test(text);

// Spending the organization's money on numbers takes a person, and so do its settings; see the orgAdmin rows of the
// contract.
const neverByKey: readonly string[] = [
  'billing:manage',
  'phoneNumber:update',
  'phoneNumber:delete',
  'settings:update',
];

/** Everything that a key can be allowed. */
export const keyPermissions: readonly Permission[] = allPermissions.filter(
  (permission) => !neverByKey.includes(permission),
);

/** Stands for every permission a key can have, those of later versions included. */
export const everything = '*';

/** Permissions as the column holds them. */
export const storedPermissions = (permissions: readonly string[]): Record<string, string[]> =>
  permissions.includes(everything) ? { [everything]: [everything] } : toStatements(permissions);

/** `resource:action` list, or `['*']`, out of the column; nothing for text that is not ours. */
export const listedPermissions = (column: string | null): readonly string[] => {
  const statements: unknown = column === null ? undefined : JSON.parse(column);
  if (typeof statements !== 'object' || statements === null) return [];
  if (everything in statements) return [everything];
  return Object.entries(statements).flatMap(([resource, actions]: [string, unknown]) =>
    Array.isArray(actions) ? actions.map((action) => `${resource}:${String(action)}`) : [],
  );
};

/** The effective permissions of a key with these listed ones. */
export const effectivePermissions = (listed: readonly string[]): readonly Permission[] =>
  listed.includes(everything)
    ? keyPermissions
    : listed.filter(isPermission).filter((permission) => keyPermissions.includes(permission));
