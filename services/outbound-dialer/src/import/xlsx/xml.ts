// Parts of a spreadsheet as XML events. No document type, so no entities: there is nothing to expand and nothing to fetch.
import { SaxesParser } from 'saxes';
import { FileRefused, refuse } from '../sheet/file-refusal.js';
import type { Pause } from '../sheet/sheet-row.js';
import type { Archive } from './archive.js';

/** Names without their prefix: writers differ in those. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const local = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
};

const parserFor = (handler: XmlHandler): SaxesParser => {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => {
    throw refuse('FILE_INVALID', 'the spreadsheet has a document type definition, which is never read');
  });
  parser.on('opentag', ({ name, attributes }) => handler.open?.(local(name), attributes));
  parser.on('closetag', ({ name }) => handler.close?.(local(name)));
  if (handler.text !== undefined) {
    parser.on('text', (text) => handler.text?.(text));
    parser.on('cdata', (text) => handler.text?.(text));
  }
  parser.on('error', () => {
    throw refuse('FILE_INVALID', 'the spreadsheet is damaged: save it again');
  });
  return parser;
};

/**
 * Reads one part of the archive; `pause` is awaited after each chunk.
 * @throws FileRefused
 */
export const readXml = async (
  archive: Archive,
  name: string,
  handler: XmlHandler,
  pause: Pause = async () => undefined,
): Promise<void> => {
  const parser = parserFor(handler);
  try {
    for await (const text of archive.textOf(name)) {
      parser.write(text);
      await pause();
    }
    parser.close();
  } catch (error) {
    // The parser also throws by itself, where it cannot go on.
    if (error instanceof FileRefused || !isOfParser(error)) throw error;
    throw refuse('FILE_INVALID', 'the spreadsheet is damaged: save it again');
  }
};

const isOfParser = (error: unknown): boolean => error instanceof Error && !('code' in error);
