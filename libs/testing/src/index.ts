// Real infrastructure for tests: one Postgres for a run, everything else per test file.

export { natsUrlOf } from '@parlance/sandbox-engines';
export { callerEnvOf, callerVariables } from './caller-keys.js';
export { type TestEngines, type TestEnginesOptions, testEngines } from './engines.js';
export { eventually } from './eventually.js';
export { type Gate, gate } from './gate.js';
export { type OpenSocket, openSockets, showsSockets } from './open-sockets.js';
export { programOf } from './programs.js';
export { type Asked, type ServedOperation, serveOperation } from './serve-operation.js';
export { serveStream } from './serve-stream.js';
export { stormSize } from './storm-size.js';
export { tellRemoval } from './tell-removal.js';
export { totpOf, totpOfUri } from './totp.js';
