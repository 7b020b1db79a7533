// The one door that every log line and span attribute goes through. Fields with a secret or personal name lose their value
// at any depth, and all text is scrubbed by shape.
import { LRUCache } from 'lru-cache';
import { maskPhone, scrub } from './scrub.js';

const redacted = '[redacted]';
const deepest = 12;

// Names are compared in lower case without separators: `x-api-key`, `X_API_KEY` and `xApiKey` are one name.
const secretNames = new Set([
  'headers',
  'kek',
  'dek',
  'pii',
  'prompt',
  'quoteid',
  'systemprompt',
  'firstmessage',
  'dynamicvariables',
  'secrets',
  'setcookie',
  'credentials',
  'cursorkey',
  'telnyxsignatureed25519',
  'transcript',
  'uploadurl',
  'value',
]);
const secretEnding =
  /(?:authorization|cookies?|secret|token|passw(?:or)?d|apikey|internalkey|signingkey|privatekey|signature|wrappedkey|connectionstring)$/;
const phoneName = /(?:phone|number|msisdn|callerid)$/;

const normalise = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

type Rule = 'secret' | 'phone' | 'plain';

const decideRule = (name: string): Rule => {
  const plain = normalise(name);
  if (secretNames.has(plain) || secretEnding.test(plain)) return 'secret';
  return phoneName.test(plain) ? 'phone' : 'plain';
};

// Field names repeat from line to line.
const decided = new LRUCache<string, Rule>({ max: 1_000, memoMethod: decideRule });
const ruleFor = (name: string): Rule => decided.memo(name);

// Bytes say nothing to a reader and may be a key: Buffers turn into this in JSON, typed arrays into numbered fields.
const looksBinary = (value: object): boolean =>
  ('type' in value && value.type === 'Buffer' && 'data' in value) ||
  ('0' in value && '7' in value && !Array.isArray(value)) ||
  (Array.isArray(value) &&
    value.length >= 16 &&
    value.every((item) => Number.isInteger(item) && item >= 0 && item < 256));

const isShown = (value: unknown): boolean =>
  value === null || value === undefined || typeof value === 'boolean';

const redactField = (name: string, value: unknown, depth: number): unknown => {
  const rule = ruleFor(name);
  if (rule === 'secret') return isShown(value) ? value : redacted;
  if (rule === 'phone' && typeof value === 'string' && /^\+?[\d ().-]{7,20}$/.test(value))
    return maskPhone(value);
  return redactValue(value, depth);
};

/** A copy of JSON-like data that is safe to show. */
export const redactValue = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[deep]';
  if (looksBinary(value)) return '[binary]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [scrub(name), redactField(name, field, depth + 1)]),
  );
};

/** Redacts one line of JSON; a line that cannot be read is withheld. */
export const redactLine = (line: string): string => {
  try {
    return `${JSON.stringify(redactValue(JSON.parse(line)))}\n`;
  } catch {
    return '{"level":"error","msg":"a log line could not be redacted and was withheld"}\n';
  }
};
