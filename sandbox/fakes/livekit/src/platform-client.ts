// The requests of the simulated voice runtime to the platform, and the patience of each.
import { RuntimeConfig } from '@parlance/contracts';
import { z } from 'zod';

export interface PlatformAddress {
  readonly platformUrl: string;
  readonly internalKey: string;
}

const Answer = z.object({ data: RuntimeConfig });

/** The facts of a call that are known before it is held. */
export type KnownOfCall = Readonly<Record<string, string | object | null | undefined>>;

/** Longer ones are left out: they would not fit into a line of HTTP. */
const longestFact = 4_000;

const queryOf = (call: KnownOfCall): string => {
  const facts = Object.entries(call).flatMap(([name, value]) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    return text && text.length <= longestFact ? [[name, text] as const] : [];
  });
  return new URLSearchParams(Object.fromEntries(facts)).toString();
};

const handOverForMs = 10 * 60_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class PlatformClient {
  readonly #address: PlatformAddress;
  #stopped = false;

  constructor(address: PlatformAddress) {
    this.#address = address;
  }

  /** Gives up all tries under way. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Undefined when the platform says that there is nothing to run.
   * @throws ZodError for an answer that is not the contract's
   */
  async configuration(path: string, call: KnownOfCall): Promise<RuntimeConfig | undefined> {
    const query = queryOf(call);
    for (let attempt = 1; attempt <= 20 && !this.#stopped; attempt += 1) {
      const response = await this.#ask(`/agents/${path}?${query}`, { method: 'GET' });
      if (response?.ok) return Answer.parse(await response.json()).data;
      if (response && response.status < 500 && response.status !== 429) return undefined;
      await pause(250);
    }
    return undefined;
  }

  /** Tries for ten minutes: a finished call is not lost because the platform restarts. */
  async handOver(call: object): Promise<void> {
    const deadline = Date.now() + handOverForMs;
    for (let wait = 200; !this.#stopped && Date.now() < deadline; wait = Math.min(wait * 2, 5_000)) {
      const response = await this.#ask('/calls', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      if (response && response.status < 500 && response.status !== 429) {
        if (!response.ok)
          process.stderr.write(`simulated runtime: the platform refused a call: ${await response.text()}\n`);
        return;
      }
      await pause(wait);
    }
  }

  async #ask(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      return await fetch(`${this.#address.platformUrl}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, 'x-internal-key': this.#address.internalKey },
        signal: AbortSignal.timeout(10_000),
      });
    } catch {
      return undefined;
    }
  }
}
