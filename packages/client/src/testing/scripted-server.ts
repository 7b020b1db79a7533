// A server that answers by the script of a test, and remembers the requests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
  /** The connection breaks after the body, or in place of any answer where there is none. */
  readonly breaks?: true;
}

const nothingSpecial: Reply = { body: { success: true, message: 'ok', data: null } };

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const give = (response: ServerResponse, { status = 200, headers, body, breaks }: Reply): void => {
  if (body === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'x-request-id': 'req-1', ...headers });
  if (breaks) response.write(textOf(body), () => response.destroy());
  else response.end(textOf(body));
};

export class ScriptedServer {
  readonly seen: Seen[] = [];
  /** Used up from the first; a request beyond the last gets an empty success. */
  readonly replies: Reply[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      this.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      give(response, this.replies.shift() ?? nothingSpecial);
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseUrl(): string {
    // A server that listens on a port has an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v1`;
  }

  reset(): void {
    this.seen.length = 0;
    this.replies.length = 0;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
