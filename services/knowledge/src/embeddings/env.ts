// Variables of the embedding service, and the embedder that they describe.
import { type Secret, secret } from '@parlance/config';
import { z } from 'zod';
import { createEmbedder, type Embedder } from './embeddings.js';

export const embeddingsEnv = {
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Address of an embedding service that speaks OpenAI's protocol, up to and including /v1; without it, searches compare no meanings.",
    ),
  EMBEDDINGS_API_KEY: secret().optional().describe('Key of the embedding service, if it wants one.'),
  EMBEDDINGS_MODEL: z
    .string()
    .min(1)
    .max(128)
    .default('text-embedding-3-small')
    .describe('Model at the embedding service. After a change, sources have to be read again.'),
};

/** Undefined where no embedding service is configured. */
export const embedderOf = (env: {
  readonly EMBEDDINGS_URL?: string | undefined;
  readonly EMBEDDINGS_API_KEY?: Secret | undefined;
  readonly EMBEDDINGS_MODEL: string;
}): Embedder | undefined =>
  env.EMBEDDINGS_URL === undefined
    ? undefined
    : createEmbedder({
        url: env.EMBEDDINGS_URL,
        apiKey: env.EMBEDDINGS_API_KEY,
        model: env.EMBEDDINGS_MODEL,
      });
