// The text of a PDF, line by line, with its larger lines as headings.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { limits } from './limits.js';
import { type Line, linesOfPage, type Run } from './pdf-layout.js';
import { ReadFailure } from './read-failure.js';

const library = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const asFailure = (cause: unknown): ReadFailure => {
  if (cause instanceof ReadFailure) return cause;
  return nameOf(cause) === 'PasswordException'
    ? new ReadFailure('PARSE_FAILED', 'The PDF is encrypted: only its password opens it.')
    : new ReadFailure('PARSE_FAILED', 'The PDF is broken and cannot be read.', { cause });
};

interface PageLine extends Line {
  readonly page: number;
}

type Matrix = readonly number[];

/** The matrix that applies the second one first, as PDF has it. */
const product = (first: Matrix, second: Matrix): number[] => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = first;
  const [g = 1, h = 0, i = 0, k = 1, l = 0, m = 0] = second;
  return [a * g + c * h, b * g + d * h, a * i + c * k, b * i + d * k, a * l + c * m + e, b * l + d * m + f];
};

/** A place on a page that is turned by some quarters, so that its text is upright. */
const turned = (x: number, y: number, quarters: number): { x: number; y: number } =>
  [
    { x, y },
    { x: y, y: -x },
    { x: -x, y: -y },
    { x: -y, y: x },
  ][quarters] ?? { x, y };

/** Text of each direction is read by itself, beginning with the direction of most of the text. */
const linesOf = async (document: PDFDocumentProxy, number: number): Promise<PageLine[]> => {
  const page = await document.getPage(number);
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const directions = new Map<number, Run[]>();
  for (const item of items) {
    if (!('str' in item)) continue;
    const [a = 1, b = 0, , , x = 0, y = 0] = product(transform, item.transform);
    const quarters = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
    const runs = directions.get(quarters) ?? [];
    runs.push({
      text: item.str,
      ...turned(x, y, quarters),
      width: item.width,
      height: item.height,
      isRightToLeft: item.dir === 'rtl',
    });
    directions.set(quarters, runs);
  }
  page.cleanup();
  const lengthOf = (runs: readonly Run[]): number =>
    runs.reduce((sum, { text }) => sum + text.trim().length, 0);
  return [...directions.values()]
    .sort((first, second) => lengthOf(second) - lengthOf(first))
    .flatMap(linesOfPage)
    .map((line) => ({ ...line, page: number }));
};

/** A line that stands on top or at the bottom of this share of the pages is said once. */
const repeatedShare = 0.6;
const fewestRepetitions = 3;

/** Leaves out headers and footers that repeat. Their numbers may differ. */
const withoutRepeated = (lines: readonly PageLine[], pages: number): readonly PageLine[] => {
  const margins = new Map<PageLine, string>();
  const byPage = new Map<number, PageLine[]>();
  for (const line of lines) byPage.set(line.page, [...(byPage.get(line.page) ?? []), line]);
  for (const ofPage of byPage.values()) {
    const sorted = [...ofPage].sort((first, second) => first.y - second.y);
    for (const line of [sorted[0], sorted.at(-1)])
      if (line !== undefined && sorted.length > 2) margins.set(line, line.text.replaceAll(/\d+/g, '#'));
  }
  const counts = new Map<string, number>();
  for (const key of margins.values()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const seen = new Set<string>();
  return lines.filter((line) => {
    const key = margins.get(line);
    if (key === undefined || (counts.get(key) ?? 0) < Math.max(fewestRepetitions, pages * repeatedShare))
      return true;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst && /\p{L}{3}/u.test(key) && !/^\p{L}+ #/u.test(key);
  });
};

/** The height of most of the text. */
const bodyHeight = (lines: readonly PageLine[]): number => {
  const chars = new Map<number, number>();
  for (const { text, height } of lines) {
    const rounded = Math.round(height);
    chars.set(rounded, (chars.get(rounded) ?? 0) + text.length);
  }
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
};

const longestHeading = 120;

/** A heading of two lines is one heading. */
const isContinued = (before: PageLine | undefined, line: PageLine): boolean =>
  before !== undefined &&
  before.page === line.page &&
  Math.round(before.height) === Math.round(line.height) &&
  line.y > before.y &&
  line.y - before.y <= line.height * 1.6;

const hyphenated = /\p{L}[-\u00AD\u2010]$/u;

const asMarkdown = (lines: readonly PageLine[]): string => {
  const body = bodyHeight(lines);
  const isHeading = ({ text, height }: PageLine): boolean =>
    height > body * 1.15 && text.length <= longestHeading;
  const sizes = [...new Set(lines.filter(isHeading).map(({ height }) => Math.round(height)))].sort(
    (a, b) => b - a,
  );
  let [text, before] = ['', undefined as PageLine | undefined];
  for (const line of lines) {
    const gap = before === undefined ? 0 : line.y - before.y;
    const isElsewhere = before?.page !== line.page || gap < 0;
    // A sentence may go on in the next column or on the next page.
    const continues = isElsewhere && /[\p{L}\p{N},;-]$/u.test(text) && /^\p{Ll}/u.test(line.text);
    const isApart = !continues && (isElsewhere || gap > Math.max(line.height, before?.height ?? 0) * 1.6);
    if (isHeading(line)) {
      const level = Math.min(6, sizes.indexOf(Math.round(line.height)) + 1);
      const isSecond = before !== undefined && isHeading(before) && isContinued(before, line);
      text = isSecond
        ? `${text.trimEnd()} ${line.text}\n\n`
        : `${text}\n\n${'#'.repeat(level)} ${line.text}\n\n`;
    } else if (!isApart && hyphenated.test(text) && /^\p{Ll}/u.test(line.text))
      text = text.slice(0, -1) + line.text;
    else text += `${text === '' || text.endsWith('\n') ? '' : isApart ? '\n\n' : '\n'}${line.text}`;
    before = line;
  }
  return text.trim();
};

export interface PdfText {
  readonly text: string;
  readonly pages: number;
  /** The numbers of the pages that are pictures, or empty. */
  readonly pagesWithoutText: readonly number[];
}

/** @throws ReadFailure */
export const readPdf = async (bytes: Uint8Array): Promise<PdfText> => {
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
    const lines: PageLine[] = [];
    const pagesWithoutText: number[] = [];
    let chars = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      const ofPage = await linesOf(document, number);
      if (ofPage.length === 0) pagesWithoutText.push(number);
      for (const line of ofPage) {
        lines.push(line);
        chars += line.text.length;
      }
      if (chars > limits.textChars) throw new ReadFailure('TOO_LARGE', 'The PDF has too much text.');
    }
    if (lines.length === 0)
      throw new ReadFailure('TOO_SMALL', 'The PDF has no text: its pages are images, or empty.');
    const pages = document.numPages;
    return { text: asMarkdown(withoutRepeated(lines, pages)), pages, pagesWithoutText };
  } catch (error) {
    throw asFailure(error);
  } finally {
    await task.destroy();
  }
};
