// The counterpart of a Kubernetes Service on one machine: the copies in it get new connections in turn. An open
// connection stays with its copy, also when the copy has left.
import { once } from 'node:events';
import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { buildConnector } from 'undici';

const host = '127.0.0.1';
const direct = buildConnector({});

export class Front {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targets: readonly number[] = [];
  #turn = 0;
  #refused = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** Resolves when it listens on loopback. */
  static async listen(port: number): Promise<Front> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const front = new Front(server);
    server.listen(port, host);
    await once(server, 'listening');
    return front;
  }

  /** Connections that no copy took. */
  get refused(): number {
    return this.#refused;
  }

  /** The copy that listens on this port gets new connections from now on. */
  add(port: number): void {
    this.#targets = [...this.#targets, port];
  }

  /** The copy gets no new connections; those that are open go on. */
  remove(port: number): void {
    this.#targets = this.#targets.filter((target) => target !== port);
  }

  /**
   * Connects a client of this process with a copy itself. A Service chooses a copy for a new connection, and is no hop on the way. This
   * saves the processor time of a hop.
   */
  readonly connect: buildConnector.connector = (options, callback) => {
    const target = this.#next();
    if (target === undefined) return callback(new Error('no copy takes connections'), null);
    direct({ ...options, port: String(target) }, callback);
  };

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #next(): number | undefined {
    const target = this.#targets[this.#turn % Math.max(1, this.#targets.length)];
    this.#turn += 1;
    if (target === undefined) this.#refused += 1;
    return target;
  }

  #accept(client: Socket): void {
    const target = this.#next();
    if (target === undefined) {
      client.destroy();
      return;
    }
    const copy = open({ port: target, host, allowHalfOpen: true, noDelay: true });
    for (const [one, other] of [
      [client, copy],
      [copy, client],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.once('error', () => other.destroy());
      one.once('close', () => this.#sockets.delete(one));
    }
    copy.once('error', () => {
      if (copy.remoteAddress === undefined) this.#refused += 1;
    });
  }
}
