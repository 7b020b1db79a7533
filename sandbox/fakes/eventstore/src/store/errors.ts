// The store's refusals, as classes that the gRPC layer turns into the shapes its client knows.

/** The request cannot be right in any state of the store. */
export class InvalidRequestError extends Error {}

/** EventStoreDB can do this and the stand-in cannot. */
export class NotImplementedError extends Error {}

/** The caller may not do this. */
export class AccessDeniedError extends Error {}

/** The stream was tombstoned, or it was soft-deleted and had to exist. */
export class StreamDeletedError extends Error {
  constructor(readonly stream: string) {
    super(`stream '${stream}' is deleted`);
  }
}

/** The stream is not at the revision that the writer expects. */
export class WrongRevisionError extends Error {
  constructor(
    readonly stream: string,
    /** A revision, or one of the EXPECT_ numbers. */
    readonly expected: number,
    /** -1 when the stream has no event. */
    readonly current: number,
  ) {
    super(`append to stream '${stream}' expected revision ${expected}, it is at ${current}`);
  }
}

/** The events of one append are larger than `limit` bytes together. */
export class AppendTooLargeError extends Error {
  constructor(readonly limit: number) {
    super(`the events of one append may not exceed ${limit} bytes together`);
  }
}
