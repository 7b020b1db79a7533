// Rules for members and invitations beyond the table of permissions: owners belong to owners.
import type { Verdict } from '../../app/permission-rules.js';
import { type Role, roles } from '../../data/roles.js';
import { memberStrings as strings } from '../../strings/members.js';

const yes: Verdict = { allowed: true };
const no = (reason: string): Verdict => ({ allowed: false, reason });

/** The roles that somebody with this role can give. */
export const rolesToGive = (own: string | undefined): readonly Role[] =>
  roles.filter((role) => role !== 'owner' || own === 'owner');

/** @param verdict of the operation for this person */
export const mayChange = (
  verdict: Verdict,
  own: string | undefined,
  target: { readonly role: string; readonly isYou: boolean },
): Verdict => {
  if (!verdict.allowed) return verdict;
  if (target.role === 'owner' && own !== 'owner') return no(strings.ownerGives);
  return target.isYou ? no(strings.notYourself) : yes;
};

/** Whether this person may require a second factor of everybody. */
export const mayRequire = (
  verdict: Verdict,
  own: string | undefined,
  has: { readonly secondFactor: boolean; readonly isRequired: boolean },
): Verdict => {
  if (!verdict.allowed) return verdict;
  if (own !== 'owner') return no(strings.ownerDecides);
  return has.secondFactor || has.isRequired ? yes : no(strings.ownFirst);
};
