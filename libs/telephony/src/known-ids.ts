// Ids of the trunk or connection that an installation has at its provider, by the name of the target. A process looks for
// each id once, unless it is forgotten.
import type { SipTarget } from './number-provider.js';

export class KnownIds {
  readonly #known = new Map<string, Promise<string>>();

  /** @param find is asked again after it has failed */
  of({ name }: SipTarget, find: () => Promise<string>): Promise<string> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = find();
    this.#known.set(name, found);
    found.catch(() => {
      // The target may have been forgotten and found by another search since.
      if (this.#known.get(name) === found) this.#known.delete(name);
    });
    return found;
  }

  remember({ name }: SipTarget, id: string): void {
    this.#known.set(name, Promise.resolve(id));
  }

  forget({ name }: SipTarget): void {
    this.#known.delete(name);
  }
}
