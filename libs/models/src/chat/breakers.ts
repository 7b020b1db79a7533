// A breaker for each endpoint: one that just failed is not called again until its pause is over, and then by one chat alone.
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  noJitterGenerator,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';

export interface BreakerOptions {
  /** Milliseconds until a failed endpoint is tried again (10 s); doubled with each failure in a row. */
  readonly firstPauseMs?: number;
  /** The longest of these pauses (2 min). */
  readonly longestPauseMs?: number;
}

/** Permission for one request. One of the methods is called, whatever becomes of the request; the first call counts. */
export interface Permit {
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** The request was given up before the endpoint could fail or succeed. */
  readonly abandoned: () => void;
}

/** Shared by all chats of a process. */
export class EndpointBreakers {
  /** Organizations bring endpoints of their own; one that is forgotten is tried again. */
  readonly #policies = new LRUCache<string, CircuitBreakerPolicy>({ max: 10_000 });
  readonly #backoff: ExponentialBackoff<unknown>;

  constructor({ firstPauseMs = 10_000, longestPauseMs = 120_000 }: BreakerOptions = {}) {
    this.#backoff = new ExponentialBackoff({
      initialDelay: firstPauseMs,
      maxDelay: longestPauseMs,
      generator: noJitterGenerator,
    });
  }

  /** Undefined for an endpoint that may not be called now. */
  permit(endpointId: string): Promise<Permit | undefined> {
    const policy = this.#policyOf(endpointId);
    // The policy itself would make a second chat wait for the outcome of the first.
    if (policy.state === CircuitState.HalfOpen) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const outcome = (): Promise<void> =>
        new Promise((succeeded, reject) => {
          const failed = (): void => reject(new Error('the endpoint failed'));
          const isProbe = policy.state === CircuitState.HalfOpen;
          resolve({ succeeded: () => succeeded(), failed, abandoned: isProbe ? failed : () => succeeded() });
        });
      policy.execute(outcome).catch((error: unknown) => {
        if (error instanceof BrokenCircuitError) resolve(undefined);
      });
    });
  }

  #policyOf(endpointId: string): CircuitBreakerPolicy {
    const existing = this.#policies.get(endpointId);
    if (existing !== undefined) return existing;
    const policy = circuitBreaker(handleAll, {
      halfOpenAfter: this.#backoff,
      breaker: new ConsecutiveBreaker(1),
    });
    this.#policies.set(endpointId, policy);
    return policy;
  }
}
