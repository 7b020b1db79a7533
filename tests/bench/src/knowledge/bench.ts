// npm run bench -- knowledge: measures the quality and the speed of searches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnv, Secret } from '@parlance/config';
import { startPostgres } from '@parlance/engines';
import { embedderOf, embeddingsEnv, migrations } from '@parlance/knowledge';
import { createDatabase, migrate } from '@parlance/postgres';
import { z } from 'zod';
import { fiveLanguages } from './five-languages.js';
import { benchLatency } from './latency.js';
import { pinoManual } from './pino-manual.js';
import { pythonFaq } from './python-faq.js';
import { benchQuality } from './quality.js';

export const benchKnowledge = async ({ chunks }: { readonly chunks: number }): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-bench-'));
  const postgres = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: 'bench',
  });
  const db = createDatabase({
    url: new Secret(postgres.adminUrl),
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
  });
  try {
    await migrate(db, { directory: migrations, framework: true });
    const embedder = embedderOf(loadEnv(z.object(embeddingsEnv)));
    await benchQuality(db, [pythonFaq(), pinoManual()], embedder);
    await benchQuality(db, fiveLanguages(), undefined);
    await benchLatency(db, chunks);
  } finally {
    await db.end();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};
