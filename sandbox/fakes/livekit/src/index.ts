// The calls in the ledger, for audits of calls alone.
export { type CallEntry as LedgerEntry, readCalls as readLedger } from '@parlance/fake-kit';
// The parts of a voice runtime that do not depend on the media server, for the runtime that joins a real one.
export { type Abilities, abilitiesOf } from './abilities.js';
export { configurationOf, contextOf, factsOf, variablesOf } from './call-context.js';
export { analysis, type Line, type RuntimeConfiguration, type Turn } from './conversation.js';
export { questionsFor } from './errands.js';
export { createLiveKitFaults, type LiveKitFaults } from './faults.js';
export { type FinishedCall, finishedCall } from './finished-call.js';
export { type PlatformAddress, PlatformClient } from './platform-client.js';
export { Progress } from './progress.js';
export { Recorder } from './recorder.js';
export { fillVariables, scriptFor } from './scripts.js';
export { type LiveKitOptions, type RunningLiveKit, startLiveKit } from './server.js';
export { startTextRuntime, type TextRuntimeOptions } from './text-runtime.js';
export { twirpFaults } from './twirp-faults.js';
