// Reads the text of a Word document.
import mammoth from 'mammoth';
import { partsOfDocx } from './docx-archive.js';
import { boxesOf, marginsOf } from './docx-margins.js';
import { styleMapOf } from './docx-styles.js';
import { htmlToMarkdown } from './html-markdown.js';
import { ReadFailure } from './read-failure.js';

const broken = (cause: unknown): ReadFailure =>
  new ReadFailure('PARSE_FAILED', 'The document is broken and cannot be read.', { cause });

/** @throws ReadFailure */
export const readDocx = async (bytes: Buffer): Promise<string> => {
  try {
    const parts = await partsOfDocx(bytes);
    const { value } = await mammoth.convertToHtml(
      { buffer: bytes },
      {
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        styleMap: styleMapOf(parts),
      },
    );
    const text = htmlToMarkdown(value);
    const boxes = boxesOf(parts.get('word/document.xml') ?? '').filter((line) => !text.includes(line));
    // They come first, because text behind the last section would belong to it.
    return [[...marginsOf(parts), ...boxes].join('\n'), text].filter((part) => part !== '').join('\n\n');
  } catch (error) {
    throw error instanceof ReadFailure ? error : broken(error);
  }
};
