// What can fail on demand, and how this provider words it.
import { type FaultAnswers, FaultSwitches } from '@parlance/sandbox-kit';
import { sendError, TwilioError } from './errors.js';

export type TwilioTarget = 'search' | 'prices' | 'buy' | 'read' | 'configure' | 'release' | 'trunks';
/** A fault of the account itself. */
type TrunkingMode = 'forbidden';
export type TwilioFaults = FaultSwitches<TrunkingMode>;

/**
 * `read` is listing and fetching owned numbers, `trunks` everything about SIP trunks and credential lists. `trunking` forbids the account
 * to have trunks.
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
  return new FaultSwitches<TrunkingMode>(targets, { trunking: ['forbidden'] });
};

export const faultAnswers: FaultAnswers = {
  clientError: (response) => sendError(response, new TwilioError(400, 20001, 'Refused on demand')),
  rateLimited: (response, seconds) =>
    sendError(response.set('retry-after', String(seconds)), new TwilioError(429, 20429, 'Too Many Requests')),
  serverError: (response) => sendError(response, new TwilioError(500, 20500, 'Internal Server Error')),
};
