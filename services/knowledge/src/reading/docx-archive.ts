// The parts of a Word document. All of them are inflated once, only to count their bytes. This is because the
// library that converts the document believes the sizes that the archive declares.
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { limits } from './limits.js';
import { ReadFailure } from './read-failure.js';

/** A larger part is read by the library alone. */
const mostKept = 20 * 1_048_576;
const kept = /^word\/(?:document|styles|(?:header|footer)\d*)\.xml$/;

const tooLarge = (): ReadFailure =>
  new ReadFailure('TOO_LARGE', 'The document is too large once it is unpacked.');

const open = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => (zip ? resolve(zip) : reject(error)));
  });

interface Inflated {
  readonly size: number;
  /** Undefined for a part that is not needed, or too large. */
  readonly text: string | undefined;
}

const inflate = (zip: ZipFile, entry: Entry, most: number): Promise<Inflated> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!stream) {
        reject(error);
        return;
      }
      let size = 0;
      let chunks: Buffer[] | undefined = kept.test(entry.fileName) ? [] : undefined;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostKept) chunks = undefined;
        chunks?.push(chunk);
        if (size > most) stream.destroy(tooLarge());
      });
      stream.on('end', () => resolve({ size, text: chunks && Buffer.concat(chunks).toString() }));
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

/** The text of the needed parts by their names. @throws ReadFailure TOO_LARGE */
export const partsOfDocx = async (bytes: Buffer): Promise<ReadonlyMap<string, string>> => {
  const zip = await open(bytes);
  const entries = await entriesOf(zip);
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > limits.inflatedBytes)
    throw tooLarge();
  const parts = new Map<string, string>();
  let left: number = limits.inflatedBytes;
  for (const entry of entries) {
    const { size, text } = await inflate(zip, entry, left);
    left -= size;
    if (text !== undefined) parts.set(entry.fileName, text);
  }
  return parts;
};
