// The calls in the ledger, for audits of calls alone.
export { type CallEntry as LedgerEntry, readCalls as readLedger } from '@parlance/fake-kit';
export { createLiveKitFaults, type LiveKitFaults } from './faults.js';
export { type LiveKitOptions, type RunningLiveKit, startLiveKit } from './server.js';
export { startTextRuntime, type TextRuntimeOptions } from './text-runtime.js';
export { twirpFaults } from './twirp-faults.js';
