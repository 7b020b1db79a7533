// The embedding service is the operator's: it may be slow, busy or broken. Ingestion insists for a while, and a question does
// not wait. An answer without a vector for each text does not pass.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createEmbedder, EmbeddingFailed } from './embeddings.js';

let server: Server;
let url: string;
let asked: { authorization: string | undefined; input: string[]; path: string | undefined }[] = [];
let answer: (input: string[], response: ServerResponse) => void;

const send = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const vectors = (input: string[], response: ServerResponse): void =>
  send(response, { data: input.map((text, index) => ({ index, embedding: [3, 4, text.length] })).reverse() });

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
  asked.push({ authorization: request.headers.authorization, input, path: request.url });
  answer(input, response);
};

beforeAll(async () => {
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const embedder = (change: object = {}) =>
  createEmbedder({ url, apiKey: new Secret('key'), model: 'm', backoffMs: [1, 1], ...change });

it('sends texts in batches with the key, and orders vectors of unit length as their texts', async () => {
  answer = vectors;
  const texts = Array.from({ length: 70 }, (_, at) => 'x'.repeat(at));
  const found = await embedder().embed(texts);
  expect(asked.map(({ input }) => input.length)).toEqual([64, 6]);
  expect(asked[0]).toMatchObject({ authorization: 'Bearer key', path: '/v1/embeddings' });
  for (const [at, vector] of found.entries()) {
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect((vector[2] ?? 0) / (vector[0] ?? 1)).toBeCloseTo(at / 3, 4);
  }
});

it('tries a busy service again, and not one that refuses', async () => {
  answer = (input, response) => (asked.length < 3 ? send(response, {}, 429) : vectors(input, response));
  expect(await embedder().embed(['a'])).toHaveLength(1);
  expect(asked).toHaveLength(3);
  asked = [];
  answer = (_, response) => send(response, {}, 401);
  await expect(embedder().embed(['a'])).rejects.toThrow(EmbeddingFailed);
  expect(asked).toHaveLength(1);
});

it.each([
  ['something else', { hello: 1 }],
  ['too few', { data: [] }],
  [
    'vectors of different lengths',
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
    },
  ],
  [
    'a vector of zeros',
    {
      data: [
        { index: 0, embedding: [0] },
        { index: 1, embedding: [0] },
      ],
    },
  ],
  [
    'one text twice',
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
  ],
])('refuses %s', async (_, body) => {
  answer = (_input, response) => send(response, body);
  await expect(embedder().embed(['a', 'b'])).rejects.toThrow(EmbeddingFailed);
});

it('gives up on a service that does not answer: soon for a question, after its tries for a document', async () => {
  answer = () => undefined;
  expect(await embedder({ queryTimeoutMs: 30 }).embedQuery('a')).toBeUndefined();
  asked = [];
  await expect(embedder({ requestTimeoutMs: 30 }).embed(['a'])).rejects.toThrow(EmbeddingFailed);
  expect(asked).toHaveLength(3);
});
