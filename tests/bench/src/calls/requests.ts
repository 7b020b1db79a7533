// Requests over kept-open connections, timed one by one. The client is small, so that its own cost does not spoil the
// figures.
import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

export interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export class Client {
  readonly #agent: Agent;
  readonly #base: string;

  constructor(base: string, connections: number) {
    this.#base = base;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Resolves with any answer; rejects when there is none. */
  send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const sending = request(
        `${this.#base}${path}`,
        {
          method,
          agent: this.#agent,
          headers:
            body === undefined
              ? headers
              : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(parts).toString(),
              ms: performance.now() - began,
            }),
          );
        },
      );
      sending.on('error', reject);
      sending.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The value at the nearest rank. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

export const shown = (ms: number): string => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));
