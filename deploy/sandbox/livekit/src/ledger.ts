// The ledger: every dial that was received and every ring that was made, on disk before anything else happens.
// Audits compare the platform with it; it outlives a killed platform.
import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

export interface LedgerEntry {
  /** `dial`: a request came in. `ring`: the phone rang because of it. */
  readonly kind: 'dial' | 'ring';
  readonly at: string;
  readonly room: string;
  readonly identity: string;
  readonly to: string;
  readonly from: string;
  readonly sipCallId: string;
}

export class Ledger {
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<Ledger> {
    mkdirSync(dirname(path), { recursive: true });
    return new Ledger(await open(path, 'a'));
  }

  /** Resolves when the entry is on disk. Entries keep their order. */
  write(entry: LedgerEntry): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#file.appendFile(`${JSON.stringify(entry)}\n`);
      await this.#file.datasync();
    });
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}

/** Reads a ledger line by line; a torn last line, of a machine that died while writing, is left out. */
export async function* readLedger(path: string): AsyncIterable<LedgerEntry> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    try {
      yield JSON.parse(line) as LedgerEntry; // written by `write` above
    } catch {
      return;
    }
  }
}
