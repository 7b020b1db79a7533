export { type Child, dyingWithParent, startChild } from './child-process.js';
export {
  type EventStored,
  type EventStoredOptions,
  findEventStored,
  startEventStored,
} from './eventstored.js';
export { type FerretDb, type FerretDbOptions, findFerretDb, startFerretDb } from './ferretdb.js';
export {
  findLiveKit,
  findLiveKitRooms,
  type LiveKitBinaries,
  type LiveKitProgram,
  type LiveKitRooms,
  type LiveKitServer,
  liveKitVersions,
  startLiveKitRooms,
  startLiveKitServer,
} from './livekit-server.js';
export { findMongod, type Mongod, type MongodOptions, startMongod } from './mongod.js';
export { type Nats, type NatsOptions, natsRefusals, natsUrlOf, startNats } from './nats.js';
export { findInstalledNatsServer, findNatsServer } from './nats-binary.js';
export { onPath } from './on-path.js';
export { freePort, reachable } from './ports.js';
export {
  findPostgres,
  type Postgres,
  type PostgresBinaries,
  type PostgresOptions,
  startPostgres,
} from './postgres.js';
export { endPreviousRun, recordedProcess, recordProcess } from './previous-run.js';
export { programVersion } from './program-version.js';
export {
  findS3Server,
  type S3Binary,
  type S3Server,
  type S3ServerOptions,
  startS3Server,
} from './s3-server.js';
export { freePortOfBoth } from './udp-ports.js';
