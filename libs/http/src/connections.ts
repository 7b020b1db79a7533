// The connections of a server: their answers that are not out yet, and the connections that keep a closing server for nothing.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { arrivalLimitMs } from '@parlance/contracts';

/**
 * The time for which clients are told to reuse an idle connection (RFC 9112, section 9.3). Clients that honour it let
 * go of a connection before a draining server closes it; balancers keep their own time. Shorter than
 * the drain delay in production, because a request that meets the closing of its connection fails.
 */
const reuseSeconds = 4;

/** A client that has just connected sends its request within this time. */
const newMs = 1_000;
/** A client that takes nothing of its answer for this time has gone, as far as a closing server cares. */
const stalledMs = 20_000;

interface Connection {
  readonly openedAt: number;
  /** The request that is being answered. */
  request: IncomingMessage | undefined;
  /** The bytes that the client had taken at the last look, and the time at which that number was new. */
  taken: number;
  takenAt: number;
}

/** Bytes that wait in this process count as written too, so they are taken off. */
const takenOf = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;

/** Knows the answers that are not out yet, so that they can still say that the connection ends with them. */
export class Connections {
  readonly #inFlight = new Set<ServerResponse>();
  readonly #open = new Map<Socket, Connection>();
  #isDraining = false;
  #closingSince: number | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const now = performance.now();
      this.#open.set(socket, { openedAt: now, request: undefined, taken: 0, takenAt: now });
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  follow(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection !== undefined) {
      connection.request = request;
      response.once('close', () => {
        connection.request = undefined;
      });
    }
    if (this.#isDraining) {
      response.setHeader('Connection', 'close');
      return;
    }
    response.setHeader('Keep-Alive', `timeout=${reuseSeconds}`);
    this.#inFlight.add(response);
    response.once('close', () => this.#inFlight.delete(response));
  }

  drain(): void {
    this.#isDraining = true;
    for (const response of this.#inFlight) {
      if (response.headersSent) continue;
      response.removeHeader('Keep-Alive');
      response.setHeader('Connection', 'close');
    }
    this.#inFlight.clear();
  }

  /**
   * Closes connections that no request needs. Browsers and proxies open some ahead of requests, which Node counts as busy.
   * A closing server of Node's also heeds no time limit of its own any more, for requests that never arrive whole.
   */
  closeUseless(): void {
    const now = performance.now();
    this.#closingSince ??= now;
    for (const [socket, connection] of this.#open) {
      const isUnused = socket.bytesRead === 0 && now - connection.openedAt > newMs;
      const isOverdue = connection.request?.complete !== true && now - this.#closingSince > arrivalLimitMs;
      if (isUnused || isOverdue || this.#isStalled(socket, connection, now)) socket.destroy();
    }
  }

  #isStalled(socket: Socket, connection: Connection, now: number): boolean {
    const taken = takenOf(socket);
    if (socket.writableLength === 0 || taken !== connection.taken) {
      connection.taken = taken;
      connection.takenAt = now;
      return false;
    }
    return now - connection.takenAt > stalledMs;
  }
}
