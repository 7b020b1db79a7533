// If-Match and its siblings: on reads they save work, on writes they keep two writers from each other.
import { notImplemented, S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import type { Precondition, StoredObject } from './store.js';

const matches = (condition: string, etag: string): boolean =>
  condition
    .split(',')
    .map((one) => one.trim().replace(/^W\//, '').replaceAll('"', ''))
    .some((one) => one === '*' || one === etag);

const failed = (condition: string): S3Error =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  });

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Whether an object may be read. @throws S3Error PreconditionFailed, NotModified */
export const checkRead = (request: S3Request, { etag, modifiedAt }: StoredObject): void => {
  const date = (header: string) => seconds(Date.parse(request.header(header) ?? ''));
  const ifMatch = request.header('if-match');
  if (ifMatch !== undefined && !matches(ifMatch, etag)) throw failed('If-Match');
  if (ifMatch === undefined && seconds(modifiedAt) > date('if-unmodified-since'))
    throw failed('If-Unmodified-Since');
  const ifNoneMatch = request.header('if-none-match');
  const unchanged =
    ifNoneMatch === undefined ? seconds(modifiedAt) <= date('if-modified-since') : matches(ifNoneMatch, etag);
  if (unchanged) throw new S3Error('NotModified', 'Not Modified');
};

/** Whether an object may be written, asked when its turn has come. */
export const writePrecondition = (request: S3Request): Precondition => {
  const ifMatch = request.header('if-match');
  const ifNoneMatch = request.header('if-none-match');
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') throw notImplemented('An If-None-Match other than *');
  return (current) => {
    if (ifNoneMatch !== undefined && current) throw failed('If-None-Match');
    if (ifMatch === undefined) return;
    if (!current) throw new S3Error('NoSuchKey', 'The specified key does not exist.');
    if (!matches(ifMatch, current.etag)) throw failed('If-Match');
  };
};
