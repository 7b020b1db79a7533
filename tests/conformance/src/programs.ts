// Real engines as programs that are installed on this machine, each started on loopback in a folder of its own.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  findEventStored,
  findFerretDb,
  findInstalledNatsServer,
  findMongod,
  findPostgres,
  findS3Server,
  freePort,
  programVersion,
  startEventStored,
  startFerretDb,
  startMongod,
  startPostgres,
  startS3Server,
} from '@parlance/engines';
import { ferretDbLimits, versityLimits } from './limits.js';
import type { Server, Started } from './real-engine.js';

const secret = (): string => randomBytes(24).toString('hex');
const placeIn = (directory: string) => ({
  dataDir: join(directory, 'data'),
  logFile: join(directory, 'server.log'),
});

export const eventStored = async (): Promise<Server | undefined> => {
  const binary = findEventStored();
  if (binary === undefined) return undefined;
  return {
    name: 'eventstored',
    version: await programVersion(binary),
    start: async (directory) => {
      const { connectionString, stop } = await startEventStored({ ...placeIn(directory), binary });
      return { variables: { CONFORMANCE_EVENTSTORE_URL: connectionString }, stop };
    },
  };
};

export const natsServer = async (): Promise<Server | undefined> => {
  const binary = findInstalledNatsServer();
  if (binary === undefined) return undefined;
  return {
    name: 'nats-server',
    version: await programVersion(binary),
    // The suite kills its server and starts it again, so it runs one of its own.
    start: async () => ({ variables: { NATS_SERVER_BIN: binary }, stop: async () => undefined }),
  };
};

export const postgresServer = async (): Promise<Server | undefined> => {
  const binaries = findPostgres();
  if (binaries === undefined) return undefined;
  return {
    name: 'postgres',
    version: await programVersion(binaries.postgres),
    start: async (directory) => {
      const place = { ...placeIn(directory), password: secret(), durable: false };
      const { adminUrl, stop } = await startPostgres({ ...place, binaries });
      return {
        // The program besides its URL: one of its tests kills a server of its own.
        variables: {
          CONFORMANCE_POSTGRES_URL: adminUrl,
          CONFORMANCE_POSTGRES_PROGRAM: binaries.postgres,
        },
        stop,
      };
    },
  };
};

export const mongod = async (): Promise<Server | undefined> => {
  const binary = findMongod();
  if (binary === undefined) return undefined;
  return {
    name: 'mongod',
    version: await programVersion(binary),
    start: async (directory) => {
      const { url, stop } = await startMongod({ ...placeIn(directory), binary, port: await freePort() });
      return { variables: { CONFORMANCE_MONGODB_URL: url }, stop };
    },
  };
};

const ferretDbOn = (
  start: (directory: string, binary: string) => Promise<Started>,
): (() => Promise<Server | undefined>) => {
  return async () => {
    const binary = findFerretDb();
    if (binary === undefined) return undefined;
    return {
      name: 'ferretdb',
      version: await programVersion(binary),
      limits: ferretDbLimits,
      start: (directory) => start(directory, binary),
    };
  };
};

export const ferretDbOnSqlite = ferretDbOn(async (directory, binary) => {
  const { url, stop } = await startFerretDb({ ...placeIn(directory), binary });
  return { variables: { CONFORMANCE_MONGODB_URL: url }, stop };
});

export const ferretDbOnPostgres = ferretDbOn(async (directory, binary) => {
  const postgres = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: secret(),
    durable: false,
  });
  try {
    const ferretDb = await startFerretDb({
      ...placeIn(directory),
      binary,
      postgresUrl: postgres.adminUrl,
    });
    const stop = async (): Promise<void> => {
      await ferretDb.stop();
      await postgres.stop();
    };
    return { variables: { CONFORMANCE_MONGODB_URL: ferretDb.url }, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
});

export const s3Server = async (): Promise<Server | undefined> => {
  const binary = findS3Server();
  if (binary === undefined) return undefined;
  return {
    name: binary.program,
    version: await programVersion(binary.path),
    limits: binary.program === 'versitygw' ? versityLimits : [],
    start: async (directory) => {
      const keys = { accessKeyId: 'conformance', secretAccessKey: secret() };
      const { url, stop } = await startS3Server({ ...placeIn(directory), ...keys, binary });
      return {
        variables: {
          CONFORMANCE_S3_URL: url,
          CONFORMANCE_S3_ACCESS_KEY_ID: keys.accessKeyId,
          CONFORMANCE_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
        },
        stop,
      };
    },
  };
};
