// `node dist/main.js rebuild`: empties the read model; running copies of the service make it again from the streams.
import { baseEnv, postgresEnv } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { createDatabase } from '@parlance/persistence';
import { z } from 'zod';
import { rebuildReadModel } from './read-model/outbound-call-projection.js';

export const RebuildEnv = z.object({ ...baseEnv, ...postgresEnv });

export const rebuild = async (env: z.output<typeof RebuildEnv>): Promise<void> => {
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'outbound-dialer-rebuild', max: 1 });
  try {
    await rebuildReadModel(db);
  } finally {
    await db.end();
  }
  createLogger({ service: 'outbound-dialer', level: env.LOG_LEVEL }).info('read model emptied');
};
