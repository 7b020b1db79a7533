// MongoDB for one service: majority writes, short limits, and failures that callers can act on.
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import {
  type Db,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { isSocketBroken } from './socket-errors.js';
import './mongo-connections.js';

export interface MongoOptions {
  readonly url: Secret;
  readonly appName: string;
  readonly database: string;
  /** Connections at most; 10 unless given. */
  readonly maxPoolSize?: number;
}

export interface Mongo {
  /** The database; every use of it is wrapped in `mongoGuard`. */
  readonly db: Db;
  /** @throws AppError SERVICE_UNAVAILABLE */
  ping(): Promise<void>;
  /** Such as `8.0.23`. @throws AppError SERVICE_UNAVAILABLE */
  serverVersion(): Promise<string | undefined>;
  close(): Promise<void>;
}

const limitMs = 2_000;
const statementLimitMs = 5_000;
const reconnectMs = 250;

// Host unreachable, network timeout, shutting down, stepping down, no primary, not enough nodes for the write concern.
// 43 and 237: a cursor that went with the server that had it.
const unavailableCodes = new Set([
  6, 7, 43, 89, 91, 100, 189, 237, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);
const tooSlowCodes = new Set([50, 64]);
// A full pool or a closing one; the driver does not export these classes.
const unavailableNames = /^Mongo(?:WaitQueueTimeout|PoolClosed|PoolCleared|ClientClosed|ConnectionPool)/;

const isUnavailable = (error: MongoError): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoServerSelectionError ||
  error instanceof MongoNotConnectedError ||
  error instanceof MongoTopologyClosedError ||
  unavailableNames.test(error.name) ||
  (error instanceof MongoServerError && unavailableCodes.has(Number(error.code)));

const translate = (error: unknown): unknown => {
  // The driver passes some errors of sockets on as they are.
  if (isSocketBroken(error) || (error instanceof MongoError && isUnavailable(error)))
    return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 1 });
  if (!(error instanceof MongoError)) return error;
  const tooSlow =
    error instanceof MongoOperationTimeoutError ||
    (error instanceof MongoServerError && tooSlowCodes.has(Number(error.code)));
  return tooSlow ? new AppError('UPSTREAM_TIMEOUT', { cause: error, retryAfterSeconds: 1 }) : error;
};

/**
 * Runs work on MongoDB.
 * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT where MongoDB is away or slow; else the driver's error
 */
export const mongoGuard = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
};

/**
 * A client that has been connected once finds its way back by itself. A client that fails at its first try does not: the
 * driver closes its topology, and every operation on it fails until the client connects again.
 * @returns ends it
 */
const reconnectAfterFailure = (client: MongoClient): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const onClosed = (): void => {
    // A failure closes again, and so comes back here.
    timer = setTimeout(() => void client.connect().catch(() => undefined), reconnectMs).unref();
  };
  client.on('topologyClosed', onClosed);
  return () => {
    client.off('topologyClosed', onClosed);
    clearTimeout(timer);
  };
};

/** Connects on first use, and again by itself whenever MongoDB comes back, also if it was away at first. */
export const connectMongo = ({ url, appName, database, maxPoolSize = 10 }: MongoOptions): Mongo => {
  const client = new MongoClient(url.reveal(), {
    appName,
    maxPoolSize,
    serverSelectionTimeoutMS: limitMs,
    connectTimeoutMS: limitMs,
    waitQueueTimeoutMS: limitMs,
    socketTimeoutMS: statementLimitMs,
    writeConcern: { w: 'majority', wtimeoutMS: statementLimitMs },
    readConcern: { level: 'majority' },
  });
  const endReconnecting = reconnectAfterFailure(client);
  const db = client.db(database);
  return {
    db,
    ping: () =>
      mongoGuard(async () => {
        await db.command({ ping: 1 });
      }),
    serverVersion: () =>
      mongoGuard(async () => {
        const { version } = await db.command({ buildInfo: 1 });
        return typeof version === 'string' ? version : undefined;
      }),
    close: async () => {
      endReconnecting();
      await client.close();
    },
  };
};
