// The reasons why a key stops without a revocation: it carries a part of its maker's permissions, and ends with them.
import { rolePermissions } from '@parlance/contracts';
import { roleNamed } from '../organizations/roles.js';
import { effectivePermissions, listedPermissions } from './api-key-format.js';

/** The reason that is recorded for a key that fell. */
export type FallReason = 'revoked' | 'maker_removed' | 'maker_lost_permission';

/** A key beside the present standing of its maker. */
export interface MakerStanding {
  /** The permissions as the column holds them. */
  readonly permissions: string | null;
  /** Null for a key without a recorded maker. */
  readonly madeBy: string | null;
  /** The maker's role in the organization of the key; null outside it. */
  readonly makerRole: string | null;
}

/** Undefined while the maker may do all that the key carries. */
export const whyMakerFails = ({
  permissions,
  madeBy,
  makerRole,
}: MakerStanding): 'maker_removed' | 'maker_lost_permission' | undefined => {
  if (madeBy === null) return undefined;
  if (makerRole === null) return 'maker_removed';
  const role = roleNamed(makerRole);
  const held = role === undefined ? [] : rolePermissions[role];
  const carried = effectivePermissions(listedPermissions(permissions));
  return carried.every((permission) => held.includes(permission)) ? undefined : 'maker_lost_permission';
};
