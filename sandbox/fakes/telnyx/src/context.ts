// The input that every group of routes is given.
import { withFaults } from '@parlance/fake-kit';
import type { NumberInventory } from '@parlance/fake-kit/numbers';
import type { RequestHandler, Response } from 'express';
import type { Accounts } from './account.js';
import { faultAnswers, type TelnyxFaults, type TelnyxTarget } from './faults.js';

export interface Context {
  readonly accounts: Accounts;
  readonly inventory: NumberInventory;
  readonly faults: TelnyxFaults;
  /** The milliseconds that an order is pending. */
  readonly fulfilmentMs: number;
}

/** The middleware that lets a request fail as its target's switch says. */
export const under = ({ faults }: Context, target: TelnyxTarget): RequestHandler =>
  withFaults(faults, () => target, faultAnswers);

/** The account of the caller, as the check of the key found out. */
export const callerOf = (response: Response): string => String(response.locals.account);
