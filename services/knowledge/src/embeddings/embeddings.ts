// Turns texts into vectors at the operator's embedding service, which speaks OpenAI's protocol.
import { setTimeout as delay } from 'node:timers/promises';
import type { Secret } from '@parlance/config';
import { z } from 'zod';

/** The embedding service did not answer in time, or answered nonsense. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed';
}

export interface Embedder {
  readonly model: string;
  /**
   * Vectors of unit length, in the order of the texts.
   * @throws EmbeddingFailed after the last try
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** The vector of a question; undefined when it is not there soon enough for a conversation. */
  embedQuery(text: string): Promise<Float32Array | undefined>;
}

export interface EmbedderOptions {
  /** The address up to and including `/v1`. */
  readonly url: string;
  readonly apiKey: Secret | undefined;
  readonly model: string;
  readonly requestTimeoutMs?: number;
  readonly queryTimeoutMs?: number;
  /** Pause before each next try. */
  readonly backoffMs?: readonly number[];
}

const textsAtOnce = 64;
const mostDimensions = 4_096;
const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(mostDimensions) })),
});

/** Another try cannot end otherwise. */
class Refused extends EmbeddingFailed {}

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0)
    throw new Refused('the embedding service sent an empty vector');
  return Float32Array.from(values, (value) => value / length);
};

const ordered = (answer: unknown, expected: number): Float32Array[] => {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw new Refused('the embedding service did not send embeddings');
  const rows = parsed.data.data.toSorted((a, b) => a.index - b.index);
  if (rows.length !== expected || rows.some(({ index }, place) => index !== place))
    throw new Refused('the embedding service did not send one vector for each text');
  const dimensions = rows[0]?.embedding.length;
  if (rows.some(({ embedding }) => embedding.length !== dimensions))
    throw new Refused('the embedding service sent vectors of different lengths');
  return rows.map(({ embedding }) => unit(embedding));
};

/**
 * The address is the operator's configuration and no tenant can change it. So it may be inside the operator's own
 * network. Requests go there directly, and not through the client for addresses of tenants. Redirects are refused.
 */
export const createEmbedder = ({
  url,
  apiKey,
  model,
  requestTimeoutMs = 20_000,
  queryTimeoutMs = 150,
  backoffMs = [500, 2_000],
}: EmbedderOptions): Embedder => {
  const address = `${url.replace(/\/+$/, '')}/embeddings`;
  const request = async (input: readonly string[], timeoutMs: number): Promise<Float32Array[]> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return ordered(await response.json(), input.length);
    await response.body?.cancel();
    const failure = `the embedding service answered ${response.status}`;
    throw response.status === 429 || response.status >= 500
      ? new EmbeddingFailed(failure)
      : new Refused(failure);
  };
  const insist = async (input: readonly string[]): Promise<Float32Array[]> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await request(input, requestTimeoutMs);
      } catch (cause) {
        if (cause instanceof Refused) throw cause;
        const pause = backoffMs[tries];
        if (pause === undefined)
          throw cause instanceof EmbeddingFailed
            ? cause
            : new EmbeddingFailed('the embedding service did not answer', { cause });
        await delay(pause);
      }
    }
  };
  return {
    model,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += textsAtOnce)
        vectors.push(...(await insist(texts.slice(start, start + textsAtOnce))));
      if (vectors.some(({ length }) => length !== vectors[0]?.length))
        throw new Refused('the embedding service sent vectors of different lengths');
      return vectors;
    },
    embedQuery: async (text) => {
      try {
        return (await request([text], queryTimeoutMs))[0];
      } catch {
        return undefined;
      }
    },
  };
};
