// JSON in columns of type jsonb. Postgres keeps the value of a number there and not its form: it writes 1E400 as 401
// digits, makes 0 of -0, and refuses 1E200000. So a lossless number is stored as an object that only this file makes.
import { LosslessNumber, stringifyJson, writeWithTokens } from './lossless-number.js';

const member = '$losslessNumber';

/** The member alone, or behind more dollar signs: an object of a customer that would pass for one of ours. */
const escaped = /^\$+losslessNumber$/;

const onlyKeyOf = (value: object): string | undefined => {
  const keys = Object.keys(value);
  return keys.length === 1 ? keys[0] : undefined;
};

const toStored = (value: unknown): unknown => {
  if (value instanceof LosslessNumber) return { [member]: value.toString() };
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map(toStored);
  const key = onlyKeyOf(value);
  const sign = key !== undefined && escaped.test(key) ? '$' : '';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [sign + name, toStored(inner)]));
};

const fromStored = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const key = onlyKeyOf(value);
  if (key === undefined || !escaped.test(key)) return value;
  const inner: unknown = Reflect.get(value, key);
  if (key !== member) return { [key.slice(1)]: inner };
  try {
    return new LosslessNumber(String(inner));
  } catch {
    return value; // stored before this form existed
  }
};

/** The text for a parameter of type jsonb. */
export const stringifyStored = (value: unknown): string => {
  const { text, tokens } = writeWithTokens(value);
  return tokens > 0 || text.includes(member) ? JSON.stringify(toStored(value)) : text;
};

/** The value of a text that Postgres wrote for a jsonb. */
export const parseStored = (text: string): unknown =>
  text.includes(member) ? JSON.parse(text, fromStored) : JSON.parse(text);

/** A double that JavaScript writes with an exponent, and Postgres without one. */
const mayHaveExponent = /\d{22}|0\.0{6}/;

/** Such a text as ordinary JSON. */
export const jsonOfStored = (text: string): string =>
  text.includes(member) || mayHaveExponent.test(text) ? stringifyJson(parseStored(text)) : text;
