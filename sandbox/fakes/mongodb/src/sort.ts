// MongoDB's sort order over whole documents, for finds, pipelines and sorted arrays alike.
import type { Document } from 'bson';
import { CommandError } from './errors.js';
import { encodeValue, inverted, isDocument, toNumber, valuesAt } from './values.js';

/** A sort specification: field to direction, in order of significance. */
export type Sort = Readonly<Record<string, 1 | -1>>;

/** The bytes that order documents under a sort; an array counts as its least element, or its greatest if descending. */
export function sortKey(doc: Document, sort: Sort): Buffer {
  const parts = Object.entries(sort).map(([path, way]) => {
    const values = valuesAt(doc, path, 'index').map((value) => encodeValue(value));
    values.sort((a, b) => Buffer.compare(a, b) * way);
    const [first = encodeValue(null)] = values;
    return way === -1 ? inverted(first) : first;
  });
  return Buffer.concat(parts);
}

/** Sorts decoded documents in MongoDB's order. */
export function sortDocuments<T extends Document>(docs: T[], sort: Sort): T[] {
  return docs
    .map((doc) => ({ doc, order: sortKey(doc, sort) }))
    .sort((a, b) => Buffer.compare(a.order, b.order))
    .map(({ doc }) => doc);
}

/** A sort specification as sent, checked; directions may be any BSON number. */
export function toSort(spec: unknown): Sort {
  const sort: Record<string, 1 | -1> = {};
  for (const [path, way] of Object.entries(isDocument(spec) ? spec : {})) {
    const direction = toNumber(way, 0);
    if (direction !== 1 && direction !== -1) throw new CommandError(2, `Illegal sort direction for ${path}`);
    sort[path] = direction;
  }
  return sort;
}
