// Limits the executions that this process has under way. A system that hangs holds up its own tool, then its
// organization, and never another organization.

export interface InFlightLimits {
  readonly perTool: number;
  readonly perOrganization: number;
  /** Below the number of requests that the service works on at once, so that other requests are always answered. */
  readonly all: number;
}

export const defaultLimits: InFlightLimits = { perTool: 100, perOrganization: 200, all: 800 };

export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: InFlightLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Takes a place; the caller calls the result to give it back. Undefined when no place is free. */
  enter(organizationId: string, toolId: string): (() => void) | undefined {
    const { perTool, perOrganization, all } = this.#limits;
    const places = [
      [`tool ${toolId}`, perTool],
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
