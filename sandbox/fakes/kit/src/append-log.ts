// An append-only file of lines, each on disk before anybody is told that it is. Lines that wait together share one flush.
import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class AppendLog {
  readonly path: string;
  readonly #file: FileHandle;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  /** A write failed, perhaps in the middle of a line. */
  #torn = false;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Opens the file at a path and makes it, with its folder, where there is none. */
  static async open(path: string): Promise<AppendLog> {
    mkdirSync(dirname(path), { recursive: true });
    const file = await open(path, 'a+');
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // A line torn by a machine that died was never acknowledged; a line of its own keeps it from spoiling the next.
    if (size > 0 && last.toString() !== '\n') await file.appendFile('\n');
    return new AppendLog(path, file);
  }

  /** Resolves when the value is on disk as one line of JSON. Lines keep their order. */
  append(value: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(value)}\n`, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file.appendFile((this.#torn ? '\n' : '') + batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        this.#torn = false;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#torn = true;
        for (const { reject } of batch) reject(error);
      }
    }
    this.#flushing = undefined;
  }
}
