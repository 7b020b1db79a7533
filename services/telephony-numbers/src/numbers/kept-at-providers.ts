// Numbers that an organization has at a provider and did not buy here.
import type { Provider } from '@parlance/contracts';
import type { Parts } from '../parts.js';
import { numberOfAnyOrganization } from './numbers-repository.js';

export interface KeptNumber {
  readonly provider: Provider;
  /** The provider's identifier of the number. */
  readonly sid: string;
  readonly fromNumber: string;
}

/**
 * True when the organization may call from the number. Where this installation sells numbers, the provider's accounts
 * are the operator's. A number of theirs is never a tenant's, except by a record here.
 * @throws ProviderFailure when the provider does not say
 */
export const isOwnedAtProvider = async (
  { db, providers, billing }: Pick<Parts, 'db' | 'providers' | 'billing'>,
  organizationId: string,
  { provider, sid, fromNumber }: KeptNumber,
): Promise<boolean> => {
  const account = providers.get(provider);
  if (billing !== 'own' || account === undefined) return false;
  const found = await account.findOwned(sid);
  if (found?.phoneNumber !== fromNumber) return false;
  // Last, because the answer holds for a while from now on, and only a record here can be given back meanwhile.
  const known = await numberOfAnyOrganization(db, fromNumber);
  return known === undefined || (known.organization_id === organizationId && known.status === 'active');
};
