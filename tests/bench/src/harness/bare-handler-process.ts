// The bare handler as a process of its own, like the platform: neither shares a core with the measuring process.
import { startBareHandler } from './bare-handler.js';

const { BENCH_DATABASE_URL, BENCH_ORGANIZATION_ID } = process.env;
if (BENCH_DATABASE_URL === undefined || BENCH_ORGANIZATION_ID === undefined || process.send === undefined)
  throw new Error('started by the benchmark only');
const bare = await startBareHandler(BENCH_DATABASE_URL, BENCH_ORGANIZATION_ID);
process.send(bare.url);
process.once('disconnect', () => void bare.stop());
