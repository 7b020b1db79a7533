// A real nats-server with JetStream on loopback.
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { administrator, authorizationBlock } from '@parlance/messaging';
import { connect } from 'nats';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { findNatsServer } from './nats-binary.js';
import { freePort } from './ports.js';

/** Larger than the largest request body that the gateway lets through (a finished call with its transcript). */
const maxPayloadBytes = 8 * 1024 * 1024;

export interface NatsOptions {
  readonly dataDir: string;
  readonly logFile: string;
  /** Where a fetched binary is kept. */
  readonly cacheDir: string;
  readonly port?: number;
  /** Password of the administrator; those of the services are made from it. */
  readonly token: string;
  /** Room for streams on the disk, in bytes; 8 GB unless given. */
  readonly maxFileBytes?: number;
  /** Files of a certificate and its key, in PEM. With them the server takes encrypted connections alone. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Of the server's own HTTP interface on loopback; there is none unless given. */
  readonly monitoringPort?: number;
}

export interface Nats extends Child {
  readonly port: number;
  /** The administrator's. */
  readonly url: string;
  readonly binary: string;
}

const passwordOf = (token: string, user: string): string =>
  user === administrator ? token : createHmac('sha256', token).update(user).digest('base64url');

/** The URL of a service's own user, from that of the administrator of a server that `startNats` started. */
export const natsUrlOf = (administratorUrl: string, service: string): string => {
  const url = new URL(administratorUrl);
  url.password = passwordOf(decodeURIComponent(url.password), service);
  url.username = service;
  return url.href;
};

/** The requests that the server refused to its users, one line each. */
export const natsRefusals = (logFile: string): readonly string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(' Violation - '));

const configuration = (
  port: number,
  storeDir: string,
  { token, maxFileBytes = 8 * 1024 ** 3, monitoringPort, tls }: NatsOptions,
): string =>
  [
    `listen: 127.0.0.1:${port}`,
    ...(monitoringPort === undefined ? [] : [`http: 127.0.0.1:${monitoringPort}`]),
    `max_payload: ${maxPayloadBytes}`,
    'write_deadline: "10s"',
    ...(tls === undefined
      ? []
      : [`tls { cert_file: ${JSON.stringify(tls.certFile)}, key_file: ${JSON.stringify(tls.keyFile)} }`]),
    authorizationBlock((user) => JSON.stringify(passwordOf(token, user))),
    `jetstream { store_dir: ${JSON.stringify(storeDir)}, max_mem: 64MB, max_file: ${maxFileBytes} }`,
    '',
  ].join('\n');

/** Starts nats-server and resolves when it takes connections. JetStream data outlives the process. */
export const startNats = async (options: NatsOptions): Promise<Nats> => {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const binary = findNatsServer(options.cacheDir);
  const port = await freePort(options.port);
  const config = join(dataDir, 'nats.conf');
  writeFileSync(config, configuration(port, join(dataDir, 'jetstream'), options), { mode: 0o600 });
  const url = `nats://${administrator}:${encodeURIComponent(options.token)}@127.0.0.1:${port}`;
  const child = await startChild({
    name: 'nats-server',
    command: dyingWithParent([binary, '-c', config], 'TERM'),
    logFile: options.logFile,
    pidFile: `${dataDir}.pid`,
    stopSignal: 'SIGTERM',
    probe: async () => {
      const connection = await connect({
        servers: `127.0.0.1:${port}`,
        user: administrator,
        pass: options.token,
        timeout: 2_000,
        reconnect: false,
        // The probe asks whether it answers, and trusts whatever certificate it shows.
        ...(options.tls === undefined ? {} : { tls: { caFile: options.tls.certFile } }),
      });
      await connection.close();
    },
  });
  return { ...child, port, url, binary };
};
