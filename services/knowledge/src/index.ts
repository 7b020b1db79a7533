export type { Embedder } from './embeddings/embeddings.js';
export { embedderOf, embeddingsEnv } from './embeddings/env.js';
export { Env } from './env.js';
export { quotas } from './quotas.js';
export { addSource } from './samples/indexed-sources.js';
export { type Kind, Search } from './search/search.js';
export { migrations, start } from './service.js';
