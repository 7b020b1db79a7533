// What a search keeps beside chunks. Ingestion calls both functions in the transaction that writes or deletes chunks.
import type { Tx } from '@parlance/persistence';

/** A chunk as it was just written to knowledge_chunks. */
export interface WrittenChunk {
  readonly organizationId: string;
  readonly agentId: string;
  readonly sourceId: string;
  readonly generation: number;
  /** The same for the same text at the same place in every generation. */
  readonly id: string;
  readonly pageId: string;
  readonly headings: readonly string[];
  readonly text: string;
  /** A Postgres text search configuration. */
  readonly language: string;
}

/** Which chunks of a source are about to be deleted. */
export interface ForgottenChunks {
  readonly organizationId: string;
  readonly sourceId: string;
  readonly generation: number;
  readonly ids: readonly string[];
}

/** For after the insert of chunks. A chunk that is written twice is indexed once. */
export const indexChunks = async (_tx: Tx, _chunks: readonly WrittenChunk[]): Promise<void> => undefined;

/** For before the deletion of chunks. */
export const forgetChunks = async (_tx: Tx, _chunks: ForgottenChunks): Promise<void> => undefined;
