// The embedding service of the bench: that of `EMBEDDINGS_URL`, or the small one that comes with the bench.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadEnv } from '@parlance/config';
import { createEmbedder, type Embedder, embedderOf, embeddingsEnv } from '@parlance/knowledge';
import { z } from 'zod';

export interface EmbeddingService {
  readonly embedder: Embedder;
  stop(): Promise<void>;
}

export const startEmbeddingService = async (): Promise<EmbeddingService> => {
  const configured = embedderOf(loadEnv(z.object(embeddingsEnv)));
  if (configured !== undefined) return { embedder: configured, stop: async () => undefined };
  const worker = new Worker(new URL('./embedding-worker.js', import.meta.url));
  const [port] = (await once(worker, 'message')) as [number];
  const embedder = createEmbedder({
    url: `http://127.0.0.1:${port}/v1`,
    apiKey: undefined,
    model: 'universal-sentence-encoder-lite',
    // A batch of long texts takes a processor for many seconds.
    requestTimeoutMs: 300_000,
  });
  return { embedder, stop: async () => void (await worker.terminate()) };
};
