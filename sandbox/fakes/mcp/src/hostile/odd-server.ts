// An MCP server whose answers are whatever a test says, odd shapes included. It speaks Streamable HTTP by hand, because the
// official library would not send them.
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@parlance/fake-kit';
import { z } from 'zod';
import { failure, send, sendStream } from './replies.js';

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
export type OddMessage = z.infer<typeof Message>;

type Answer = (message: OddMessage, headers: IncomingHttpHeaders) => unknown;

const handshake: Answer = ({ params }) => ({
  protocolVersion: params?.protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
});

export class OddServer {
  /** The result of `initialize`. */
  handshake = handshake;
  /** The result of `tools/list`. */
  list: Answer = () => ({ tools: [] });
  /** The result of `tools/call`. */
  result: Answer = () => ({ content: [] });
  /** The whole message with a result. */
  envelope: (id: string | number, result: unknown) => unknown = (id, result) => ({
    jsonrpc: '2.0',
    id,
    result,
  });
  /** The text of a message on its way out. */
  rewrite = (body: string): string => body;
  /** Answers as a stream of events. */
  streams = false;
  /** The methods that were asked for. */
  readonly asked: string[] = [];
  readonly #stop: () => Promise<void>;

  private constructor(
    readonly url: string,
    stop: () => Promise<void>,
  ) {
    this.#stop = stop;
  }

  /** Listens on loopback. */
  static async start(): Promise<OddServer> {
    const listening = await listen((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
      void text(request).then((body) => {
        const { id, ...message } = Message.parse(JSON.parse(body));
        server.asked.push(message.method);
        if (id === undefined) return void response.writeHead(202).end();
        const answer = server.#answerTo(message.method);
        if (answer === undefined) return send(response, failure(id, -32_601, 'Method not found'));
        const way = server.streams ? sendStream : send;
        const result = answer({ id, ...message }, request.headers);
        way(response, server.rewrite(JSON.stringify(server.envelope(id, result))));
      });
    }, {});
    const server: OddServer = new OddServer(`${listening.url}/mcp`, () => listening.stop());
    return server;
  }

  /** As a server of the official library would answer. */
  behave(): void {
    this.handshake = handshake;
    this.result = () => ({ content: [] });
    this.envelope = (id, result) => ({ jsonrpc: '2.0', id, result });
    this.rewrite = (body) => body;
    this.streams = false;
    this.asked.length = 0;
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  #answerTo(method: string): Answer | undefined {
    const answers: Readonly<Record<string, Answer>> = {
      initialize: this.handshake,
      'tools/list': this.list,
      'tools/call': this.result,
      ping: () => ({}),
    };
    return answers[method];
  }
}
