// First messages that were synthesized before, kept in a folder that the processes of a worker share. A telephone that is answered at
// once hears its greeting all the same.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Audio, bytesOf, samplesIn } from './audio.js';

const most = 500;

export class Greetings {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param parts everything that the audio depends on: the text, the voice, the models */
  async find(parts: readonly string[]): Promise<Audio | undefined> {
    const file = await readFile(this.#path(parts)).catch(() => undefined);
    if (file === undefined) return undefined;
    return { rate: file.readUInt32LE(0), samples: samplesIn(file.subarray(4)) };
  }

  async keep(parts: readonly string[], { samples, rate }: Audio): Promise<void> {
    if ((await readdir(this.#folder)).length >= most) return;
    const head = Buffer.alloc(4);
    head.writeUInt32LE(rate);
    const written = join(this.#folder, randomUUID());
    await writeFile(written, Buffer.concat([head, bytesOf(samples)]));
    await rename(written, this.#path(parts));
  }

  #path(parts: readonly string[]): string {
    return join(this.#folder, createHash('sha256').update(JSON.stringify(parts)).digest('hex'));
  }
}
