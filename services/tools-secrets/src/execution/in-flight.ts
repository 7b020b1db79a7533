// How many executions this process has under way. A system that hangs holds up its own tool, then its organization, and
// never the others.

export interface InFlightLimits {
  readonly perTool: number;
  readonly perOrganization: number;
  /** Below the number of requests that the service works on, so that others are always answered. */
  readonly all: number;
}

export const defaultLimits: InFlightLimits = { perTool: 100, perOrganization: 200, all: 800 };

export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: InFlightLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** A place, which the caller gives back; undefined when there is none. */
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
