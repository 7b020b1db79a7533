// The log of erasures of the gateway, for the command line.
import { type EnvSource, erasureLogEnv, loadEnv, objectStorageEnv, postgresEnv } from '@parlance/config';
import { type AppliedErasures, applyFromOutside, Erasures, openErasureLog } from '@parlance/erasure';
import { connectObjectStorage } from '@parlance/object-storage';
import { createLogger, systemClock, systemIds } from '@parlance/observability';
import type { ErasingService } from '@parlance/ops';
import { createDatabase } from '@parlance/postgres';
import { z } from 'zod';
import { applyErasures } from './apply-erasures.js';

const Env = z.object({ ...postgresEnv, ...objectStorageEnv, ...erasureLogEnv });

const apply = async (variables: EnvSource, since?: Date): Promise<AppliedErasures> => {
  const env = loadEnv(Env, variables);
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'gateway-tool', max: 2 });
  const storage = connectObjectStorage(env);
  const log = openErasureLog({ service: 'gateway', storage, directory: env.ERASURE_LOG_DIR });
  const logger = createLogger({ service: 'gateway-tool', level: 'warn' });
  try {
    const erasures = new Erasures({ log, db, logger });
    return await applyFromOutside(erasures, applyErasures({ db, clock: systemClock, ids: systemIds }), since);
  } finally {
    storage?.close();
    await db.end();
  }
};

export const operations: ErasingService = { service: 'gateway', erasures: { apply } };
