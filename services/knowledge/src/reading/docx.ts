// Reads the text of a Word document. Its parts are inflated once before, only to count their bytes. This is because the
// library that converts them believes the sizes that the archive declares.
import mammoth from 'mammoth';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { htmlToMarkdown } from './html.js';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

const tooLarge = (): ReadFailure =>
  new ReadFailure('TOO_LARGE', 'The document is too large once it is unpacked.');
const broken = (cause: unknown): ReadFailure =>
  new ReadFailure('PARSE_FAILED', 'The document is broken and cannot be read.', { cause });

const open = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => (zip ? resolve(zip) : reject(error)));
  });

/** Counts the bytes of an inflated part, and keeps none of them. */
const inflatedSize = (zip: ZipFile, entry: Entry, most: number): Promise<number> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!stream) {
        reject(error);
        return;
      }
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > most) stream.destroy(tooLarge());
      });
      stream.on('end', () => resolve(size));
      stream.on('error', reject);
    });
  });

const entriesOf = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });

const judge = async (bytes: Buffer): Promise<void> => {
  const zip = await open(bytes);
  const entries = await entriesOf(zip);
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > limits.inflatedBytes)
    throw tooLarge();
  let left: number = limits.inflatedBytes;
  for (const entry of entries) left -= await inflatedSize(zip, entry, left);
};

/** @throws ReadFailure */
export const readDocx = async (bytes: Buffer): Promise<string> => {
  try {
    await judge(bytes);
    const { value } = await mammoth.convertToHtml(
      { buffer: bytes },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    );
    return htmlToMarkdown(value);
  } catch (error) {
    throw error instanceof ReadFailure ? error : broken(error);
  }
};
