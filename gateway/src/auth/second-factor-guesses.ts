// Guesses at the second factor of an account. Each is counted in Postgres before it is judged, over all challenges and gateways, so
// that challenges side by side get no guess more. Whoever gets here knows the password, so the person is told of the first lock.
import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@parlance/errors';
import { inLocked, type Tx } from '@parlance/postgres';

const guessesBeforeLock = 10;
const firstLock = '15 minutes';
/** The eighth lock and all later ones last a day. */
const longestLock = '1 day';
const rememberedFor = '30 days';

const isLocked = 'coalesce(g.locked_until > now(), false)';
const lockNow = `not ${isLocked} and g.guesses + 1 >= ${guessesBeforeLock}`;

const old = { table: 'second_factor_guesses', where: `guessed_at < now() - interval '${rememberedFor}'` };

// One statement, and its row lock puts guesses at the same moment in an order.
const count = `
  with forgotten as (
    delete from second_factor_guesses where ${inLocked(old, 100)} and user_id <> $1)
  insert into second_factor_guesses as g (user_id, guesses, guessed_at) values ($1, 1, now())
  on conflict (user_id) do update set
    is_admitted = not ${isLocked},
    guesses = case when ${isLocked} then g.guesses when ${lockNow} then 0 else g.guesses + 1 end,
    locks = case when ${lockNow} then g.locks + 1 else g.locks end,
    locked_until = case when ${lockNow}
      then now() + least(interval '${firstLock}' * power(2, least(g.locks, 10)), interval '${longestLock}')
      else g.locked_until end,
    guessed_at = now()
  returning is_admitted as "isAdmitted", greatest(1, ceil(extract(epoch from locked_until - now())))::int as "retryAfterSeconds"`;

interface Counted {
  readonly isAdmitted: boolean;
  readonly retryAfterSeconds: number | null;
}

/** A person whose second factor was guessed at in this request. */
export interface Guessed {
  readonly id: string;
  readonly email: string;
}

interface Attempt {
  guessed?: Guessed;
  refusedForSeconds?: number;
}

export class SecondFactorGuesses {
  readonly #db: Tx;
  readonly #attempts = new AsyncLocalStorage<Attempt>();

  constructor(db: Tx) {
    this.#db = db;
  }

  /** Counts a guess. @returns false when it must not be judged */
  async admit(guessed: Guessed): Promise<boolean> {
    const { rows } = await this.#db.query<Counted>(count, [guessed.id]);
    const [counted] = rows;
    const attempt = this.#attempts.getStore();
    if (attempt !== undefined) {
      attempt.guessed = guessed;
      if (counted?.isAdmitted !== true) attempt.refusedForSeconds = counted?.retryAfterSeconds ?? 1;
    }
    return counted?.isAdmitted === true;
  }

  /** For a right code, and for a new password: whoever guessed knows that one no more. */
  async forget(userId: string): Promise<void> {
    await this.#db.query('delete from second_factor_guesses where user_id = $1', [userId]);
  }

  /**
   * Judges a request that may guess.
   * @param tell writes the mail about the first lock
   * @throws AppError RATE_LIMITED for a guess during a lock
   */
  async judging(
    judge: () => Promise<Response>,
    tell: (guessed: Guessed) => Promise<void>,
  ): Promise<Response> {
    const attempt: Attempt = {};
    const answer = await this.#attempts.run(attempt, judge);
    const { guessed, refusedForSeconds } = attempt;
    if (guessed === undefined) return answer;
    if (refusedForSeconds !== undefined)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: refusedForSeconds });
    if (answer.ok) await this.forget(guessed.id);
    else if (await this.#takeNews(guessed.id)) await tell(guessed);
    return answer;
  }

  /** True once, after the guess that led to the first lock. */
  async #takeNews(userId: string): Promise<boolean> {
    const { rowCount } = await this.#db.query(
      `update second_factor_guesses set is_told = true
       where user_id = $1 and locks > 0 and not is_told and locked_until > now()`,
      [userId],
    );
    return rowCount === 1;
  }
}
