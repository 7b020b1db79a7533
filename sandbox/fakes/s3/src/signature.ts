// The arithmetic of AWS Signature Version 4. Canonical headers and queries come from the library that clients sign with.
import { createHash, createHmac } from 'node:crypto';
import { getCanonicalHeaders, getCanonicalQuery } from '@smithy/signature-v4';
import type { S3Request } from './s3-request.js';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The facts that a signature covers, besides the request. */
export interface SignatureFacts {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
  /** `YYYYMMDDTHHMMSSZ` */
  readonly time: string;
  /** Lower-case names, in the order in which they were listed. */
  readonly signedHeaders: readonly string[];
  /** A hash of the body, or its substitute. */
  readonly payloadHash: string;
}

const canonicalText = (request: S3Request, { signedHeaders, payloadHash }: SignatureFacts): string => {
  const picked = Object.fromEntries(signedHeaders.map((name) => [name, request.sentHeader(name) ?? '']));
  const unsigned = { method: request.method, protocol: '', hostname: '', path: request.path };
  const headers = getCanonicalHeaders({ ...unsigned, headers: picked }, undefined, new Set(signedHeaders));
  return [
    request.method,
    request.path,
    getCanonicalQuery({ ...unsigned, headers: {}, query: request.query }),
    ...signedHeaders.map((name) => `${name}:${headers[name]}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
};

/** The signature that only the holder of the secret can make of a request, in hexadecimal. */
export const signatureOf = (secret: string, request: S3Request, facts: SignatureFacts): string => {
  const { date, region, time } = facts;
  const scope = [date, region, 's3', 'aws4_request'];
  const key = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonicalText(request, facts))].join('\n');
  return hmac(key, text).toString('hex');
};
