// This guard stands before the rows of the door that could be used to guess the secret of a person.

import { type AuthOperation } from '@parlance/contracts';
import { AppError, unreachable } from '@parlance/errors';
import type { Request, Response } from 'express';
import { clientAddress } from '../limits/client-address.js';
import type { CountedGuess, Guesses } from '../limits/guesses.js';
import type { AuthInput } from './better-auth-exchange.js';
import type { KnownDevices } from './known-devices.js';
import type { SignedIn } from './sessions.js';

export interface GuessGuardOptions {
  readonly guesses: Guesses;
  readonly devices: KnownDevices;
}

/** An attempt that may be made. */
export interface Attempt {
  /** To be called when the secret was right, before the answer leaves. */
  succeeded(response: Response): Promise<void>;
}

const emailIn = ({ body }: AuthInput): string | undefined =>
  'email' in body && typeof body.email === 'string' ? body.email.toLowerCase() : undefined;

const needless: Attempt = { succeeded: async () => undefined };

export class GuessGuard {
  readonly #options: GuessGuardOptions;

  constructor(options: GuessGuardOptions) {
    this.#options = options;
  }

  /** Counts an attempt before it is made. @throws AppError RATE_LIMITED */
  async admit(
    { guessedAt, mailsTo }: AuthOperation,
    request: Request,
    input: AuthInput,
    signedIn: SignedIn | undefined,
  ): Promise<Attempt> {
    const { guesses } = this.#options;
    const address = clientAddress(request);
    // Mails are counted too, so that no mailbox is filled through the gateway.
    if (mailsTo !== undefined) await guesses.countMail(emailIn(input) ?? '');
    switch (guessedAt) {
      case undefined:
        return needless;
      case 'none':
        return returning(await guesses.count({ address }));
      case 'person':
        if (signedIn === undefined) throw new AppError('UNAUTHENTICATED');
        return returning(await guesses.count({ address, account: `user:${signedIn.userId}` }));
      case 'newcomer':
        await guesses.countNewcomer(address, emailIn(input) ?? '');
        return needless;
      case 'email':
        return this.#atAccount(request, address, emailIn(input) ?? '');
      default:
        return unreachable(guessedAt);
    }
  }

  async #atAccount(request: Request, address: string, account: string): Promise<Attempt> {
    const { guesses, devices } = this.#options;
    const device = devices.idOf(request.headers.cookie, account);
    const counted = await guesses.count({ address, account, device });
    return {
      succeeded: async (response) => {
        await counted.giveBack();
        if (device === undefined) response.append('Set-Cookie', devices.cookieFor(account));
      },
    };
  }
}

const returning = (counted: CountedGuess): Attempt => ({ succeeded: () => counted.giveBack() });
