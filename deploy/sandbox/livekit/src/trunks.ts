// Outbound trunks, kept on disk as the real server keeps them: rooms end with a restart, trunks do not.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { newSid } from './room-model.js';

type Trunk = Readonly<Record<string, unknown>> & { readonly sipTrunkId: string };

export class Trunks {
  readonly #file: string;
  readonly #trunks: Trunk[];

  constructor(file: string) {
    this.#file = file;
    this.#trunks = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  }

  create(trunk: object): Trunk {
    const made: Trunk = { ...trunk, sipTrunkId: newSid('ST') };
    this.#trunks.push(made);
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#trunks), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    return made;
  }

  list(): readonly Trunk[] {
    return this.#trunks;
  }

  has(id: string): boolean {
    return this.#trunks.some(({ sipTrunkId }) => sipTrunkId === id);
  }
}
