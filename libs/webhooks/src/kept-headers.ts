// "•••" in a saved header keeps the value that is stored, for the origin that it was given for.
import { originOfUrl } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { bindHeader, type HeaderPlace, type SealedHeader, sealHeader } from './sealed-headers.js';

/** Plain text is in rows of releases that did not seal. */
type StoredValue = string | SealedHeader;

/**
 * The stored value of a header, sealed for the origin of the address that is saved now. A value that a release before sealed gets
 * its binding here.
 * @param from the address for which the value was stored
 * @param path the field that says "•••"
 * @throws AppError HEADER_VALUE_NEEDED where the origin is another; CannotOpen
 */
export const keepHeader = (
  keyring: Keyring,
  stored: StoredValue,
  place: HeaderPlace,
  { from, path }: { readonly from: string; readonly path: string },
): SealedHeader => {
  if (originOfUrl(from) !== place.origin)
    throw new AppError('HEADER_VALUE_NEEDED', { details: { path, origin: place.origin } });
  return typeof stored === 'string' ? sealHeader(keyring, place, stored) : bindHeader(keyring, place, stored);
};
