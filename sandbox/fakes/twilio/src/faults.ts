// The operations that can fail on demand, and this provider's wording of the failures.
import { type FaultAnswers, FaultSwitches } from '@parlance/fake-kit';
import { sendError, TwilioError } from './errors.js';

export type TwilioTarget = 'search' | 'prices' | 'buy' | 'read' | 'configure' | 'release' | 'trunks';
/** Faults of the account itself. */
type AccountMode = 'forbidden' | 'suspended' | 'gone';
export type TwilioFaults = FaultSwitches<AccountMode>;

/**
 * `read` is listing and fetching owned numbers, `trunks` everything about SIP trunks and credential lists. `trunking` forbids the account
 * to have trunks. `account` says that it is suspended, `money` that little is left of its balance.
 */
export const createTwilioFaults = (): TwilioFaults => {
  const targets: readonly TwilioTarget[] = [
    'search',
    'prices',
    'buy',
    'read',
    'configure',
    'release',
    'trunks',
  ];
  return new FaultSwitches<AccountMode>(targets, {
    trunking: ['forbidden'],
    account: ['suspended'],
    money: ['gone'],
  });
};

export const faultAnswers: FaultAnswers = {
  clientError: (response) => sendError(response, new TwilioError(400, 20001, 'Refused on demand')),
  rateLimited: (response, seconds) =>
    sendError(response.set('retry-after', String(seconds)), new TwilioError(429, 20429, 'Too Many Requests')),
  serverError: (response) => sendError(response, new TwilioError(500, 20500, 'Internal Server Error')),
};
