// The systems of a customer that the platform asks and tells: a shop that answers tools, a language model, and a receiver of webhooks.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The answer of a language model, as the OpenAI protocol streams it. */
const word = [{ delta: { content: 'Hello' } }, { delta: {}, finish_reason: 'stop' }]
  .map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
  .join('');

export class Customer {
  /** The first message of each type. */
  readonly messages = new Map<string, unknown>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ order: 'A-1001', state: 'on its way' }));
        return;
      }
      const message = Object(await json(request));
      if (request.url === '/v1/chat/completions') {
        response.setHeader('content-type', 'text/event-stream');
        response.end(`${word}data: [DONE]\n\n`);
        return;
      }
      if (!this.messages.has(message.type)) this.messages.set(message.type, message);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ dynamicVariables: { name: 'Ada' } }));
    });
  }

  static async start(): Promise<Customer> {
    const customer = new Customer();
    await new Promise<void>((resolve) => customer.#server.listen(0, '127.0.0.1', resolve));
    return customer;
  }

  get url(): string {
    // A server that listens on a port has an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
