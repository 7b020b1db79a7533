// Whether a person may ask an operation, by the table of the contract. The gateway decides in the end; this spares a refusal.
import type { AccessRow } from '../data/access.js';
import { permissionStrings as strings } from '../strings/permissions.js';

export interface Standing {
  readonly role: string;
  readonly permissions: readonly string[];
  readonly isVerified: boolean;
}

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** The reason against a control, as a sentence: the verdict's, or else the first of others. */
export const reasonOf = (verdict: Verdict, ...others: readonly (string | undefined)[]): string | undefined =>
  verdict.allowed ? others.find((reason) => reason !== undefined) : verdict.reason;

const yes: Verdict = { allowed: true };
const no = (reason: string): Verdict => ({ allowed: false, reason });

const leads = ({ role }: Standing): boolean => role === 'owner' || role === 'admin';

const roleVerdict = (row: AccessRow, standing: Standing): Verdict => {
  const held = new Set(standing.permissions);
  switch (row.kind) {
    case 'none':
    case 'anybody':
    case 'person':
    case 'member':
      return yes;
    case 'ownerOrAdmin':
      return leads(standing) ? yes : no(strings.ownerOrAdmin(standing.role));
    case 'orgAdmin':
      if (!leads(standing)) return no(strings.ownerOrAdmin(standing.role));
      return row.permissions.every((permission) => held.has(permission))
        ? yes
        : no(strings.lacks(standing.role, row.permissions));
    case 'org':
      return row.permissions.some((permission) => held.has(permission))
        ? yes
        : no(strings.lacks(standing.role, row.permissions));
  }
};

/** @param standing undefined while it is on its way: nothing is allowed yet */
export const judge = (row: AccessRow, standing: Standing | undefined): Verdict => {
  if (standing === undefined) return no(strings.unknownYet);
  const verdict = roleVerdict(row, standing);
  if (!verdict.allowed) return verdict;
  return row.verified && !standing.isVerified ? no(strings.unverified) : yes;
};
