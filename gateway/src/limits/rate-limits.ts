// Counts requests per minute. Cheap buckets are counted in this process. Buckets that cost money are counted in
// Postgres, shared by all gateways. While Postgres is away they are counted in this process, and never left uncounted.
// Guesses at passwords and codes are counted in Postgres or refused.
import type { Bucket } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Database } from '@parlance/postgres';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Env } from '../environment/env.js';
import { CountingStore } from './counting-store.js';

/**
 * `auth`: guesses at one account from one address. `guessAddress`: guesses from one address. `guessAccount`: guesses at one
 * account from anywhere. `failedAuth`: API keys, cookies and internal keys that turned out wrong.
 */
export type LimitName = Exclude<Bucket, 'none'> | 'auth' | 'guessAddress' | 'guessAccount' | 'failedAuth';

/** The state of a bucket after a request was counted. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** The seconds until the count starts again. */
  readonly resetSeconds: number;
  readonly allowed: boolean;
}

const minute = 60;

/** Seconds after which a count starts again, where that is not a minute. */
const durations: { readonly [name in LimitName]?: number } = { guessAccount: 15 * minute };

/** Buckets that all gateways count together. */
const shared: ReadonlySet<LimitName> = new Set([
  'cost',
  'purchase',
  'upload',
  'auth',
  'guessAddress',
  'guessAccount',
]);

const limitsOf = (env: Env): Readonly<Record<LimitName, number>> => ({
  read: env.RATE_LIMIT_READ_PER_MINUTE,
  write: env.RATE_LIMIT_WRITE_PER_MINUTE,
  cost: env.RATE_LIMIT_COST_PER_MINUTE,
  purchase: env.RATE_LIMIT_PURCHASE_PER_MINUTE,
  upload: env.RATE_LIMIT_UPLOAD_PER_MINUTE,
  publicConfig: env.RATE_LIMIT_PUBLIC_CONFIG_PER_MINUTE,
  publicSession: env.RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE,
  publicQueue: env.RATE_LIMIT_PUBLIC_QUEUE_PER_MINUTE,
  publicMessage: env.RATE_LIMIT_PUBLIC_MESSAGE_PER_MINUTE,
  internal: env.RATE_LIMIT_INTERNAL_PER_MINUTE,
  auth: env.RATE_LIMIT_AUTH_PER_MINUTE,
  guessAddress: env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
  guessAccount: env.GUESSES_PER_ACCOUNT,
  failedAuth: env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
});

/** Guesses that cannot be counted are not judged: judging them takes Postgres too. */
const neverUncounted: ReadonlySet<LimitName> = new Set(['auth', 'guessAddress', 'guessAccount']);

type Store = Pick<CountingStore, 'query'>;

const limiter = (name: LimitName, points: number, store: Store): RateLimiterAbstract => {
  const options = { keyPrefix: name, points, duration: durations[name] ?? minute };
  if (!shared.has(name)) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: store,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // one of them is enough to sweep the table
    clearExpiredByTimeout: name === 'auth',
    // A caller over the limit is refused from memory, without a round trip per refusal. The last request that is
    // allowed may still be given back.
    inMemoryBlockOnConsumed: points + 1,
    ...(neverUncounted.has(name) ? {} : { insuranceLimiter: new RateLimiterMemory(options) }),
  });
};

export class RateLimits {
  readonly #limits: Readonly<Record<LimitName, number>>;
  readonly #limiters: Readonly<Record<LimitName, RateLimiterAbstract>>;

  constructor(env: Env, db: Database) {
    this.#limits = limitsOf(env);
    const store = new CountingStore(db);
    const of = (name: LimitName) => limiter(name, this.#limits[name], neverUncounted.has(name) ? db : store);
    this.#limiters = {
      read: of('read'),
      write: of('write'),
      cost: of('cost'),
      purchase: of('purchase'),
      upload: of('upload'),
      publicConfig: of('publicConfig'),
      publicSession: of('publicSession'),
      publicQueue: of('publicQueue'),
      publicMessage: of('publicMessage'),
      internal: of('internal'),
      auth: of('auth'),
      guessAddress: of('guessAddress'),
      guessAccount: of('guessAccount'),
      failedAuth: of('failedAuth'),
    };
  }

  /** Counts one request for each subject, such as an organization and a key; the tightest of them decides. */
  async count(name: LimitName, subjects: readonly string[]): Promise<LimitState> {
    let tightest: LimitState | undefined;
    for (const subject of subjects) {
      const state = await this.#count(name, subject);
      if (tightest === undefined || state.remaining < tightest.remaining) tightest = state;
      if (!state.allowed) return state;
    }
    return (
      tightest ?? { limit: this.#limits[name], remaining: this.#limits[name], resetSeconds: 0, allowed: true }
    );
  }

  /** Takes one count back. */
  async giveBack(name: LimitName, subject: string): Promise<void> {
    await this.#limiters[name].reward(subject, 1);
  }

  async #count(name: LimitName, subject: string): Promise<LimitState> {
    try {
      return this.#toState(name, await this.#limiters[name].consume(subject), true);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return this.#toState(name, refusal, false);
      throw refusal;
    }
  }

  #toState(name: LimitName, result: RateLimiterRes | null, allowed: boolean): LimitState {
    return {
      limit: this.#limits[name],
      remaining: Math.max(0, result === null ? this.#limits[name] : result.remainingPoints),
      resetSeconds: Math.ceil(Math.max(0, result?.msBeforeNext ?? 0) / 1_000),
      allowed,
    };
  }
}

/** @throws AppError RATE_LIMITED with the time to wait, when the state says so */
export const assertAllowed = (state: LimitState): void => {
  if (!state.allowed)
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, state.resetSeconds) });
};
