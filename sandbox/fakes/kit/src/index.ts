export { bearerGuard, sameSecret } from './bearer.js';
export { DurableMap } from './durable-map.js';
export { applyFaultSetting, type FaultControl, startFaultControl } from './fault-control.js';
export { type FaultAnswers, withFaults } from './fault-middleware.js';
export {
  type Fault,
  type FaultMode,
  type FaultSetting,
  FaultSwitches,
  type FaultTarget,
  faultModes,
  type SwitchBoard,
} from './fault-switches.js';
export { type Listening, listen } from './http-listener.js';
export {
  type CallEntry,
  Ledger,
  type LedgerEntry,
  type LookupEntry,
  type NumberEntry,
  type OwnedFacts,
  readCalls,
  readLedger,
  settleNumbers,
} from './ledger.js';
export { type StandInProcess, serveProcess } from './serve-process.js';
