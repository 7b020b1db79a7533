// The gate for sign-ups. The setting of the operator decides. The first account of an empty installation comes in with
// the setup code under every setting.
import { equalSecrets } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';

export type SignUpSetting = 'open' | 'invite' | 'closed';

/** The kind of a new account: the first one of an installation counts as verified. */
export type Admission = 'first' | 'ordinary';

export interface SignUpGateOptions {
  readonly db: Database;
  readonly setting: SignUpSetting;
  readonly setupCode: string;
  /** Counts a wrong setup code. @throws AppError RATE_LIMITED */
  readonly countWrongCode: (address: string) => Promise<void>;
}

export interface SignUp {
  /** The address in lower case. */
  readonly email: string;
  /** The value of the header x-setup-code. */
  readonly code: string | undefined;
  /** The address of the client, for counting guesses. */
  readonly address: string;
}

const lockLimitMs = 10_000;

const hasAccounts = async (tx: Tx): Promise<boolean> => {
  const { rows } = await tx.query<{ found: boolean }>('select exists (select from "user") as found');
  return rows[0]?.found === true;
};

const isInvited = async (tx: Tx, email: string): Promise<boolean> => {
  const { rows } = await tx.query<{ found: boolean }>(
    `select exists (select from invitation
                     where lower(email) = $1 and status = 'pending' and "expiresAt" > now()) as found`,
    [email],
  );
  return rows[0]?.found === true;
};

const lockFirstAccount = `select pg_advisory_xact_lock(hashtextextended(current_schema() || ':first account', 0))`;

export class SignUpGate {
  readonly #options: SignUpGateOptions;
  /** Accounts are never all deleted again, so this is looked up until it is true. */
  #isInstalled = false;

  constructor(options: SignUpGateOptions) {
    this.#options = options;
  }

  /** Tells the setup code in the log while there is no account. */
  async announce(logger: Logger): Promise<void> {
    if (await this.#installed()) return;
    const { setupCode } = this.#options;
    logger.warn(`There is no account yet. The first one comes in with the header x-setup-code: ${setupCode}`);
  }

  /**
   * Signs up, if that may be. Of several first sign-ups at once exactly one comes in as the first.
   * @throws AppError SIGN_UP_CLOSED, RATE_LIMITED
   */
  async admit<T>(attempt: SignUp, signUp: (as: Admission) => Promise<T>): Promise<T> {
    if (attempt.code !== undefined && !(await this.#installed())) {
      await this.#check(attempt.code, attempt.address);
      const first = await this.#first(() => signUp('first'));
      if (first !== undefined) return first.result;
    }
    const { db, setting } = this.#options;
    if (setting === 'closed' || (setting === 'invite' && !(await isInvited(db, attempt.email))))
      throw new AppError('SIGN_UP_CLOSED');
    return signUp('ordinary');
  }

  async #check(code: string, address: string): Promise<void> {
    if (equalSecrets(code, this.#options.setupCode)) return;
    await this.#options.countWrongCode(address);
    throw new AppError('SIGN_UP_CLOSED');
  }

  // The lock holds until better-auth has stored the account, so that the next one in line finds it. Undefined for all
  // but the first in line.
  #first<T>(signUp: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    return this.#options.db.transaction(
      async (tx) => {
        await tx.query(lockFirstAccount);
        return (await hasAccounts(tx)) ? undefined : { result: await signUp() };
      },
      { timeoutMs: lockLimitMs },
    );
  }

  async #installed(): Promise<boolean> {
    this.#isInstalled ||= await hasAccounts(this.#options.db);
    return this.#isInstalled;
  }
}
