// The sender of a request: SigV4 in the Authorization header or in a presigned URL, checked before anything else is
// done.
import { sameSecret } from '@parlance/fake-kit';
import { S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import { type SignatureFacts, signatureOf } from './signature.js';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Claim extends SignatureFacts {
  readonly accessKeyId: string;
  readonly signature: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const skewMs = 15 * 60_000;
const longestSeconds = 7 * 24 * 3600;

const millisOf = (time: string | undefined): number => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time ?? '');
  if (!match) return Number.NaN;
  const [year, month, day, hour, minute, second] = match.slice(1);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

/** `key/20300131/region/s3/aws4_request`; an access key may have slashes itself. */
const parseCredential = (text: string, time: string, malformed: (message: string) => S3Error) => {
  const match = /^(.+)\/(\d{8})\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(text);
  const [, accessKeyId, date, region, service, terminator] = match ?? [];
  if (!accessKeyId || !date || !region || service !== 's3' || terminator !== 'aws4_request')
    throw malformed('The credential is malformed; expecting "<key>/YYYYMMDD/REGION/s3/aws4_request".');
  if (!time.startsWith(date)) throw malformed('The date of the credential is not that of the request.');
  return { accessKeyId, date, region };
};

const headerClaim = (request: S3Request, authorization: string, now: number): Claim => {
  const malformed = (message: string) => new S3Error('AuthorizationHeaderMalformed', message);
  const [scheme, rest = ''] = authorization.split(/ (.*)/s);
  if (scheme !== algorithm)
    throw new S3Error(
      'InvalidRequest',
      `The authorization mechanism you have provided is not supported. Please use ${algorithm}.`,
    );
  const parts = new Map(rest.split(',').map((part) => part.trim().split(/=(.*)/s, 2) as [string, string]));
  const [credential, signedHeaders, signature] = ['Credential', 'SignedHeaders', 'Signature'].map((name) =>
    parts.get(name),
  );
  if (!credential || !signedHeaders || !signature)
    throw malformed('The authorization header needs Credential, SignedHeaders and Signature.');
  const time = request.sentHeader('x-amz-date');
  const sentAt = millisOf(time);
  if (time === undefined || Number.isNaN(sentAt))
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
  if (Math.abs(now - sentAt) > skewMs)
    throw new S3Error(
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
      {
        RequestTime: time,
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: String(skewMs),
      },
    );
  const payloadHash = request.sentHeader('x-amz-content-sha256');
  if (payloadHash === undefined)
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  return {
    ...parseCredential(credential, time, malformed),
    time,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payloadHash,
  };
};

const presignedClaim = (request: S3Request, now: number): Claim => {
  const malformed = (message: string) => new S3Error('AuthorizationQueryParametersError', message);
  const names = ['Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'];
  const [credential, time, expires, signedHeaders, signature] = names.map((name) =>
    request.parameter(`X-Amz-${name}`),
  );
  if (!credential || !time || !expires || !signedHeaders || !signature)
    throw malformed(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  if (request.parameter('X-Amz-Algorithm') !== algorithm)
    throw malformed(`X-Amz-Algorithm only supports "${algorithm}"`);
  if (!/^\d+$/.test(expires)) throw malformed('X-Amz-Expires should be a non-negative number');
  if (Number(expires) > longestSeconds)
    throw malformed('X-Amz-Expires must be less than a week (in seconds): at most 604800');
  const signedAt = millisOf(time);
  if (Number.isNaN(signedAt))
    throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  if (signedAt - now > skewMs) throw new S3Error('AccessDenied', 'Request is not valid yet');
  const expiresAt = signedAt + Number(expires) * 1000;
  if (now > expiresAt)
    throw new S3Error('AccessDenied', 'Request has expired', {
      'X-Amz-Expires': expires,
      Expires: new Date(expiresAt).toISOString(),
      ServerTime: new Date(now).toISOString(),
    });
  return {
    ...parseCredential(credential, time, malformed),
    time,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payloadHash: request.header('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
  };
};

/** Refuses headers that the signer of a request has not signed. */
const refuseUnsigned = (request: S3Request, signedHeaders: readonly string[]): void => {
  const amz = Object.keys(request.message.headers).filter((name) => name.startsWith('x-amz-'));
  const unsigned = ['host', ...amz].filter((name) => !signedHeaders.includes(name));
  if (unsigned.length > 0)
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: unsigned.join(', '),
    });
};

const claimOf = (request: S3Request, now: number): Claim => {
  const authorization = request.sentHeader('authorization');
  const presigned = Object.keys(request.query).some((name) => /^x-amz-(algorithm|signature)$/i.test(name));
  if (authorization !== undefined && presigned)
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  if (authorization !== undefined) return headerClaim(request, authorization, now);
  if (presigned) return presignedClaim(request, now);
  throw new S3Error('AccessDenied', 'Access Denied');
};

/**
 * Checks a request's signature.
 * @returns the hash that the body must have, or its substitute in `x-amz-content-sha256`
 * @throws S3Error in S3's own words for the fault
 */
export const authenticate = (request: S3Request, known: Credentials, now = Date.now()): string => {
  const claim = claimOf(request, now);
  if (claim.accessKeyId !== known.accessKeyId)
    throw new S3Error(
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
      { AWSAccessKeyId: claim.accessKeyId },
    );
  refuseUnsigned(request, claim.signedHeaders);
  if (!sameSecret(claim.signature, signatureOf(known.secretAccessKey, request, claim)))
    throw new S3Error(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
      { AWSAccessKeyId: claim.accessKeyId },
    );
  return claim.payloadHash;
};
