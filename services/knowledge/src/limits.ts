// The limits of this service, unless the operator set another quota for an organization.
export class Limits {
  /** Of one organization, in bytes. */
  readonly documentBytes: number;
  /** Of one organization. */
  readonly chunks: number;
  readonly sourcesPerAgent: number;

  constructor({ documentBytes, chunks, sourcesPerAgent }: Limits) {
    this.documentBytes = documentBytes;
    this.chunks = chunks;
    this.sourcesPerAgent = sourcesPerAgent;
  }
}
