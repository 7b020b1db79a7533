// The shape of an operation, and the input that every one of them is given.
import { validateHeaderValue } from 'node:http';
import type { Response } from 'express';
import { isChecksumHeader } from './checksums.js';
import type { S3Target } from './faults.js';
import { notImplemented, S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import { longestKey, type ObjectStore } from './store.js';

export interface Context {
  readonly store: ObjectStore;
  readonly request: S3Request;
  /** A hash of the body, or its substitute; the signature is over it. */
  readonly payloadHash: string;
  readonly response: Response;
}

export interface Operation {
  readonly target: S3Target;
  /** Query parameters that it understands; any other one asks for something that is not here. */
  readonly parameters?: readonly string[];
  run(context: Context): Promise<void> | void;
}

const knownHeaders = new Set([
  ...[
    'x-amz-date',
    'x-amz-content-sha256',
    'x-amz-user-agent',
    'x-amz-decoded-content-length',
    'x-amz-trailer',
  ],
  ...['x-amz-algorithm', 'x-amz-credential', 'x-amz-expires', 'x-amz-signedheaders', 'x-amz-signature'],
  ...['x-amz-sdk-checksum-algorithm', 'x-amz-checksum-mode'],
]);
/** Where asking for the default changes nothing. */
const knownValues: Readonly<Record<string, string>> = {
  'x-amz-acl': 'private',
  'x-amz-storage-class': 'STANDARD',
};

/** Answering as if something had been done that was not would be a lie. @throws S3Error NotImplemented */
export const refuseUnknown = (request: S3Request, { parameters = [] }: Operation): void => {
  for (const name of Object.keys(request.query))
    if (!parameters.includes(name) && !/^x-amz-/i.test(name) && name !== 'x-id')
      throw notImplemented(`The query parameter ${name}`);
  for (const name of request.amzHeaderNames())
    if (
      !knownHeaders.has(name) &&
      !name.startsWith('x-amz-meta-') &&
      !isChecksumHeader(name) &&
      knownValues[name] !== request.header(name)
    )
      throw notImplemented(`The header ${name}`);
};

/** @throws S3Error KeyTooLongError */
export const requireKey = (key: string): void => {
  const bytes = Buffer.byteLength(key);
  if (bytes > longestKey)
    throw new S3Error('KeyTooLongError', 'Your key is too long', {
      Size: String(bytes),
      MaxSizeAllowed: String(longestKey),
    });
};

/** Checks a value from a presigned URL's query, which may be impossible in a header. @throws S3Error InvalidArgument */
export const requireHeaderValue = (name: string, value: string): string => {
  try {
    validateHeaderValue(name, value);
    return value;
  } catch {
    throw new S3Error('InvalidArgument', 'A header cannot have this value', { ArgumentName: name });
  }
};

export const noSuchKey = (key: string): S3Error =>
  new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key });
