// Ids that are made of other ids, so that a second try makes the same ones.
import { createHash } from 'node:crypto';

/** A uuid of version 8, made of the parts. */
export const idOf = (...parts: readonly string[]): string => {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** The id of a source, by its place among the sources that one command creates. */
export const sourceIdOf = (command: string, index: number): string => idOf('source', command, String(index));

export const pageIdOf = (sourceId: string, url: string): string => idOf('page', sourceId, url);

export const chunkIdOf = (pageId: string, ordinal: number, text: string): string =>
  idOf('chunk', pageId, String(ordinal), text);
