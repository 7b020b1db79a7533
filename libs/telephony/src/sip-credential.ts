// Credentials for calls from the media server, in a form that every provider takes.
import { randomBytes } from 'node:crypto';
import { Secret } from '@parlance/config';
import type { SipCredential } from './number-provider.js';

/**
 * Both are made at random: a user name is never used again, so that it also tells which credentials are meant. Twilio wants
 * a digit and letters of both cases in a password, Telnyx letters and digits alone in a user name.
 */
export const newSipCredential = (): SipCredential => ({
  username: `parlance${randomBytes(8).toString('hex')}`,
  password: new Secret(`Pa1${randomBytes(24).toString('hex')}`),
});
