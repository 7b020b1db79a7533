// The ledger: what the providers were asked to do, on disk before it is answered. Audits compare the platform with it;
// it outlives a killed platform. One file for a whole run: every stand-in appends whole lines to it.
import { createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

export interface CallEntry {
  /** `dial`: a request came in. `ring`: the phone rang because of it. */
  readonly kind: 'dial' | 'ring';
  readonly at: string;
  readonly room: string;
  readonly identity: string;
  readonly to: string;
  readonly from: string;
  readonly sipCallId: string;
}

export interface NumberEntry {
  /** `purchase`: the account owns the number from now on. `release`: it no longer does. `configure`: its settings changed. */
  readonly kind: 'purchase' | 'release' | 'configure';
  readonly at: string;
  readonly provider: 'twilio' | 'telnyx';
  /** E.164 */
  readonly phoneNumber: string;
  /** The provider's id of the owned number. */
  readonly providerId: string;
  /** What the buyer wrote on it, such as Twilio's friendly name or Telnyx's customer reference. */
  readonly marker: string | null;
  /** Whose number it is at the provider. */
  readonly account: string;
}

export type LedgerEntry = CallEntry | NumberEntry;

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Ledger {
  readonly path: string;
  readonly #file: FileHandle;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Opens the ledger at a path and makes it, with its folder, where there is none. */
  static async open(path: string): Promise<Ledger> {
    mkdirSync(dirname(path), { recursive: true });
    const file = await open(path, 'a+');
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // A line torn by a machine that died was never acknowledged; a line of its own keeps it from spoiling the next.
    if (size > 0 && last.toString() !== '\n') await file.appendFile('\n');
    return new Ledger(path, file);
  }

  /** Resolves when the entry is on disk. Entries keep their order; those that wait together share one flush. */
  write(entry: LedgerEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
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
        await this.#file.appendFile(batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#flushing = undefined;
  }
}

/** Reads a ledger line by line. Torn lines, of a machine that died while writing, are left out. */
export async function* readLedger(path: string): AsyncIterable<LedgerEntry> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    try {
      yield JSON.parse(line) as LedgerEntry; // written by `write` above
    } catch {
      // Never acknowledged to anybody.
    }
  }
}

/** The dials and rings of a ledger. */
export async function* readCalls(path: string): AsyncIterable<CallEntry> {
  for await (const entry of readLedger(path)) if (entry.kind === 'dial' || entry.kind === 'ring') yield entry;
}
