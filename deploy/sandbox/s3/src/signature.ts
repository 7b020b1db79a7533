// The arithmetic of AWS Signature Version 4. Canonical headers and queries come from the library that clients sign with.
import { createHash, createHmac } from 'node:crypto';
import { getCanonicalHeaders, getCanonicalQuery } from '@smithy/signature-v4';
import type { S3Request } from './s3-request.js';

export const emptySha256 = createHash('sha256').digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a signature is valid for, besides its request. */
export interface Scope {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
}

const scopeText = ({ date, region }: Scope): string => `${date}/${region}/s3/aws4_request`;

const signingKey = (secret: string, { date, region }: Scope): Buffer =>
  [date, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));

/** Signs for one request: the request itself, and the chunks of its body one after the other. */
export class Signer {
  readonly #key: Buffer;
  readonly #scope: string;
  readonly #time: string;

  /** @param time `YYYYMMDDTHHMMSSZ` */
  constructor(secret: string, scope: Scope, time: string) {
    this.#key = signingKey(secret, scope);
    this.#scope = scopeText(scope);
    this.#time = time;
  }

  /** The signature of a request over some of its headers, in the order in which they were listed. */
  request(request: S3Request, signedHeaders: readonly string[], payloadHash: string): string {
    const picked = Object.fromEntries(signedHeaders.map((name) => [name, request.sentHeader(name) ?? '']));
    const unsigned = { method: request.method, protocol: '', hostname: '', path: request.path };
    const headers = getCanonicalHeaders({ ...unsigned, headers: picked }, undefined, new Set(signedHeaders));
    const canonical = [
      request.method,
      request.path,
      getCanonicalQuery({ ...unsigned, headers: {}, query: request.query }),
      ...signedHeaders.map((name) => `${name}:${headers[name]}`),
      '',
      signedHeaders.join(';'),
      payloadHash,
    ].join('\n');
    return this.#sign('AWS4-HMAC-SHA256', sha256(canonical));
  }

  /** The signature of one chunk, over that of what came before it. */
  chunk(previous: string, chunkHash: string): string {
    return this.#sign('AWS4-HMAC-SHA256-PAYLOAD', previous, emptySha256, chunkHash);
  }

  /** The signature of the trailers behind the last chunk. */
  trailer(previous: string, trailers: string): string {
    return this.#sign('AWS4-HMAC-SHA256-TRAILER', previous, sha256(trailers));
  }

  #sign(algorithm: string, ...rest: string[]): string {
    return hmac(this.#key, [algorithm, this.#time, this.#scope, ...rest].join('\n')).toString('hex');
  }
}
