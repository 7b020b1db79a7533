// `npm run rebuild -w services/outbound-dialer`: empties the read model; running copies of the service make it again.
import { baseEnv, loadEnv, postgresEnv } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { createDatabase } from '@parlance/persistence';
import { z } from 'zod';
import { rebuildReadModel } from './read-model/outbound-call-projection.js';

const env = loadEnv(z.object({ ...baseEnv, ...postgresEnv }));
const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'outbound-dialer-rebuild', max: 1 });
await rebuildReadModel(db);
await db.end();
createLogger({ service: 'outbound-dialer', level: env.LOG_LEVEL }).info('read model emptied');
