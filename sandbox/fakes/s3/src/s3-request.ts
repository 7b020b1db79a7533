// A request as S3 reads it. The path has bucket and key, and a presigned URL may carry headers in its query.
import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.js';

/** As SigV4 wants it: every byte but the unreserved ones. */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A path or key for a URL; slashes stay. */
export const encodePath = (path: string): string => path.split('/').map(encodeStrictly).join('/');

/** Text from a URL. @throws S3Error InvalidURI when it is not UTF-8 */
export const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  }
};

export class S3Request {
  readonly method: string;
  /** Encoded in the one way that signatures are made over. */
  readonly path: string;
  /** Empty for the service itself. */
  readonly bucket: string;
  /** Empty for a bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.message = message;
    this.method = message.method ?? '';
    const url = message.url ?? '/';
    const queryStart = url.includes('?') ? url.indexOf('?') : url.length;
    const path = decodeUri(url.slice(0, queryStart));
    this.path = encodePath(path);
    const slash = path.indexOf('/', 1);
    this.bucket = path.slice(1, slash < 0 ? undefined : slash);
    this.key = slash < 0 ? '' : path.slice(slash + 1);
    const parameters = new URLSearchParams(url.slice(queryStart));
    this.query = Object.fromEntries(
      [...new Set(parameters.keys())].map((name) => {
        const values = parameters.getAll(name);
        return [name, values.length > 1 ? values : (values[0] ?? '')];
      }),
    );
  }

  /** One query parameter, by its exact name. */
  parameter(name: string): string | undefined {
    const value = Object.hasOwn(this.query, name) ? this.query[name] : undefined;
    return Array.isArray(value) ? value[0] : value;
  }

  /** A header as it was sent, several of a name joined as signatures want them. */
  sentHeader(name: string): string | undefined {
    return this.message.headersDistinct[name]?.join(',');
  }

  /**
   * A header, also when a presigned URL carries it in its query. Checksums in a query are left aside, as S3 does: the
   * signer of the URL made them before there was a body.
   */
  header(name: string): string | undefined {
    const sent = this.sentHeader(name);
    if (sent !== undefined || !name.startsWith('x-amz-') || name.startsWith('x-amz-checksum-')) return sent;
    return this.parameter(this.#queryName(name));
  }

  /** Every `x-amz-` header, sent or in the query. */
  amzHeaderNames(): string[] {
    const names = [...Object.keys(this.message.headers), ...Object.keys(this.query)];
    return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => name.startsWith('x-amz-'));
  }

  #queryName(header: string): string {
    return Object.keys(this.query).find((name) => name.toLowerCase() === header) ?? header;
  }
}
