// The zip archive of a spreadsheet, unpacked as a stream and never further than the limits. An archive may lie about
// its own size.
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileRefused, refuse } from '../sheet/file-refusal.js';

const maxEntries = 1_000;
/** Unpacked to packed. Spreadsheets reach ten to thirty, a bomb a thousand. */
const maxRatio = 100;
/** Small parts may well be nothing but repetition. */
const ratioFromBytes = 1024 * 1024;

const damaged = (): FileRefused => refuse('FILE_INVALID', 'the spreadsheet is damaged: save it again');

const checkRatio = (bytes: number, packed: number): void => {
  if (bytes > ratioFromBytes && bytes > packed * maxRatio)
    throw refuse('FILE_INVALID', 'the spreadsheet unpacks to more than a hundred times its size');
};

export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #maxInflatedBytes: number;
  #inflated = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, maxInflatedBytes: number) {
    this.#zip = zip;
    this.#entries = entries;
    this.#maxInflatedBytes = maxInflatedBytes;
  }

  /** @throws FileRefused for a file that is no archive, or an archive of too many parts */
  static async open(path: string, maxInflatedBytes: number): Promise<Archive> {
    const zip = await yauzl
      .openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
      .catch(() => {
        throw damaged();
      });
    try {
      if (zip.entryCount > maxEntries)
        throw refuse('FILE_INVALID', `the spreadsheet has more than ${maxEntries} parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new Archive(zip, entries, maxInflatedBytes);
    } catch (error) {
      zip.close();
      throw error instanceof FileRefused ? error : damaged();
    }
  }

  /** @param name as in the archive; upper and lower case are the same */
  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * The text of one part, in chunks.
   * @throws FileRefused when it is damaged or grows beyond the limits
   */
  async *textOf(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw damaged();
    if (entry.isEncrypted()) throw refuse('FILE_INVALID', 'the spreadsheet is protected by a password');
    // A part with the declared sizes of a zip bomb is never opened. A part that lies is found out while it unpacks.
    checkRatio(entry.uncompressedSize, entry.compressedSize);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let inflated = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of stream) {
        const bytes: Uint8Array = chunk; // without an encoding a stream gives bytes
        inflated += bytes.byteLength;
        this.#count(bytes.byteLength, inflated, entry.compressedSize);
        yield decoder.decode(bytes, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      throw error instanceof FileRefused ? error : damaged();
    }
  }

  close(): void {
    this.#zip.close();
  }

  #count(bytes: number, ofPart: number, packed: number): void {
    this.#inflated += bytes;
    if (this.#inflated > this.#maxInflatedBytes)
      throw refuse(
        'FILE_TOO_LARGE',
        `the spreadsheet unpacks to more than ${Math.round(this.#maxInflatedBytes / 1024 / 1024)} MiB`,
      );
    checkRatio(ofPart, packed);
  }
}
