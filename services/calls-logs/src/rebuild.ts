// `node dist/main.js rebuild`: empties the read models of a service that is stopped; the next start makes them again.
import { baseEnv, mongoEnv, postgresEnv } from '@parlance/config';
import { resetProjection } from '@parlance/event-sourcing';
import { createLogger } from '@parlance/observability';
import { connectMongo, createDatabase } from '@parlance/persistence';
import { z } from 'zod';
import { projections } from './projections.js';
import { clearDocuments } from './read-models/call-documents.js';

export const RebuildEnv = z.object({ ...baseEnv, ...postgresEnv, ...mongoEnv });

/** @throws AppError CONFLICT while a copy of the service runs */
export const rebuild = async (env: z.output<typeof RebuildEnv>): Promise<void> => {
  const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'calls-logs-rebuild', max: 1 });
  const mongo = connectMongo({
    url: env.MONGODB_URL,
    appName: 'calls-logs-rebuild',
    database: env.MONGODB_DATABASE,
  });
  try {
    await resetProjection(db, projections.index, async () => {
      await db.query('truncate call_index');
    });
    await resetProjection(db, projections.documents, () => clearDocuments(mongo.db));
  } finally {
    await mongo.close();
    await db.end();
  }
  createLogger({ service: 'calls-logs', level: env.LOG_LEVEL }).info('read models emptied');
};
