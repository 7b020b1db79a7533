// The bare handler as a process of its own, as the platform is one: neither shares a core with what measures it.
import { startBareHandler } from './bare-handler.js';

const { BENCH_DATABASE_URL, BENCH_ORGANIZATION_ID } = process.env;
if (BENCH_DATABASE_URL === undefined || BENCH_ORGANIZATION_ID === undefined || process.send === undefined)
  throw new Error('started by the benchmark only');
const bare = await startBareHandler(BENCH_DATABASE_URL, BENCH_ORGANIZATION_ID);
process.send(bare.url);
process.once('disconnect', () => void bare.stop());
