// Parameters of a request, from its query or its form. Parameters that this stand-in does not act on are refused and
// not ignored.
import { invalid } from './errors.js';

const paging = ['Page', 'PageSize', 'PageToken'];

export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  private constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** @throws TwilioError for a parameter that is not among those that are known */
  static from(source: unknown, known: readonly string[]): Parameters {
    const values = new Map(
      Object.entries(source ?? {}).map(([name, value]) => [
        name,
        String(Array.isArray(value) ? value.at(-1) : value),
      ]),
    );
    const unknown = [...values.keys()].find((name) => !known.includes(name) && !paging.includes(name));
    if (unknown) throw invalid(`This stand-in does not implement the parameter ${unknown}`);
    return new Parameters(values);
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  required(name: string): string {
    const value = this.text(name);
    if (!value) throw invalid(`Missing required parameter ${name} in the post body`);
    return value;
  }

  integer(name: string, otherwise: number): number {
    const value = Number(this.text(name) ?? otherwise);
    if (!Number.isInteger(value) || value < 0) throw invalid(`Invalid ${name}`);
    return value;
  }

  /** Undefined where the caller does not care. */
  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    return value === undefined ? undefined : value === 'true';
  }

  /** The given ones under their names in an answer: `VoiceUrl` becomes `voice_url`. */
  settings(names: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = this.text(name);
        return value === undefined ? [] : [[snakeCase(name), value]];
      }),
    );
  }
}

export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
