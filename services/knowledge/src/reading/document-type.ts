// The type of a document, found in its content. The declared type and the name decide between kinds of text only.
import { hasMark } from '@parlance/charsets';
import { fileTypeFromBuffer } from 'file-type';
import { looksBinary } from './encoding.js';
import { ReadFailure } from './read-failure.js';

export type DocumentType = 'html' | 'pdf' | 'docx' | 'csv' | 'markdown' | 'text';

export const mimeTypes: Readonly<Record<DocumentType, string>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  markdown: 'text/markdown',
  text: 'text/plain',
};

export interface Declared {
  readonly contentType?: string | undefined;
  /** The name of a file, or the URL of a page. */
  readonly name?: string | undefined;
}

const binaryTypes: ReadonlyMap<string, DocumentType> = new Map([
  [mimeTypes.pdf, 'pdf'],
  [mimeTypes.docx, 'docx'],
]);

const htmlBeginning = /<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]/i;
const xmlBeginning = /^\s*<\?xml/i;

const textType = (text: string, { contentType = '', name = '' }: Declared): DocumentType => {
  const beginning = text.slice(0, 4_096);
  if (htmlBeginning.test(beginning)) return 'html';
  if (xmlBeginning.test(beginning)) throw unsupported('XML that is not a page');
  const type = contentType.toLowerCase();
  const isHtmlFragment = /^\s*<[a-z!]/i.test(beginning);
  if (isHtmlFragment && (type.includes('html') || /\.html?$/i.test(name))) return 'html';
  const isTable = /[^\n,;\t]*[,;\t]/.test(beginning);
  if (isTable && (/\bcsv\b|tab-separated/.test(type) || /\.(csv|tsv)$/i.test(name))) return 'csv';
  if (type.includes('markdown') || /\.(md|markdown)$/i.test(name) || /^#{1,6} \S/m.test(beginning))
    return 'markdown';
  return 'text';
};

const unsupported = (found: string): ReadFailure =>
  new ReadFailure(
    'UNSUPPORTED_TYPE',
    `The content is ${found}. HTML, PDF, DOCX, Markdown, plain text and CSV can be read.`,
  );

/**
 * @param text decodes the bytes; called only when the content is known to be text
 * @throws ReadFailure UNSUPPORTED_TYPE
 */
export const documentTypeOf = async (
  bytes: Uint8Array,
  text: () => string,
  declared: Declared,
): Promise<DocumentType> => {
  // A PDF may begin after other bytes.
  if (Buffer.from(bytes.subarray(0, 1_024)).includes('%PDF-')) return 'pdf';
  // The mark of UTF-16 is the beginning of an MP3 as well; with a mark, the document is text.
  const found = hasMark(bytes) ? undefined : await fileTypeFromBuffer(bytes).catch(() => undefined);
  const known = found && binaryTypes.get(found.mime);
  if (known !== undefined) return known;
  const isText = found === undefined || found.mime === 'application/xml' || found.mime.startsWith('text/');
  if (!isText) throw unsupported(`of the type ${found.mime}`);
  if (looksBinary(bytes)) throw unsupported('of no known type');
  return textType(text(), declared);
};
