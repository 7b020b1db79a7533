// Tests that a real engine fails by its own fault. docs/real-engines.md explains their consequences for the platform.
import type { Limit } from './outcomes.js';

const limit = (test: string, why: string): Limit => ({ test, why });

/** VersityGW, as of 2026-11. It keeps objects as files. */
export const versityLimits: readonly Limit[] = [
  limit(
    'a URL signed for writing keeps the metadata that was signed',
    'Metadata in the query of a signed URL is not kept.',
  ),
  limit(
    'an object may be called folder/',
    'An object whose key ends with a slash is a directory, and is empty.',
  ),
  limit(
    'a condition saves a read that has nothing new',
    'If-Modified-Since with the very time that it told is answered as modified: it compares fractions of seconds.',
  ),
  limit(
    'content comes through as a stream, checked by the library as it goes',
    'The encoding aws-chunked of an upload is kept as the encoding of the object.',
  ),
  limit(
    'deleting many objects tells of each, those included that were not there, unless it shall be quiet',
    'Quiet is ignored when many objects are deleted.',
  ),
  limit('a listing can be encoded for what XML cannot hold', 'EncodingType is ignored in listings.'),
  limit(
    'a listing refuses a continuation that it did not give',
    'Any text is taken as a continuation token.',
  ),
  limit(
    'a condition of not being there lets one writer of many through',
    'If-None-Match is checked before the object is written, so concurrent writers can all pass.',
  ),
];

const noDuplicateDetails = 'A duplicate key is refused without the names and values of the key.';
const noDecimals = 'A decimal number ends the connection.';
const oneReplyMore =
  'It answers an unacknowledged write, and every later answer of the connection comes one too late.';

/** FerretDB 1.24, on both of its backends. */
export const ferretDbLimits: readonly Limit[] = [
  limit(
    'upserts guarded by a revision insert once, update when newer, and answer duplicate key when not',
    noDuplicateDetails,
  ),
  limit(
    'upserts guarded by a revision report only the refused ones of an unordered bulk write',
    'A refused write of a bulk hides the counts of the others.',
  ),
  limit(
    'upserts guarded by a revision keep exactly one of many concurrent first writes',
    'The condition and the change of an update are not one step: a concurrent older write wins.',
  ),
  limit('updates apply $push with modifiers', 'The modifiers of $push are ignored.'),
  limit('updates apply $pull by condition', 'A condition in $pull is ignored.'),
  limit('updates apply every element', 'Paths with $[] are refused.'),
  limit('updates apply only to the elements that the array filter picks', 'arrayFilters are refused.'),
  limit('updates apply to the element that the query matched', 'Paths with $ are refused.'),
  limit(
    'a bulk write of every kind counts each kind',
    'The place of an upserted document in its bulk is wrong.',
  ),
  limit(
    'findOneAnd updates the first in sort order and gives the document before or after',
    'findAndModify refuses a projection.',
  ),
  limit(
    'BSON types text comes back as it went in, and is found by an index and without',
    'On PostgreSQL, text cannot hold the character U+0000.',
  ),
  limit('BSON types decimal comes back as it went in, and is found by an index and without', noDecimals),
  limit(
    'BSON types list comes back as it went in, and is found by an index and without',
    'A list within a list is refused.',
  ),
  limit('BSON types sort across types in the server order, with an index', noDecimals),
  limit('BSON types sort across types in the server order, without an index', noDecimals),
  limit(
    'the server refuses unknown operators, broken pipelines and dead cursors with their codes',
    oneReplyMore,
  ),
  limit('the server refuses transactions, as a server that is no replica set does', oneReplyMore),
  limit('the server closes a cursor that is no longer wanted', oneReplyMore),
  limit(
    'a unique index refuses a second document with the same key, in insert, update and upsert',
    noDuplicateDetails,
  ),
  limit(
    'an index loses no document to a reader while it is being created',
    'On SQLite, the making of an index beside readers can be refused.',
  ),
  limit(
    'a unique index counts missing as null, unless sparse or partial',
    'Documents without the field are not compared.',
  ),
  limit(
    'a unique index cannot be built over duplicates, and leaves nothing behind',
    'The refusal has another code.',
  ),
];
