// Where a key stands, and what its permissions come to. Everything here is pure.
import type { DataOf } from '../../data/types.js';

export type ApiKey = DataOf<'auth.apiKeyList'>['apiKeys'][number];

export const keyStates = ['active', 'off', 'ended'] as const;
export type KeyState = (typeof keyStates)[number];

export const stateOf = ({
  disabledReason,
  enabled,
}: Pick<ApiKey, 'disabledReason' | 'enabled'>): KeyState => {
  if (disabledReason !== null) return 'ended';
  return enabled ? 'active' : 'off';
};

export const everything = '*';
export const isRead = (permission: string): boolean => permission.endsWith(':read');

type Carried = { readonly kind: 'everything' } | { readonly kind: 'reads' | 'some'; readonly count: number };

/** @param all every permission there is */
export const carriedBy = (permissions: readonly string[], all: readonly string[]): Carried => {
  const held = new Set(permissions);
  if (held.has(everything) || all.every((one) => held.has(one))) return { kind: 'everything' };
  return { kind: permissions.every(isRead) ? 'reads' : 'some', count: permissions.length };
};

export type Preset = 'custom' | 'reads' | 'all';

/** The permissions that a preset stands for. @param own the permissions of the maker */
export const permissionsOf = (
  preset: Preset,
  chosen: readonly string[],
  own: readonly string[],
): readonly string[] => {
  if (preset === 'all') return [everything];
  return preset === 'reads' ? own.filter(isRead) : chosen;
};
