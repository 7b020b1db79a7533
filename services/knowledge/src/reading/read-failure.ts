// The failure to read a document, with the code and the message for the record of the source.

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
