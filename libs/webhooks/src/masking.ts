// Takes secrets out of the answers of other systems: such a system may send a secret back, unchanged or encoded.
import type { ToolRun } from '@parlance/contracts';
import { LosslessNumber } from '@parlance/json';
import { headerText } from './headers.js';

type Json = ToolRun['result'];

export const mask = '•••';

/** The least length in characters. Shorter values would be found by chance. */
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

/** Escapes of JSON for every character beyond ASCII, as some languages write them. */
const asciiOnly = (value: string): string =>
  escaped(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const asHtml = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const asForm = (value: string): string => new URLSearchParams({ v: value }).toString().slice(2);
const inLowerCase = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** The ways in which other systems write a text into JSON, HTML, an address or a form. */
const escapes: readonly ((value: string) => string)[] = [
  escaped,
  (value) => escaped(value).replaceAll('/', '\\/'),
  asciiOnly,
  asHtml,
  // A stored secret never holds a lone surrogate, on which the functions for addresses would throw.
  encodeURIComponent,
  (value) => inLowerCase(encodeURIComponent(value)),
  asForm,
  (value) => inLowerCase(asForm(value)),
  encodeURI,
];
const escapedOnce = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => escapes.map((write) => write(text)));

/** The value as it is, as a header carries it, and both escaped up to two times: JSON may stand inside an address. */
const readable = (value: string): string[] => {
  const plain = [value, headerText(value)];
  const once = escapedOnce(plain);
  return [...plain, ...once, ...escapedOnce(once)];
};

const encoded = (value: string): string[] => {
  const hex = Buffer.from(value).toString('hex');
  const base64 = insideBase64(value);
  return [...base64, ...base64.map(encodeURIComponent), ...(hex.length < 8 ? [] : [hex, hex.toUpperCase()])];
};

/** Parts that every escape leaves as they are. A part without a digit may be a word, which an answer may hold by chance. */
const unchangedParts = (value: string): string[] =>
  (value.match(/[A-Za-z0-9]{12,}/g) ?? []).filter((part) => /[0-9]/.test(part));

const formsOf = (value: string): string[] => [
  ...readable(value),
  ...encoded(value),
  ...encoded(escaped(value)),
  ...unchangedParts(value).flatMap((part) => [part, ...encoded(part)]),
];

export class Masking {
  /** The longest form comes first, so that no form is replaced inside a longer one. */
  readonly #forms: readonly string[];
  /** Length of the longest form of a secret, in characters. The end of a cut text may hold a part of such a form. */
  readonly longest: number;

  constructor(secrets: Iterable<string>) {
    const values = [...new Set(secrets)].filter(({ length }) => length >= shortest);
    const forms = [...new Set(values.flatMap(formsOf))].filter(({ length }) => length >= shortest);
    this.#forms = forms.sort((a, b) => b.length - a.length);
    this.longest = this.#forms[0]?.length ?? 0;
  }

  text(text: string): string {
    return this.#forms.reduce((masked, form) => masked.replaceAll(form, mask), text);
  }

  /** Masks every text, number and key inside a value of JSON. */
  json(value: Json): Json {
    if (this.#forms.length === 0) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' || value instanceof LosslessNumber)
      return this.text(String(value)) === String(value) ? value : mask;
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
