// Errors in S3's shape: a code, its HTTP status and an XML body.
import type { Response } from 'express';
import { element, xmlDocument } from './xml.js';

const statuses = {
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  NotModified: 304,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type S3ErrorCode = keyof typeof statuses;

export class S3Error extends Error {
  readonly status: number;

  /** @param details further elements of the body, such as `{ ServerTime }` */
  constructor(
    readonly code: S3ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = statuses[code];
  }
}

/** The refusal of a feature that this stand-in lacks, in S3's own words. */
export const notImplemented = (what: string): S3Error =>
  new S3Error('NotImplemented', `${what} implies functionality that is not implemented`);

/** Answers with an error; one that S3 does not know is told on stderr and is an InternalError. */
export const sendError = (response: Response, error: unknown): void => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (!(error instanceof S3Error)) {
    process.stderr.write(`s3: ${error instanceof Error ? error.stack : String(error)}\n`);
    sendError(response, new S3Error('InternalError', 'We encountered an internal error. Please try again.'));
    return;
  }
  response.statusCode = error.status;
  if (error.status === 304) {
    response.end();
    return;
  }
  const { code: Code, message: Message, details } = error;
  const RequestId = response.getHeader('x-amz-request-id')?.toString();
  const Resource = response.req.url.split('?', 1)[0] ?? '';
  sendXml(response, xmlDocument('Error', element({ Code, Message, ...details, Resource, RequestId })));
};

/** Answers with a document; the status is the one set before. */
export const sendXml = (response: Response, text: string): void => {
  response.setHeader('content-type', 'application/xml');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
};
