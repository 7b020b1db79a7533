// Ids of visitors without an account. They are made of addresses with a key, so that services can count by address
// without learning any.
import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';

const keyBytes = 32;

/** Makes the id of a normalized address: 43 characters, the same in every copy of the gateway. */
export const visitorIds = (secret: Secret): ((address: string) => string) => {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'parlance address of a visitor', keyBytes));
  return (address) => createHmac('sha256', key).update(address).digest('base64url');
};
