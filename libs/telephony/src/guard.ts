// Keeps a provider in trouble from taking the platform with it: one breaker and one bulkhead for each class of requests.
// Reads are tried a second time. A request that changes something is sent once and never again, here or in the SDK.
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  retry,
  SamplingBreaker,
  wrap,
} from 'cockatiel';
import { notTried, ProviderFailure } from './provider-failure.js';

export type RequestClass = 'search' | 'read' | 'buy' | 'configure' | 'release';

/** Opens when half of at least 20 requests in ten seconds fail, and lets one through after ten more. */
const window = { threshold: 0.5, duration: 10_000, minimumRps: 2 };
const halfOpenAfterMs = 10_000;
const atOnce = 10;
const inLine = 100;
/** The second try of a read that failed at once; one that timed out has used up the caller's patience. */
const secondTry = { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 500 }) };

const isFault = (error: unknown): boolean => error instanceof ProviderFailure && error.isFault;
const isWorthASecondTry = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.isFault && error.code !== 'PROVIDER_TIMEOUT';

export class ProviderGuard {
  readonly #explain: (error: unknown) => ProviderFailure;
  readonly #policies = new Map<RequestClass, IPolicy>();
  readonly #second = retry(handleWhen(isWorthASecondTry), secondTry);

  /** @param explain the meaning of an error of the SDK */
  constructor(explain: (error: unknown) => ProviderFailure) {
    this.#explain = explain;
  }

  /** @throws ProviderFailure */
  read<T>(kind: 'search' | 'read', work: () => Promise<T>): Promise<T> {
    return this.#second.execute(() => this.#once(kind, work));
  }

  /** Sends once. @throws ProviderFailure */
  write<T>(kind: 'buy' | 'configure' | 'release', work: () => Promise<T>): Promise<T> {
    return this.#once(kind, work);
  }

  async #once<T>(kind: RequestClass, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#policyOf(kind).execute(async () => {
        try {
          return await work();
        } catch (error) {
          throw error instanceof ProviderFailure ? error : this.#explain(error);
        }
      });
    } catch (error) {
      const isRefusal = error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError;
      throw isRefusal ? notTried(error) : error;
    }
  }

  #policyOf(kind: RequestClass): IPolicy {
    const known = this.#policies.get(kind);
    if (known !== undefined) return known;
    const breaker = circuitBreaker(handleWhen(isFault), {
      halfOpenAfter: halfOpenAfterMs,
      breaker: new SamplingBreaker(window),
    });
    const made = wrap(bulkhead(atOnce, inLine), breaker);
    this.#policies.set(kind, made);
    return made;
  }
}
