// The strings of a spreadsheet stand apart from its cells and may all be different. They are kept in a file, with a few
// blocks of it in memory. Cells mostly ask for neighbours.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const blockBytes = 64 * 1024;
const blocksKept = 64;
const firstOffsets = 1 << 12;

export class StringStore {
  readonly #file: number;
  /** The offset at which each string begins; one more offset than strings. */
  #offsets = new Float64Array(firstOffsets);
  #count = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;
  /** Blocks by number; the one asked for longest ago comes first. */
  readonly #blocks = new Map<number, Buffer>();

  /** @param path of a file that does not exist */
  constructor(path: string) {
    this.#file = openSync(path, 'wx+', 0o600);
  }

  add(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    if (this.#count + 2 > this.#offsets.length) {
      const old = this.#offsets;
      this.#offsets = new Float64Array(old.length * 2);
      this.#offsets.set(old);
    }
    this.#count += 1;
    this.#offsets[this.#count] = (this.#offsets[this.#count - 1] ?? 0) + bytes.byteLength;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
    if (this.#pendingBytes >= blockBytes) this.flush();
  }

  /** To be called after the last `add`, before the first `get`. */
  flush(): void {
    const bytes = Buffer.concat(this.#pending);
    for (let done = 0; done < bytes.byteLength; )
      done += writeSync(this.#file, bytes, done, bytes.byteLength - done, this.#written + done);
    this.#written += bytes.byteLength;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /** '' for a number that no string has. */
  get(index: number): string {
    const start = this.#offsets[index];
    const end = this.#offsets[index + 1];
    if (!(index >= 0 && index < this.#count) || start === undefined || end === undefined) return '';
    const block = Math.floor(start / blockBytes);
    const from = start - block * blockBytes;
    if (end - start + from <= blockBytes)
      return this.#block(block).toString('utf8', from, from + end - start);
    return this.#read(start, end - start).toString('utf8');
  }

  close(): void {
    closeSync(this.#file);
  }

  #block(number: number): Buffer {
    const known = this.#blocks.get(number);
    if (known !== undefined) this.#blocks.delete(number);
    const block = known ?? this.#read(number * blockBytes, blockBytes);
    this.#blocks.set(number, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > blocksKept && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    const read = readSync(this.#file, bytes, 0, length, position);
    return bytes.subarray(0, read);
  }
}
