// A string that must not be printed. It shows itself as `[secret]` wherever a value is turned into text.
import { inspect } from 'node:util';

const shown = '[secret]';

/** Holds a secret; only `reveal` gives it out, so every use can be found by that name. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [inspect.custom](): string {
    return shown;
  }
}
