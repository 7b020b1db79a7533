// Platforms that several test files use at the same time, each with organizations of its own. The process of the test run keeps
// them, because a worker ends before the run does.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningOpenAi, startOpenAi } from '@parlance/fake-openai';
import { missingForBrowserVoice } from '@parlance/start';
import { generous } from './generous.js';
import { type RunningPlatform, runPlatform } from './running-platform.js';

/** Systems of a customer are played by tests, on this machine. */
const withCustomers = { ...generous, EGRESS_ALLOW_PRIVATE: '127.0.0.1' };

/** Variables and flags of each shared platform. */
const kinds = {
  /** As an operator starts it, who has set nothing but higher rates. */
  plain: { variables: generous, flags: [] },
  /** For suites that send requests by the thousand. */
  interface: { variables: withCustomers, flags: [] },
  /** For suites in a browser, which would wait behind those. */
  console: { variables: withCustomers, flags: [] },
  /** With voice in browsers, where it is installed. A stand-in of the OpenAI protocol hears and speaks. */
  widget: { variables: generous, flags: missingForBrowserVoice() === undefined ? ['--browser-voice'] : [] },
};

export type SharedKind = keyof typeof kinds;

/** What the files that share a platform may do with it. */
export type SharedPlatform = Pick<RunningPlatform, 'url' | 'api' | 'dataDir'> & {
  /** Call it when the file has done its tests. */
  release(): Promise<void>;
};

const variableOfAddress = 'PARLANCE_TEST_PLATFORMS';

interface Shared {
  readonly platform: Promise<RunningPlatform>;
  readonly speech: Promise<RunningOpenAi> | undefined;
  leases: number;
}

/** An idle platform takes a tenth of a core, and the start of another one takes as much as a minute of that. */
const lingerMs = 60_000;

export class SharedPlatforms {
  readonly #server: Server;
  readonly #running = new Map<SharedKind, Shared>();
  readonly #removals: Promise<void>[] = [];
  /** Keeps other programs of this machine out. */
  readonly #path = `/${randomUUID()}/`;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const kind = request.url?.replace(this.#path, '') as SharedKind; // checked by the next line
      if (!Object.hasOwn(kinds, kind)) {
        response.writeHead(404).end();
        return;
      }
      try {
        const body = request.method === 'DELETE' ? this.#release(kind) : await this.#lease(kind);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
  }

  /** Serves the workers that are started from now on. */
  static async serve(): Promise<SharedPlatforms> {
    const shared = new SharedPlatforms();
    await once(shared.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = shared.#server.address() as AddressInfo; // an address, since it listens on a port
    process.env[variableOfAddress] = `http://127.0.0.1:${port}${shared.#path}`;
    return shared;
  }

  /** Removes all platforms. Rejects when a process of one was refused something. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    for (const kind of this.#running.keys()) this.#remove(kind);
    const faults = (await Promise.allSettled(this.#removals)).flatMap((removal) =>
      removal.status === 'rejected' ? [removal.reason] : [],
    );
    if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('\n'));
  }

  async #lease(kind: SharedKind): Promise<object> {
    let shared = this.#running.get(kind);
    if (shared === undefined) {
      const { variables, flags } = kinds[kind];
      const speech = flags.length === 0 ? undefined : startOpenAi();
      const start = async () => {
        const address = (await speech)?.url;
        return runPlatform({ ...variables, ...(address && { SPEECH_URL: address }) }, flags);
      };
      shared = { platform: start(), speech, leases: 0 };
      this.#running.set(kind, shared);
    }
    shared.leases += 1;
    try {
      const { url, api, dataDir } = await shared.platform;
      return { url, api, dataDir };
    } catch (error) {
      this.#running.delete(kind);
      throw error;
    }
  }

  #release(kind: SharedKind): object {
    const shared = this.#running.get(kind);
    if (shared === undefined) return {};
    shared.leases -= 1;
    setTimeout(() => {
      if (shared.leases === 0 && this.#running.get(kind) === shared) this.#remove(kind);
    }, lingerMs).unref();
    return {};
  }

  #remove(kind: SharedKind): void {
    const shared = this.#running.get(kind);
    this.#running.delete(kind);
    if (shared === undefined) return;
    const removal = shared.platform.then(async (platform) => {
      await platform.remove();
      await (await shared.speech)?.stop();
    });
    // Reported by `stop`.
    removal.catch(() => undefined);
    this.#removals.push(removal);
  }
}

const request = async (kind: SharedKind, method: string): Promise<Response> => {
  const address = process.env[variableOfAddress];
  if (address === undefined) throw new Error(`${variableOfAddress} is not set: run the tests with npm test`);
  const response = await fetch(`${address}${kind}`, { method });
  if (!response.ok) throw new Error(`no shared platform: ${response.status} ${await response.text()}`);
  return response;
};

/** The platform that all files of this kind share; the first one starts it. */
export const sharedPlatform = async (kind: SharedKind): Promise<SharedPlatform> => {
  const response = await request(kind, 'POST');
  const addresses = (await response.json()) as Pick<RunningPlatform, 'url' | 'api' | 'dataDir'>; // written above
  return {
    ...addresses,
    release: async () => {
      await request(kind, 'DELETE');
    },
  };
};
