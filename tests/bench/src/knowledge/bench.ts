// npm run bench -- knowledge: measures the quality and the speed of searches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { startPostgres } from '@parlance/engines';
import { migrations } from '@parlance/knowledge';
import { createDatabase, migrate } from '@parlance/postgres';
import { startEmbeddingService } from './embedding-service.js';
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
    const embeddings = await startEmbeddingService();
    await benchQuality(db, [pythonFaq(), pinoManual()], embeddings.embedder).finally(embeddings.stop);
    await benchQuality(db, fiveLanguages(), undefined);
    await benchLatency(db, chunks);
  } finally {
    await db.end();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};
