// The engines that all worlds of a run share: one Postgres, and a folder for everything.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret } from '@parlance/config';
import { type LiveKitBinaries, startPostgres } from '@parlance/engines';
import { administer, type Database, provisionService } from '@parlance/postgres';
import { patiently } from './evidence/patience.js';

export interface ChaosEngines {
  /** For logs and data; one folder per world. */
  readonly directory: string;
  readonly cacheDir: string;
  /** Every world's media server: the stand-in with its simulated phones, or LiveKit's programs with telephones. */
  readonly media: 'simulated' | LiveKitBinaries;
  /** A schema of its own for a service of one world. */
  databaseFor(world: string, service: string): Promise<Secret>;
  /** @param keep leaves the logs where they are, for a person who investigates a failure */
  stop(options?: { readonly keep: boolean }): Promise<void>;
}

const cacheDir = fileURLToPath(new URL('../../../node_modules/.cache/parlance', import.meta.url));

const urlOf = (adminUrl: string, role: string, password: string): Secret => {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return new Secret(url.href);
};

export const startChaosEngines = async (
  media: ChaosEngines['media'] = 'simulated',
): Promise<ChaosEngines> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-chaos-'));
  mkdirSync(cacheDir, { recursive: true });
  const postgres = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
    durable: false,
  });
  const admin: Database = administer({ url: new Secret(postgres.adminUrl), applicationName: 'chaos' });
  // One after the other: many that begin together would only wait for each other until time is over.
  let provisioning = Promise.resolve();
  return {
    directory,
    cacheDir,
    media,
    databaseFor: async (world, service) => {
      const role = `${world}_${service}`.replaceAll(/[^a-z0-9]/g, '_');
      const password = randomBytes(12).toString('hex');
      const turn = provisioning.then(() =>
        patiently(() => provisionService(admin, { role, schema: role, password })),
      );
      provisioning = turn.catch(() => undefined);
      await turn;
      return urlOf(postgres.adminUrl, role, password);
    },
    stop: async ({ keep } = { keep: false }) => {
      await admin.end();
      await postgres.stop();
      if (keep) rmSync(join(directory, 'postgres'), { recursive: true, force: true });
      else rmSync(directory, { recursive: true, force: true });
    },
  };
};
