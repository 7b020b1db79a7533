export { type Child, dyingWithParent, startChild } from './child-process.js';
export {
  findLiveKit,
  type LiveKitBinaries,
  type LiveKitProgram,
  type LiveKitServer,
  liveKitVersions,
  startLiveKitServer,
} from './livekit-server.js';
export { findMongod, type Mongod, type MongodOptions, startMongod } from './mongod.js';
export { type Nats, type NatsOptions, startNats } from './nats.js';
export { findNatsServer } from './nats-binary.js';
export { onPath } from './on-path.js';
export { freePort, reachable } from './ports.js';
export { type Postgres, type PostgresOptions, startPostgres } from './postgres.js';
export { endPreviousRun, recordedProcess, recordProcess } from './previous-run.js';
export { programVersion } from './program-version.js';
export { freePortOfBoth } from './udp-ports.js';
