// An MCP server with the misbehaviour that a client fears. It speaks Streamable HTTP by hand, because a library would
// refuse to misbehave. The first part of the path chooses the mode.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@parlance/fake-kit';
import { z } from 'zod';
import { type HostileMode, isHostileMode } from './modes.js';
import { dieMidAnswer, drip, failure, flood, type JsonRpcId, result, send, sendFromAfar } from './replies.js';
import {
  changingTools,
  hiddenInstructions,
  type ListedTool,
  plainTools,
  schemaBombs,
  tenThousandTools,
  unusableNames,
  withDeepSchema,
} from './tools.js';

export interface HostileServer {
  /** The address of the server in this mode. */
  url(mode: HostileMode): string;
  /** `host:port`. */
  readonly host: string;
  /** JSON-RPC methods that were asked for in this mode, in their order; "GET" and "DELETE" beside them. */
  asked(mode: HostileMode): readonly string[];
  /** Answers that this mode keeps open now. */
  open(mode: HostileMode): number;
  stop(): Promise<void>;
}

export interface HostileServerOptions {
  /** Where mode `redirect` leads. */
  readonly redirectTo?: string;
}

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
type Message = z.infer<typeof Message>;

const Initialize = z.looseObject({ protocolVersion: z.string() });
const Call = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

const fiftyMegabytes = 50 * 1_024 * 1_024;
const floodOfNotifications = 20_000;

interface Asked {
  readonly mode: HostileMode;
  readonly message: Message;
  readonly id: JsonRpcId;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sends an answer in the way of the mode. */
  readonly reply: (body: string, headers?: Record<string, string>) => void;
}

const content = (value: string): object => ({ content: [{ type: 'text', text: value }] });

const calledTool = ({ message, request }: Asked): object => {
  const call = Call.parse(message.params);
  if (call.name === 'headers') return content(JSON.stringify(request.headers));
  const { text: said } = call.arguments ?? {};
  return content(typeof said === 'string' ? said : '');
};

class Hostile {
  readonly #options: HostileServerOptions;
  readonly #sessions = new Set<string>();
  readonly #asked: { readonly mode: HostileMode; readonly method: string }[] = [];
  readonly #open = new Map<ServerResponse, HostileMode>();
  #looks = 0;

  constructor(options: HostileServerOptions) {
    this.#options = options;
  }

  asked(mode: HostileMode): readonly string[] {
    return this.#asked.flatMap((each) => (each.mode === mode ? [each.method] : []));
  }

  open(mode: HostileMode): number {
    return [...this.#open.values()].filter((each) => each === mode).length;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, mode = ''] = (request.url ?? '').split('/');
    if (!isHostileMode(mode)) return void response.writeHead(404).end();
    this.#open.set(response, mode);
    response.once('close', () => this.#open.delete(response));
    if (mode === 'redirect') {
      this.#asked.push({ mode, method: request.method ?? '' });
      return void response.writeHead(307, { location: this.#options.redirectTo ?? '/honest/mcp' }).end();
    }
    if (request.method !== 'POST') return this.#other(mode, request, response);
    const message = Message.safeParse(JSON.parse(await text(request)));
    if (!message.success) return void response.writeHead(400).end();
    this.#asked.push({ mode, method: message.data.method });
    if (mode === 'hang-on-connect') return;
    const { id } = message.data;
    if (id === undefined) return void response.writeHead(202).end();
    const way = mode === 'distant' ? sendFromAfar : send;
    const reply: Asked['reply'] = (body, headers) => way(response, body, headers);
    await this.#answer({ mode, message: message.data, id, request, response, reply });
  }

  #other(mode: HostileMode, request: IncomingMessage, response: ServerResponse): void {
    this.#asked.push({ mode, method: request.method ?? '' });
    if (request.method === 'DELETE') response.writeHead(204).end();
    else response.writeHead(405, { allow: 'POST, DELETE' }).end();
  }

  async #answer(asked: Asked): Promise<void> {
    const { mode, message, id, reply } = asked;
    if (mode === 'no-json') return reply('<html>good day</html>');
    if (mode === 'no-json-rpc') return reply(JSON.stringify(['good day']));
    switch (message.method) {
      case 'initialize':
        return this.#initialize(asked);
      case 'tools/list':
        return reply(withDeepSchema(result(id, this.#list(mode))));
      case 'tools/call':
        return this.#call(asked);
      case 'ping':
        return reply(result(id, {}));
      default:
        return reply(failure(id, -32_601, 'Method not found'));
    }
  }

  #initialize({ message, id, reply }: Asked): void {
    const session = randomUUID();
    this.#sessions.add(session);
    const answer = {
      protocolVersion: Initialize.parse(message.params).protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'hostile', version: '1.0.0' },
    };
    reply(result(id, answer), { 'mcp-session-id': session });
  }

  #list(mode: HostileMode): object {
    this.#looks += 1;
    if (mode === 'endless-pages') {
      const tools = [{ ...plainTools[0], name: `page_${this.#looks}` }];
      return { tools, nextCursor: String(this.#looks) };
    }
    return {
      tools: this.#tools(mode),
      ...(mode === 'huge-list' && { _meta: { x: 'x'.repeat(fiftyMegabytes) } }),
    };
  }

  #tools(mode: HostileMode): readonly ListedTool[] {
    switch (mode) {
      case 'changing-tools':
        return changingTools(this.#looks);
      case 'schema-bomb':
        return schemaBombs;
      case 'ten-thousand-tools':
        return tenThousandTools;
      case 'unusable-names':
        return unusableNames;
      case 'hidden-instructions':
        return hiddenInstructions;
      default:
        return plainTools;
    }
  }

  async #call(asked: Asked): Promise<void> {
    const { mode, id, request, response, reply } = asked;
    const answer = result(id, calledTool(asked));
    switch (mode) {
      case 'hang-on-call':
        return;
      case 'die-mid-answer':
        return dieMidAnswer(response, answer);
      case 'forgets-sessions': {
        if (!this.#sessions.delete(String(request.headers['mcp-session-id'])))
          return void response
            .writeHead(404, { 'content-type': 'application/json' })
            .end(failure(id, -32_001, 'Session not found'));
        return reply(answer);
      }
      case 'huge-answer':
        return reply(result(id, content('x'.repeat(fiftyMegabytes))));
      case 'wrong-ids':
        return reply(result(`not-${String(id)}`, calledTool(asked)));
      case 'slow-loris':
        return drip(response, answer);
      case 'notification-flood':
        return flood(response, floodOfNotifications, answer);
      case 'endless-stream':
        return flood(response, Number.POSITIVE_INFINITY, undefined);
      default:
        return reply(answer);
    }
  }
}

/** Listens on loopback. */
export const startHostileServer = async (options: HostileServerOptions = {}): Promise<HostileServer> => {
  const hostile = new Hostile(options);
  const listening = await listen((request, response) => {
    // An unreadable request gets the answer of a broken server.
    hostile.handle(request, response).catch(() => response.writeHead(500).end());
  }, {});
  return {
    url: (mode) => `${listening.url}/${mode}/mcp`,
    host: `127.0.0.1:${listening.port}`,
    asked: (mode) => hostile.asked(mode),
    open: (mode) => hostile.open(mode),
    stop: () => listening.stop(),
  };
};
