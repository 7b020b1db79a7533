// Reads a document as text and chunks. It runs only in the process for reading (child.ts), because the content decides
// the time and the memory that the reading takes.
import { chunksOf } from './chunking.js';
import { readCsv } from './csv.js';
import { documentTypeOf, mimeTypes } from './document-type.js';
import { readDocx } from './docx.js';
import { decodeText } from './encoding.js';
import { type HtmlPage, readHtml } from './html.js';
import { withoutInvisible } from './invisible.js';
import { languageOf } from './language.js';
import { limits } from './limits.js';
import { type PdfText, readPdf } from './pdf.js';
import { ReadFailure } from './read-failure.js';
import { pagesWithoutTextWarning, type ReadWarning } from './read-warning.js';
import type { DocumentToRead, ReadDocument } from './reader.js';

const isReadable = (text: string): boolean =>
  (text.slice(0, 100_000).match(/[\p{L}\p{N}]/gu) ?? []).length >= limits.textLetters;

type Page = Partial<HtmlPage> & { readonly text: string; readonly warnings?: readonly ReadWarning[] };

const plain = (text: string): Page => ({ text });

const pdfPage = ({ text, pages, pagesWithoutText }: PdfText): Page => ({
  text,
  warnings: pagesWithoutText.length === 0 ? [] : [pagesWithoutTextWarning(pagesWithoutText, pages)],
});

/** @throws ReadFailure */
export const readDocument = async ({
  bytes,
  contentType,
  name,
  url,
  include,
  mostSections,
}: DocumentToRead): Promise<ReadDocument> => {
  let decoded: string | undefined;
  const text = (): string => {
    decoded ??= decodeText(bytes, contentType);
    return decoded;
  };
  if (bytes.length === 0) throw new ReadFailure('TOO_SMALL', 'The document is empty.');
  const type = await documentTypeOf(bytes, text, { contentType, name: name ?? url });
  const read = {
    html: () => readHtml(text(), { url, include }),
    pdf: async () => pdfPage(await readPdf(bytes)),
    docx: async () => plain(await readDocx(Buffer.from(bytes))),
    csv: () => plain(readCsv(text())),
    markdown: () => plain(text()),
    text: () => plain(text()),
  };
  const page: Page = await read[type]();
  // Postgres stores no zero characters and no halves of surrogate pairs.
  const clean = Buffer.from(withoutInvisible(page.text).replaceAll('\0', '')).toString();
  if (clean.length > limits.textChars)
    throw new ReadFailure('TOO_LARGE', 'The document has more than 20 million characters.');
  if (!isReadable(clean)) throw new ReadFailure('TOO_SMALL', 'The document has no text.');
  const chunks = chunksOf(clean, mostSections);
  if (chunks.length > limits.chunksOfSource)
    throw new ReadFailure('TOO_LARGE', `The document makes more than ${limits.chunksOfSource} chunks.`);
  return {
    text: clean,
    mimeType: mimeTypes[type],
    title: page.title,
    links: page.links ?? [],
    canonical: page.canonical,
    isHidden: page.isHidden ?? false,
    language: languageOf(clean, page.language),
    chunks,
    warnings: page.warnings ?? [],
  };
};
