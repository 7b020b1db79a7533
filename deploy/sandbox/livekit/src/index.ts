// The calls in the ledger, for those who audit calls only.
export { type CallEntry as LedgerEntry, readCalls as readLedger } from '@parlance/sandbox-kit';
export { createLiveKitFaults, type LiveKitFaults } from './faults.js';
export { type LiveKitOptions, type RunningLiveKit, startLiveKit } from './server.js';
