// Limits the executions that this process has under way. A system that hangs holds up its own resource, such as a tool or a
// connection, then its organization. It never holds up another organization.

export interface InFlightLimits {
  /** The places of one tool, or of one connection. */
  readonly perResource: number;
  readonly perOrganization: number;
  /** Below the number of requests that the service works on at once, so that other requests are always answered. */
  readonly all: number;
}

const defaultLimits: InFlightLimits = { perResource: 100, perOrganization: 200, all: 800 };

export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: InFlightLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Takes a place; the caller calls the result to give it back. Undefined when no place is free. */
  enter(organizationId: string, resourceId: string): (() => void) | undefined {
    const { perResource, perOrganization, all } = this.#limits;
    const places = [
      [`resource ${resourceId}`, perResource],
      [`organization ${organizationId}`, perOrganization],
      ['all', all],
    ] as const;
    if (places.some(([key, limit]) => this.#count(key) >= limit)) return undefined;
    for (const [key] of places) this.#counts.set(key, this.#count(key) + 1);
    return () => {
      for (const [key] of places) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#counts.set(key, left);
        else this.#counts.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}
