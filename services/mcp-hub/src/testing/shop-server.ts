// An MCP server of a shop, on the official server library. It speaks the present protocol and that of 2025. A test changes its
// tools and reads which requests came in.
import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { gate } from '@parlance/fixtures';

type Arguments = Readonly<Record<string, unknown>>;
type Answer = (args: Arguments, headers: IncomingHttpHeaders) => CallToolResult | Promise<CallToolResult>;

export interface ShopTool extends Tool {
  readonly answer: Answer;
}

const textOf = (value: unknown): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

export const findOrder: ShopTool = {
  name: 'find_order',
  title: 'Find an order',
  description: 'Finds an order by its number.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'string', pattern: '^A' }, lines: { type: 'integer', maximum: 9 } },
    required: ['number'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  answer: ({ number }) => ({
    ...textOf({ number, state: 'sent' }),
    structuredContent: { number, state: 'sent' },
  }),
};

/** An order with numbers that no double holds. */
export const bigOrder: ShopTool = {
  name: 'big_order',
  description: 'Finds a big order.',
  inputSchema: { type: 'object' },
  answer: () => ({
    content: [],
    structuredContent: { orderId: 'digits:7615917337495251231', total: 'digits:10.50' },
  }),
};

const refuse: ShopTool = {
  name: 'refuse',
  description: 'Always says no.',
  inputSchema: { type: 'object' },
  answer: () => ({ content: [{ type: 'text', text: 'No such order.' }], isError: true }),
};

const headers: ShopTool = {
  name: 'headers',
  description: 'Says which headers came in.',
  inputSchema: { type: 'object' },
  answer: (_args, came) => textOf(came),
};

export class ShopServer {
  tools: ShopTool[] = [findOrder, refuse, headers];
  /** The value of `authorization` without which the server answers 401. */
  wants: string | undefined;
  /** Executions by the name of their tool. */
  readonly executed: string[] = [];
  /** The bodies of all requests, as they came in. */
  readonly bodies: string[] = [];
  /** The number of listings of the tools. */
  listed = 0;
  readonly #http: HttpServer;
  readonly #handler = createMcpHandler(() => this.#server());
  #headers: IncomingHttpHeaders = {};
  #listingsGoOn: Promise<void> | undefined;

  constructor() {
    const listener = toNodeHandler({ fetch: (request, options) => this.#answer(request, options) });
    this.#http = createServer(async (request, response) => {
      this.#headers = request.headers;
      if (this.wants !== undefined && request.headers.authorization !== this.wants) {
        response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
        return;
      }
      const { method = 'GET', url = '/' } = request;
      const body = await text(request);
      if (body !== '') this.bodies.push(body);
      await listener(
        Object.assign(request, { method, url }),
        response,
        body === '' ? undefined : JSON.parse(body),
      );
    });
  }

  get url(): string {
    const { port } = this.#http.address() as AddressInfo; // listening on a port, so not a path
    return `http://127.0.0.1:${port}/mcp`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
  }

  /** Tells every client that listens that the tools have changed. */
  tellToolsChanged(): void {
    this.#handler.notify.toolsChanged();
  }

  /** Listings wait for their answers until the returned function is called. */
  holdListings(): () => void {
    const { opened, open } = gate();
    this.#listingsGoOn = opened;
    return open;
  }

  /** Puts numbers into the answer that the library would write as doubles: the string "digits:1.0" becomes 1.0. */
  async #answer(...asked: Parameters<McpHttpHandler['fetch']>): Promise<Response> {
    const response = await this.#handler.fetch(...asked);
    const { body, status, headers } = response;
    if (body === null) return response;
    const digits = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const written = Buffer.from(chunk).toString('utf8');
        controller.enqueue(Buffer.from(written.replaceAll(/"digits:([^"]+)"/g, '$1')));
      },
    });
    return new Response(body.pipeThrough(digits), { status, headers });
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #server(): Server {
    const server = new Server(
      { name: 'shop', version: '1.2.3' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler('tools/list', async () => {
      this.listed += 1;
      await this.#listingsGoOn;
      return { tools: this.tools.map(({ answer: _answer, ...tool }) => tool) };
    });
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = this.tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw new Error('no such tool');
      this.executed.push(tool.name);
      return tool.answer(params.arguments ?? {}, this.#headers);
    });
    return server;
  }
}
