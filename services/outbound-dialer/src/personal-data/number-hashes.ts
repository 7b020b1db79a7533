// Keyed hashes of the numbers that an organization calls. The read models find the calls of a number by them; without the
// organization's key they tell nothing.
import type { PersonalData } from '@parlance/crypto';

/** The subject of an organization's key, which is destroyed with the organization. */
export const numbersSubject = (organizationId: string): string => `outboundNumbers-${organizationId}`;

/** In the order of the numbers. */
export const numberHashes = (
  personalData: Pick<PersonalData, 'hashes'>,
  organizationId: string,
  phoneNumbers: readonly string[],
): Promise<readonly string[]> => personalData.hashes(numbersSubject(organizationId), phoneNumbers);

export const numberHash = async (
  personalData: Pick<PersonalData, 'hashes'>,
  organizationId: string,
  phoneNumber: string,
): Promise<string> => {
  const [hash] = await numberHashes(personalData, organizationId, [phoneNumber]);
  if (hash === undefined) throw new Error('a hash for each number');
  return hash;
};
