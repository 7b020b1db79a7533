// The operations that can fail on demand, and this provider's wording of the failures.
import { type FaultAnswers, FaultSwitches } from '@parlance/fake-kit';
import { sendError, TelnyxError } from './errors.js';

export type TelnyxTarget = 'search' | 'buy' | 'orders' | 'read' | 'configure' | 'release' | 'connections';
/** The faults of an order after it was taken. */
type FulfilmentMode = 'failure' | 'late';
/** Faults of the account itself. */
type AccountMode = 'forbidden' | 'gone';
export type TelnyxFaults = FaultSwitches<FulfilmentMode | AccountMode>;

/**
 * `buy` is placing an order, `orders` reading them, `read` listing and fetching owned numbers. `fulfilment` is the fate
 * of an order that was taken: `failure`, or `late` by so many milliseconds. `trunking` forbids the account to have
 * connections, `money` makes its balance low.
 */
export const createTelnyxFaults = (): TelnyxFaults => {
  const targets: readonly TelnyxTarget[] = [
    'search',
    'buy',
    'orders',
    'read',
    'configure',
    'release',
    'connections',
  ];
  return new FaultSwitches<FulfilmentMode | AccountMode>(targets, {
    fulfilment: ['failure', 'late'],
    trunking: ['forbidden'],
    money: ['gone'],
  });
};

export const faultAnswers: FaultAnswers = {
  clientError: (response) =>
    sendError(response, new TelnyxError(400, '10015', 'Bad Request', 'Refused on demand.')),
  rateLimited: (response, seconds) =>
    sendError(
      response.set('retry-after', String(seconds)),
      new TelnyxError(
        429,
        '10011',
        'Too many requests',
        'You have exceeded the maximum number of allowed requests.',
      ),
    ),
  serverError: (response) =>
    sendError(response, new TelnyxError(500, '10007', 'Unexpected error', 'An unexpected error occured.')),
};
