// The text of a PDF, line by line, with its larger lines as headings.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

const library = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

interface Line {
  readonly text: string;
  readonly height: number;
  readonly y: number;
  readonly page: number;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const asFailure = (cause: unknown): ReadFailure => {
  if (cause instanceof ReadFailure) return cause;
  return nameOf(cause) === 'PasswordException'
    ? new ReadFailure('PARSE_FAILED', 'The PDF is encrypted: only its password opens it.')
    : new ReadFailure('PARSE_FAILED', 'The PDF is broken and cannot be read.', { cause });
};

const linesOf = async (document: PDFDocumentProxy, number: number): Promise<Line[]> => {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const lines: Line[] = [];
  let text = '';
  let [height, y] = [0, 0];
  const end = (): void => {
    if (text.trim() !== '')
      lines.push({ text: text.trim().replaceAll(/\s+/g, ' '), height, y, page: number });
    text = '';
    height = 0;
  };
  for (const item of items) {
    if (!('str' in item)) continue;
    const at = Number(item.transform[5] ?? 0);
    if (text !== '' && Math.abs(at - y) > Math.max(2, item.height / 2)) end();
    y = at;
    text += item.str;
    height = Math.max(height, item.height);
    if (item.hasEOL) end();
  }
  end();
  page.cleanup();
  return lines;
};

/** The height of most of the text. */
const bodyHeight = (lines: readonly Line[]): number => {
  const chars = new Map<number, number>();
  for (const { text, height } of lines) {
    const rounded = Math.round(height);
    chars.set(rounded, (chars.get(rounded) ?? 0) + text.length);
  }
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
};

const longestHeading = 120;

const asMarkdown = (lines: readonly Line[]): string => {
  const body = bodyHeight(lines);
  const isHeading = ({ text, height }: Line): boolean =>
    height > body * 1.15 && text.length <= longestHeading;
  const sizes = [...new Set(lines.filter(isHeading).map(({ height }) => Math.round(height)))].sort(
    (a, b) => b - a,
  );
  let [text, before] = ['', undefined as Line | undefined];
  for (const line of lines) {
    const gap = before === undefined ? 0 : before.y - line.y;
    const isApart = before?.page !== line.page || gap < 0 || gap > Math.max(line.height, before.height) * 1.6;
    if (isHeading(line)) {
      const level = Math.min(6, sizes.indexOf(Math.round(line.height)) + 1);
      text += `\n\n${'#'.repeat(level)} ${line.text}\n\n`;
    } else if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line.text)) text = text.slice(0, -1) + line.text;
    else text += `${text === '' || text.endsWith('\n') ? '' : isApart ? '\n\n' : '\n'}${line.text}`;
    before = line;
  }
  return text.trim();
};

/** @throws ReadFailure */
export const readPdf = async (bytes: Uint8Array): Promise<string> => {
  const task = getDocument({
    data: new Uint8Array(bytes),
    // Fonts of Chinese, Japanese and Korean name tables of letters that are files of the library.
    cMapUrl: `${library}/cmaps/`,
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    maxImageSize: 1,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    if (document.numPages > limits.pdfPages)
      throw new ReadFailure('TOO_LARGE', `The PDF has more than ${limits.pdfPages} pages.`);
    const lines: Line[] = [];
    let chars = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      for (const line of await linesOf(document, number)) {
        lines.push(line);
        chars += line.text.length;
      }
      if (chars > limits.textChars) throw new ReadFailure('TOO_LARGE', 'The PDF has too much text.');
    }
    if (lines.length === 0)
      throw new ReadFailure('TOO_SMALL', 'The PDF has no text: its pages are images, or empty.');
    return asMarkdown(lines);
  } catch (error) {
    throw asFailure(error);
  } finally {
    await task.destroy();
  }
};
