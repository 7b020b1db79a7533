export { type LedgerEntry, readLedger } from './ledger.js';
export { type LiveKitOptions, type RunningLiveKit, startLiveKit } from './server.js';
