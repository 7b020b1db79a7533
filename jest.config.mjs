import { availableParallelism, totalmem } from 'node:os';
import { sourceCondition, swcOptions } from './scripts/lib/typescript/options.mjs';

// Tests run from TypeScript source: the `parlance-source` export condition of every workspace points at src/,
// so no build is needed and a stack trace names the line that was written.
const swc = { ...swcOptions, sourceMaps: 'inline' };

// Integration and end-to-end tests wait for leases, retries and processes for half of their time. A fourth worker for two cores
// gains little, and what waits for a page or a projection comes closer to its limits. Jest takes '150%' for 150 workers, hence a
// number.
const workersByCores = Math.ceil(availableParallelism() * 1.5);
/** A worker, and its share of the platforms and browsers that run at the same time. */
const bytesOfWorker = 2 * 1024 ** 3;
const workersByMemory = Math.floor(totalmem() / bytesOfWorker);

const base = {
  testEnvironment: '<rootDir>/tests/fixtures/jest/environment.mjs',
  runtime: '<rootDir>/tests/fixtures/jest/runtime.mjs',
  testEnvironmentOptions: { customExportConditions: [sourceCondition, 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.parlance/'],
};

export default {
  // A limit for what hangs, not a measure of speed: password hashing alone takes seconds on a busy machine.
  testTimeout: 120_000,
  maxWorkers: Math.max(1, Math.min(workersByCores, workersByMemory)),
  // Memory of finished test files is not freed: a worker with a large heap is slow at each later file.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tests/fixtures/jest/order.mjs',
  projects: [
    // Pure tests: no I/O, no engines.
    {
      ...base,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$'],
    },
    // Against real engines or the wire-level stand-ins, one database, stream prefix and subject space per file.
    {
      ...base,
      displayName: 'int',
      testMatch: ['**/*.int.spec.ts'],
      globalSetup: '<rootDir>/tests/fixtures/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/tests/fixtures/jest/global-teardown.mjs',
    },
    // The whole platform, as `npm start` runs it.
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['**/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/tests/e2e/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/tests/e2e/jest/global-teardown.mjs',
    },
  ],
};
