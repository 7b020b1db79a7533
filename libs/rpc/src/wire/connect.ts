// The connection to NATS: it reconnects for ever, and never at the same moment as all other processes.
import { inboxesOf, isServiceUser, sharedInboxes } from '@parlance/messaging';
import type { Logger } from '@parlance/observability';
import { type ConnectionOptions, connect, createInbox, Events, type NatsConnection } from 'nats';
import { Publisher } from './publisher.js';

export interface ConnectOptions {
  /**
   * Such as nats://host:4222, nats://token@host:4222 or nats://user:password@host; several separated by commas. With tls:// or
   * ?tlsCAFile=/path the connection is encrypted, or fails.
   */
  readonly url: string;
  /** Shown by the server's monitoring. */
  readonly name: string;
  readonly logger?: Logger;
  /** False: an attempt that no server answers fails at once. */
  readonly waitsForServer?: boolean;
}

/** The client takes servers and credentials apart; the first URL's credentials count for all. */
const serversAndCredentials = (text: string): ConnectionOptions => {
  const urls = text.split(',').map((part) => new URL(part.trim()));
  const servers = urls.map((url) => url.host);
  const caFile = urls.map(({ searchParams }) => searchParams.get('tlsCAFile')).find((file) => file !== null);
  const isEncrypted = caFile !== undefined || urls.some(({ protocol }) => protocol === 'tls:');
  // The file is read at each connection, so a renewed authority needs no restart.
  const tls = isEncrypted ? { tls: caFile == null ? {} : { caFile } } : {};
  const user = decodeURIComponent(urls[0]?.username ?? '');
  const pass = decodeURIComponent(urls[0]?.password ?? '');
  if (user === '') return { servers, ...tls };
  return pass === '' ? { servers, ...tls, token: user } : { servers, ...tls, user, pass };
};

/** The user of a service may listen to its own inboxes alone. Another user is the operator's, for all services at once. */
const inboxPrefixOf = ({ user }: Pick<ConnectionOptions, 'user'>): string =>
  user !== undefined && isServiceUser(user) ? inboxesOf(user) : sharedInboxes;

const logChanges = async (connection: NatsConnection, logger: Logger): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) logger.warn('nats is disconnected');
    if (status.type === Events.Reconnect) logger.info('nats is connected again');
    if (status.type === Events.Error) logger.warn({ reason: status.data }, 'nats refuses something');
  }
};

const inboxes = new WeakMap<NatsConnection, string>();

const publishers = new WeakMap<NatsConnection, Publisher>();

/** Shared by all that publish requests and replies on a connection of `connectNats`; any other connection sends them at once. */
export const publisherOf = (connection: NatsConnection): Publisher =>
  publishers.get(connection) ?? new Publisher(connection, { collects: false });

/** A new subject on which this connection hears answers, in one part of its inboxes. */
export const newInbox = (connection: NatsConnection, part: string): string =>
  createInbox(`${inboxes.get(connection) ?? sharedInboxes}.${part}`);

/** Resolves when connected; waits for a server that is not up yet, unless told otherwise. */
export const connectNats = async ({
  url,
  name,
  logger,
  waitsForServer = true,
}: ConnectOptions): Promise<NatsConnection> => {
  const credentials = serversAndCredentials(url);
  const inboxPrefix = inboxPrefixOf(credentials);
  const connection = await connect({
    ...credentials,
    inboxPrefix,
    name,
    timeout: 2_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: waitsForServer,
    // a broker restarted with its credentials still loading must not end a client for good
    ignoreAuthErrorAbort: true,
    // a dead link without a reset is noticed within 15 seconds
    pingInterval: 5_000,
    maxPingOut: 2,
    // a stack trace per request costs more than the request
    noAsyncTraces: true,
  });
  inboxes.set(connection, inboxPrefix);
  publishers.set(connection, new Publisher(connection, { collects: true }));
  if (logger !== undefined) void logChanges(connection, logger);
  return connection;
};

export interface ConnectionState {
  readonly up: () => boolean;
}

/** Follows whether the connection is up, so that no request fills its buffer while it is down. */
export const connectionState = (
  connection: NatsConnection,
  onChange: () => void = () => undefined,
): ConnectionState => {
  let connected = true;
  const follow = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) connected = false;
      if (type === Events.Reconnect) connected = true;
      if (type === Events.Disconnect || type === Events.Reconnect) onChange();
    }
  };
  void follow();
  return { up: () => connected && !connection.isClosed() && !connection.isDraining() };
};
