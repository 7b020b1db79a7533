// Synthesized phrases, in memory and in a folder. The folder is shared by the processes of a worker, and may be shared by workers: a
// file gets its name once it is complete, and a file that another process has removed is a miss.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Audio, bytesOf, samplesIn } from './audio.js';

export interface PhraseCacheOptions {
  /** Undefined: phrases are kept in memory only. */
  readonly folder: string | undefined;
  readonly maxBytes: number;
}

/** For one call: some minutes of speech. */
const memoryBytes = 16 * 1024 * 1024;
const sampleBytes = 2;

/** `PSP1`, the rate, and the number of samples. */
const magic = 0x50535031;
const headBytes = 12;
const extension = '.pcm';
const abandonedMs = 3_600_000;
/** Of the limit: what is written between two looks at the folder, and what is removed beyond the limit. */
const trimShare = 0.1;

const encoded = ({ samples, rate }: Audio): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(magic, 0);
  head.writeUInt32LE(rate, 4);
  head.writeUInt32LE(samples.length, 8);
  return Buffer.concat([head, bytesOf(samples)]);
};

const decoded = (file: Buffer): Audio | undefined => {
  if (file.length < headBytes || file.readUInt32BE(0) !== magic) return undefined;
  const samples = samplesIn(file.subarray(headBytes));
  return samples.length === file.readUInt32LE(8) ? { samples, rate: file.readUInt32LE(4) } : undefined;
};

const ignored = (): undefined => undefined;

export class PhraseCache {
  readonly #options: PhraseCacheOptions;
  /** The one that was used last is the last one. */
  readonly #memory = new Map<string, Audio>();
  #memoryUsed = 0;
  /** The folder may be full from an earlier process. */
  #writtenSinceTrim = Number.POSITIVE_INFINITY;

  constructor(options: PhraseCacheOptions) {
    this.#options = options;
  }

  /** @param parts everything that the audio depends on @param isShared false for a phrase that must not be on disk */
  async find(parts: readonly string[], isShared: boolean): Promise<Audio | undefined> {
    const name = nameOf(parts);
    const held = this.#memory.get(name);
    if (held !== undefined) {
      this.#remember(name, held);
      return held;
    }
    const { folder } = this.#options;
    if (!isShared || folder === undefined) return undefined;
    const path = join(folder, name);
    const file = await readFile(path).catch(ignored);
    const audio = file && decoded(file);
    if (audio === undefined) return undefined;
    const now = new Date();
    await utimes(path, now, now).catch(ignored);
    this.#remember(name, audio);
    return audio;
  }

  async keep(parts: readonly string[], audio: Audio, isShared: boolean): Promise<void> {
    const name = nameOf(parts);
    this.#remember(name, audio);
    const { folder } = this.#options;
    if (!isShared || folder === undefined) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const written = join(folder, randomUUID());
    const file = encoded(audio);
    await writeFile(written, file, { mode: 0o600 });
    await rename(written, join(folder, name));
    this.#writtenSinceTrim += file.length;
    if (this.#writtenSinceTrim >= this.#options.maxBytes * trimShare) await this.#trim(folder);
  }

  #remember(name: string, audio: Audio): void {
    const bytes = audio.samples.length * sampleBytes;
    if (this.#memory.delete(name)) this.#memoryUsed -= bytes;
    this.#memory.set(name, audio);
    this.#memoryUsed += bytes;
    for (const [oldest, { samples }] of this.#memory) {
      if (this.#memoryUsed <= memoryBytes) return;
      this.#memory.delete(oldest);
      this.#memoryUsed -= samples.length * sampleBytes;
    }
  }

  /** Removes what was not used for longest. */
  async #trim(folder: string): Promise<void> {
    this.#writtenSinceTrim = 0;
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        const stats = await stat(path).catch(ignored);
        return (
          stats && { path, isPhrase: name.endsWith(extension), usedAt: stats.mtimeMs, bytes: stats.size }
        );
      }),
    );
    const files = found.filter((file) => file !== undefined);
    const abandoned = files.filter(({ isPhrase, usedAt }) => !isPhrase && Date.now() - usedAt > abandonedMs);
    for (const { path } of abandoned) await rm(path, { force: true });
    const phrases = files
      .filter(({ isPhrase }) => isPhrase)
      .toSorted((one, other) => one.usedAt - other.usedAt);
    const { maxBytes } = this.#options;
    let used = phrases.reduce((sum, { bytes }) => sum + bytes, 0);
    if (used <= maxBytes) return;
    for (const { path, bytes } of phrases) {
      if (used <= maxBytes * (1 - trimShare)) return;
      await rm(path, { force: true });
      used -= bytes;
    }
  }
}

const nameOf = (parts: readonly string[]): string =>
  `${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}${extension}`;
