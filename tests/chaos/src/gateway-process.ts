// The gateway as a process of its own, so that it can be killed in the middle of requests.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadEnv } from '@parlance/config';
import { dyingWithParent, freePort } from '@parlance/engines';
import { callerVariables, programOf } from '@parlance/fixtures';
import { createFirstOrganization, Env } from '@parlance/gateway';
import type { ChaosEngines } from './engines.js';
import { patiently } from './evidence/patience.js';
import type { World } from './world.js';

const main = programOf('gateway');
const startPatienceMs = 60_000;

export interface GatewayProcess {
  /** Base address of the interface. */
  readonly api: string;
  readonly apiKey: string;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it answers. */
  start(): Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
};

const untilAnswering = async (api: string): Promise<void> => {
  const deadline = Date.now() + startPatienceMs;
  while (!(await answers(`${api}/health`))) {
    if (Date.now() > deadline) throw new Error('the gateway does not answer; see its gateway.log');
    await pause(100);
  }
};

/** With an organization and a key that may do everything. Resolves when it answers. */
export const startGateway = async (engines: ChaosEngines, world: World): Promise<GatewayProcess> => {
  const port = await freePort();
  const plenty = '1000000';
  const variables = {
    ...world.variables,
    ...callerVariables('gateway'),
    POSTGRES_URL: (await engines.databaseFor(world.name, 'gateway')).reveal(),
    PORT: String(port),
    AUTH_SECRET: randomBytes(32).toString('base64'),
    INTERNAL_API_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_COST_PER_MINUTE: plenty,
    RATE_LIMIT_WRITE_PER_MINUTE: plenty,
    // Answers to clients that ask again under their key count as reads.
    RATE_LIMIT_READ_PER_MINUTE: plenty,
  };
  const { apiKey } = await patiently(() => createFirstOrganization(loadEnv(Env, variables)));
  const launch = () => {
    const log = openSync(join(engines.directory, world.name, 'gateway.log'), 'a');
    const [file, ...args] = dyingWithParent([process.execPath, main], 'KILL');
    const child = spawn(file, args, { stdio: ['ignore', log, log], env: { ...process.env, ...variables } });
    closeSync(log);
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return { child, gone };
  };
  let running = launch();
  const api = `http://127.0.0.1:${port}/api/v1`;
  await untilAnswering(api);
  return {
    api,
    apiKey,
    kill: async () => {
      running.child.kill('SIGKILL');
      await running.gone;
    },
    start: async () => {
      running = launch();
      await untilAnswering(api);
    },
  };
};
