// Counts guesses at passwords, codes and tokens before they are judged, in Postgres for all gateways together. A guess
// counts per address, per address and account, and per account over all addresses. A guess that was right is given back.
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { LRUCache } from 'lru-cache';
import { assertAllowed, type LimitName, type RateLimits } from './rate-limits.js';

/** The keys that a guess is counted by. */
export interface Guess {
  /** The address of the client. */
  readonly address: string;
  /** The account: an e-mail address in lower case, or `user:` and an id. Absent where a token stands alone. */
  readonly account?: string | undefined;
  /** Id of a device that this account has signed in from; its guesses go into a count of device and account alone. */
  readonly device?: string | undefined;
}

/** A guess that may be judged now. */
export interface CountedGuess {
  /** To be called when the guess was right. */
  giveBack(): Promise<void>;
}

type Count = readonly [name: LimitName, subject: string];

const rememberedRefusals = 10_000;

// A stranger's guesses must not fill the count of the owner's own device.
const countsOf = ({ address, account, device }: Guess): readonly Count[] => {
  if (account === undefined) return [['guessAddress', address]];
  const subject = sha256(account);
  if (device !== undefined) return [['guessAccount', `device:${device}:${subject}`]];
  return [
    ['guessAddress', address],
    ['auth', `${address}|${subject}`],
    ['guessAccount', subject],
  ];
};

export class Guesses {
  readonly #limits: RateLimits;
  /**
   * The time at which each refused count starts again: a refusal costs no look into Postgres, and no count elsewhere.
   */
  readonly #refused = new LRUCache<string, number>({ max: rememberedRefusals });

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /**
   * Counts one guess.
   * @throws AppError RATE_LIMITED when it may not be judged
   */
  async count(guess: Guess): Promise<CountedGuess> {
    const counts = countsOf(guess);
    for (const count of counts) this.#refuseKnown(count);
    const done: Count[] = [];
    for (const count of counts) {
      await this.#count(count).catch(async (refusal: unknown) => {
        await this.#giveBack(done);
        throw refusal;
      });
      done.push(count);
    }
    return { giveBack: () => this.#giveBack(counts) };
  }

  /** Counts one sign-up, which is never given back. @throws AppError RATE_LIMITED */
  async countNewcomer(address: string, account: string): Promise<void> {
    await this.#count(['auth', `new:${address}|${sha256(account)}`]);
  }

  /** Counts one mail to an address, from all requests together; never given back. @throws AppError RATE_LIMITED */
  async countMail(to: string): Promise<void> {
    const count: Count = ['guessAccount', `mail:${sha256(to)}`];
    this.#refuseKnown(count);
    await this.#count(count);
  }

  #refuseKnown(count: Count): void {
    const until = this.#refused.get(count.join(' ')) ?? 0;
    const waitMs = until - Date.now();
    if (waitMs > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  }

  async #count(count: Count): Promise<void> {
    const [name, subject] = count;
    const state = await this.#limits.count(name, [subject]);
    if (!state.allowed) this.#refused.set(count.join(' '), Date.now() + state.resetSeconds * 1_000);
    assertAllowed(state);
  }

  async #giveBack(counts: readonly Count[]): Promise<void> {
    for (const [name, subject] of counts) await this.#limits.giveBack(name, subject);
  }
}
