// Free TCP ports on loopback, and a plain "does somebody listen there".
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { claimPort, isClaimed } from './port-claims.js';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

/** A program that was given one of these may not listen yet. A port that is free twice must not be given twice. */
const given = new Set<number>();

/**
 * Below the ports that systems give to outgoing connections (32,768 and up on Linux, 49,152 and up elsewhere). None of
 * those connections can take a port between its choice and the start of its program.
 */
const lowest = 10_000;
const highest = 20_000;
const mostTries = 1_000;

const anyPort = async (): Promise<number> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(lowest, highest);
    if (given.has(port)) continue;
    // Before the look, because another caller may look at the same moment.
    given.add(port);
    if (claimPort(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port on 127.0.0.1 between ${lowest} and ${highest}`);
};

/** True where nothing listens, and no other process has chosen the port. */
const isOurs = async (port: number): Promise<boolean> =>
  (await isFree(port)) && (isClaimed(port) || claimPort(port));

/**
 * The preferred port where nothing listens there and no other process has chosen it. Else a free one that this process has not given
 * away before.
 */
export const freePort = async (preferred?: number): Promise<number> => {
  const port = preferred !== undefined && (await isOurs(preferred)) ? preferred : await anyPort();
  given.add(port);
  return port;
};

/** Rejects unless something accepts a connection within two seconds. */
export const reachable = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const settle = (error?: Error): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.once('connect', () => settle());
    socket.once('timeout', () => settle(new Error('timeout')));
    socket.once('error', settle);
  });
