// Takes secrets out of the answers of other systems: such a system may send a secret back, unchanged or encoded.
import type { Json } from './arguments.js';

export const mask = '•••';

/** In characters. Shorter values would be found by chance. */
const shortest = 3;

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

/**
 * Base64 of a value inside a longer text. The text before the value shifts its bytes, so the value has three forms. The
 * characters at the ends of a form also depend on the neighbours, and are left out.
 */
const insideBase64 = (value: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const encoded = withoutPadding(
      Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString('base64'),
    );
    const from = before === 0 ? 0 : before + 1;
    const whole = Math.floor(((before + Buffer.byteLength(value)) * 8) / 6);
    const form = encoded.slice(from, whole);
    return form.length < 8 ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });

const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

const encoded = (value: string): string[] => {
  // A stored secret never holds a lone surrogate, on which this call would throw.
  const url = encodeURIComponent(value);
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [url, form, lower(url), lower(form), encodeURI(value)];
};

const formsOf = (value: string): string[] => {
  const hex = Buffer.from(value).toString('hex');
  return [
    value,
    escaped(value),
    escaped(escaped(value)),
    escaped(value).replaceAll('/', '\\/'),
    ...encoded(value),
    ...insideBase64(value),
    ...(hex.length < 8 ? [] : [hex, hex.toUpperCase()]),
  ];
};

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export class Masking {
  readonly #pattern: RegExp | undefined;
  /** Length of the longest form of a secret, in characters. The end of a cut text may hold a part of such a form. */
  readonly longest: number;

  constructor(secrets: Iterable<string>) {
    const forms = [...new Set([...secrets].filter(({ length }) => length >= shortest).flatMap(formsOf))];
    // The longest form comes first, so that no form is found inside a longer one.
    forms.sort((a, b) => b.length - a.length);
    this.longest = forms[0]?.length ?? 0;
    this.#pattern = forms.length === 0 ? undefined : new RegExp(forms.map(literal).join('|'), 'g');
  }

  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, mask);
  }

  /** Masks every text, number and key inside a value of JSON. */
  json(value: Json): Json {
    if (this.#pattern === undefined) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.text(String(value)) === String(value) ? value : mask;
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.text(key), this.json(inner)] as const),
    );
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [this.text(name), this.text(value)] as const),
    );
  }
}
