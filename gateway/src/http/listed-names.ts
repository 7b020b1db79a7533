// Names of files that are kept in Postgres, as a list in memory. Anybody may ask for a file. Invented names cost no more than one query
// in a second, however many are asked for.
const listForMs = 1_000;

export class ListedNames {
  readonly #list: () => Promise<readonly string[]>;
  #names: Promise<ReadonlySet<string>> | undefined;
  #listedAt = 0;

  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list;
  }

  /** @throws the error of the list */
  async has(name: string): Promise<boolean> {
    if (await this.#names?.then((names) => names.has(name))) return true;
    if (this.#names === undefined || Date.now() - this.#listedAt > listForMs) {
      this.#listedAt = Date.now();
      const listing = this.#list().then((names) => new Set(names));
      this.#names = listing;
      listing.catch(() => {
        if (this.#names === listing) this.#names = undefined;
      });
    }
    return (await this.#names).has(name);
  }
}
