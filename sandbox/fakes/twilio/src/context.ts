// The input that every group of routes is given.
import { withFaults } from '@parlance/fake-kit';
import type { NumberInventory } from '@parlance/fake-kit/numbers';
import type { RequestHandler, Response } from 'express';
import type { Accounts } from './account.js';
import { faultAnswers, type TwilioFaults, type TwilioTarget } from './faults.js';

export interface Context {
  readonly accounts: Accounts;
  readonly inventory: NumberInventory;
  readonly faults: TwilioFaults;
}

/** The middleware that lets a request fail as its target's switch says. */
export const under = ({ faults }: Context, target: TwilioTarget): RequestHandler =>
  withFaults(faults, () => target, faultAnswers);

/** The account of the caller, as the check of the credentials found out. */
export const callerOf = (response: Response): string => String(response.locals.accountSid);
