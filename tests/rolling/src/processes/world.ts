// The platform with copies of each process, as a cluster runs it. It has the engines of `npm start`, a front before each
// listener, and a voice runtime whose answers in text take seconds.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret } from '@parlance/config';
import { freePort } from '@parlance/engines';
import { startTextRuntime } from '@parlance/fake-livekit';
import { type Workload, workloads } from '@parlance/kubernetes';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Platform, type ProcessEnvironments, startPlatform } from '@parlance/start';
import { connectionsOf, generous, type Reachable, withoutLimits } from '@parlance/tests-e2e';
import type { Dispatcher } from 'undici';
import type { Build } from './build.js';
import { Deployment } from './deployment.js';
import { Front } from './front.js';

export interface WorldOptions {
  /** Folder for data and logs. */
  readonly directory: string;
  /** The build that the copies run at first. */
  readonly build: Build;
  /** Copies of each process. */
  readonly copies: number;
  /** The speed of simulated people, as a multiple of real talk. */
  readonly timeScale: number;
  /** The time for which a leaving gateway goes on serving. */
  readonly drainDelayMs: number;
  /** Given to every process. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly onProgress: (step: string) => void;
}

export interface World {
  /** Its dispatcher connects to the copies of the gateway in turn. */
  readonly platform: Reachable & { readonly dispatcher: Dispatcher };
  readonly deployments: readonly Deployment[];
  /** Of outbound-dialer. */
  readonly db: Database;
  readonly eventStoreUrl: Secret;
  readonly ledgerPath: string;
  /** Address of a system that tools may ask. */
  readonly practice: string;
  stop(): Promise<void>;
}

const cacheDir = fileURLToPath(new URL('../../../../node_modules/.cache/parlance', import.meta.url));
/** From one word of an answer in text to the next: an answer takes some seconds. */
const wordMs = 250;
/** Postgres of `npm start` takes 200 connections, and some twenty processes share them. */
const connectionsPerProcess = '4';
/** Services that answer most requests have the connections of a pool as it is shipped. */
const busy: ReadonlySet<string> = new Set(['gateway', 'agents-config', 'calls-logs', 'outbound-dialer']);
const connectionsOfBusy = '10';

interface Listener {
  readonly portVariable: 'PORT' | 'MCP_PORT';
}

/** The processes that others open connections to, with the variable of their port. */
const listeners: Readonly<Record<string, Listener>> = {
  gateway: { portVariable: 'PORT' },
  'mcp-facade': { portVariable: 'MCP_PORT' },
};

const variablesFor = (
  { name }: Workload,
  { services, gateway }: ProcessEnvironments,
): Readonly<Record<string, string>> => {
  if (name === 'gateway') return gateway;
  const found = services[name];
  if (found === undefined) throw new Error(`${name} has no environment`);
  return found;
};

interface Launched {
  readonly fronts: ReadonlyMap<string, Front>;
  readonly deployments: readonly Deployment[];
  readonly environments: ProcessEnvironments;
  stop(): Promise<void>;
}

const launchAll = async (
  environments: ProcessEnvironments,
  { build, copies, drainDelayMs, directory }: WorldOptions,
): Promise<Launched> => {
  const fronts = new Map<string, Front>();
  const logs = join(directory, 'logs');
  mkdirSync(logs, { recursive: true });
  const deployments: Deployment[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(deployments.map((deployment) => deployment.stop()));
    await Promise.all([...fronts.values()].map((front) => front.close()));
  };
  try {
    for (const workload of workloads) {
      const given = variablesFor(workload, environments);
      const portVariable = listeners[workload.name]?.portVariable;
      const listener =
        portVariable === undefined ? undefined : await Front.listen(Number(given[portVariable]));
      if (listener !== undefined) fronts.set(workload.name, listener);
      deployments.push(
        new Deployment({
          ...{ workload, logs },
          variables: {
            ...given,
            DRAIN_DELAY_MS: String(drainDelayMs),
            ...(busy.has(workload.name) ? { POSTGRES_POOL_MAX: connectionsOfBusy } : {}),
          },
          front:
            listener === undefined || portVariable === undefined ? undefined : { listener, portVariable },
        }),
      );
    }
    await Promise.all(deployments.map((deployment) => deployment.start(build, copies)));
    return { fronts, deployments, environments, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Resolves when every copy is ready. */
export const startWorld = async (options: WorldOptions): Promise<World> => {
  const { directory, timeScale, onProgress } = options;
  const port = await freePort();
  const internalKey = randomBytes(32).toString('base64url');
  const url = `http://127.0.0.1:${port}`;
  const runtime = await startTextRuntime({ platformUrl: url, internalKey, wordMs });
  let launched: Launched | undefined;
  let platform: Platform;
  try {
    platform = await startPlatform({
      ...{ dataDir: join(directory, 'platform'), cacheDir, port, timeScale, onProgress },
      source: {
        ...process.env,
        ...generous,
        ...withoutLimits,
        MAX_AGENTS_PER_ORGANIZATION: '1000000',
        POSTGRES_POOL_MAX: connectionsPerProcess,
        INTERNAL_API_KEY: internalKey,
        TEXT_RUNTIME_URL: runtime.url,
        ...options.variables,
      },
      launch: async (environments) => {
        launched = await launchAll(environments, options);
        return launched;
      },
    });
  } catch (error) {
    await runtime.stop();
    throw error;
  }
  if (launched === undefined) throw new Error('the platform launched nothing');
  const { fronts, deployments, environments } = launched;
  const { 'outbound-dialer': dialer = {} } = environments.services;
  const db = createDatabase({
    ...{ url: new Secret(dialer.POSTGRES_URL ?? ''), applicationName: 'rolling', max: 2 },
  });
  return {
    platform: { url, api: `${url}/api/v1`, dispatcher: connectionsOf(fronts.get('gateway')?.connect) },
    ...{ deployments, db },
    eventStoreUrl: new Secret(dialer.EVENTSTORE_URL ?? ''),
    ledgerPath: join(directory, 'platform', 'ledger.jsonl'),
    practice: platform.engines.practice.url,
    stop: async () => {
      await db.end();
      await platform.stop();
      await runtime.stop();
    },
  };
};
