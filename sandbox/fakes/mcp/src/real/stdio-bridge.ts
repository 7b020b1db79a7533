// Serves an MCP server that only speaks stdio over both HTTP transports. Every session has a child process of its own,
// as the server's author meant it, and messages pass unread.
import { randomUUID } from 'node:crypto';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Listening, listen } from '@parlance/fake-kit';
import express, { type Response } from 'express';

export interface StdioProgram {
  /** The path of a JavaScript program that speaks MCP on its standard streams. */
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Bridge {
  /** Streamable HTTP. */
  readonly url: string;
  /** The older transport, HTTP with server-sent events. */
  readonly sseUrl: string;
  /** Process ids of the children that run now. */
  children(): readonly number[];
  /** Ends every session and its child. */
  stop(): Promise<void>;
}

interface Session {
  readonly outside: Transport;
  readonly child: StdioClientTransport;
  readonly onEnd: () => void;
}

const refuse = (response: Response, status: number, message: string): void =>
  void response.status(status).json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });

class Sessions {
  readonly #program: StdioProgram;
  readonly #open = new Set<Session>();
  readonly #ending = new Map<Session, Promise<void>>();

  constructor(program: StdioProgram) {
    this.#program = program;
  }

  /** Starts a child for a client, and ends it when the client leaves. A child's death ends the client's session. */
  async open(outside: Transport, onEnd: () => void): Promise<void> {
    const { path, args = [], env = {} } = this.#program;
    const child = new StdioClientTransport({
      command: process.execPath,
      args: [path, ...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
    });
    const session = { outside, child, onEnd };
    this.#open.add(session);
    outside.onmessage = (message) => void child.send(message).catch(() => outside.close());
    // A client may leave between a question and its answer.
    child.onmessage = (message) => void outside.send(message).catch(() => undefined);
    outside.onclose = () => void this.#end(session);
    child.onclose = () => void this.#end(session);
    await child.start();
    await outside.start();
  }

  children(): readonly number[] {
    return [...this.#open].flatMap(({ child }) => (child.pid === null ? [] : [child.pid]));
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#open].map((session) => this.#end(session)));
  }

  /** Both sides report their end, but a session ends once; the second caller waits for the same end. */
  #end(session: Session): Promise<void> {
    const known = this.#ending.get(session);
    if (known !== undefined) return known;
    const { outside, child, onEnd } = session;
    const end = async (): Promise<void> => {
      onEnd();
      await Promise.all([child.close(), outside.close()]);
      this.#open.delete(session);
      this.#ending.delete(session);
    };
    // A side tells of its end while it is being closed: by then the session must be known to end.
    const ending = Promise.resolve().then(end);
    this.#ending.set(session, ending);
    return ending;
  }
}

/** Starts to serve; children begin with their sessions. */
export const bridgeStdio = async (program: StdioProgram): Promise<Bridge> => {
  const sessions = new Sessions(program);
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const older = new Map<string, SSEServerTransport>();
  const app = express();

  app.all('/mcp', async (request, response) => {
    const id = request.get('mcp-session-id');
    if (id !== undefined) {
      const known = streamable.get(id);
      if (known === undefined) refuse(response, 404, 'Session not found');
      else await known.handleRequest(request, response);
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void streamable.set(made, transport),
    });
    await sessions.open(transport, () => streamable.delete(transport.sessionId ?? ''));
    await transport.handleRequest(request, response);
    // Only an initialization makes a session; without one nothing would ever end this child.
    if (transport.sessionId === undefined) await transport.close();
  });

  app
    .route('/sse')
    .get(async (_request, response) => {
      const transport = new SSEServerTransport('/messages', response);
      older.set(transport.sessionId, transport);
      await sessions.open(transport, () => older.delete(transport.sessionId));
    })
    .all((_request, response) => void response.set('allow', 'GET').status(405).end());
  app.post('/messages', async (request, response) => {
    const { sessionId } = request.query;
    const transport = typeof sessionId === 'string' ? older.get(sessionId) : undefined;
    if (transport === undefined) refuse(response, 404, 'Session not found');
    else await transport.handlePostMessage(request, response);
  });

  const listening: Listening = await listen(app, {});
  return {
    url: `${listening.url}/mcp`,
    sseUrl: `${listening.url}/sse`,
    children: () => sessions.children(),
    stop: async () => {
      await sessions.endAll();
      await listening.stop();
    },
  };
};
