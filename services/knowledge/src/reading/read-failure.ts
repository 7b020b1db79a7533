// A document that cannot be read, as the source's record says it.

export type ReadFailureCode = 'UNSUPPORTED_TYPE' | 'TOO_LARGE' | 'TOO_SMALL' | 'PARSE_FAILED';

export class ReadFailure extends Error {
  override readonly name = 'ReadFailure';
  constructor(
    readonly code: ReadFailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
