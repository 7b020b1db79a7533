// One NATS connection per process part: reconnects for ever, never at the same moment as everybody else.
import type { Logger } from '@parlance/observability';
import { connect, Events, type NatsConnection } from 'nats';

export interface ConnectOptions {
  readonly url: string;
  /** Shown by the server's monitoring. */
  readonly name: string;
  readonly logger?: Logger;
}

const watch = async (connection: NatsConnection, logger: Logger): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) logger.warn('nats is disconnected');
    if (status.type === Events.Reconnect) logger.info('nats is connected again');
  }
};

/** Servers and credentials of a URL such as nats://token@host:4222 or nats://user:password@host. */
const credentials = (text: string) => {
  const url = new URL(text);
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const servers = `${url.protocol}//${url.host}`;
  if (user === '') return { servers };
  return pass === '' ? { servers, token: user } : { servers, user, pass };
};

/** Resolves when connected; waits for a server that is not up yet. */
export const connectNats = async ({ url, name, logger }: ConnectOptions): Promise<NatsConnection> => {
  const connection = await connect({
    ...credentials(url),
    name,
    timeout: 2_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  if (logger) void watch(connection, logger);
  return connection;
};

/** Follows whether the connection is up, so that a request can fail at once instead of waiting in a buffer. */
export const connectionState = (connection: NatsConnection): { readonly up: () => boolean } => {
  let up = true;
  const follow = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) up = false;
      if (status.type === Events.Reconnect) up = true;
    }
  };
  void follow();
  return { up: () => up && !connection.isClosed() && !connection.isDraining() };
};
