// The services that take envelopes, as far as this process knows. Replicas of two releases may answer for one service.
import type { ServiceName } from '@parlance/contracts';

/** After a refusal the service gets signed requests for this time: one of its replicas is of a release before. */
const pauseMs = 60_000;

export class EnvelopeUse {
  readonly #taking = new Set<ServiceName>();
  readonly #pausedUntil = new Map<ServiceName, number>();

  isFor(service: ServiceName): boolean {
    return this.#taking.has(service);
  }

  /** For each marked reply. */
  isTaken(service: ServiceName): void {
    if (this.#taking.has(service) || Date.now() < (this.#pausedUntil.get(service) ?? 0)) return;
    this.#taking.add(service);
  }

  isRefused(service: ServiceName): void {
    this.#taking.delete(service);
    this.#pausedUntil.set(service, Date.now() + pauseMs);
  }
}
