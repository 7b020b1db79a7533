// Takes secrets and phone numbers out of text by their shape: API keys, webhook secrets, tokens, private keys,
// credentials in URLs and `name=value` pairs; plain, or hidden in base64, hex, percent or JSON escapes.

const redacted = '[redacted]';
const longestText = 16_384;

const secretNames =
  'passw(?:or)?d|pwd|secret|token|api[_-]?key|internal[_-]?key|signing[_-]?key|private[_-]?key|signature|credential|authorization|cookie';

const shapes: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, redacted],
  [/eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/g, redacted],
  [/(?:parl_|whsec_)[\w+/=-]{8,}/g, redacted],
  [/(?<![A-Za-z0-9])sk-[\w-]{12,}/g, redacted],
  [/(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}/g, redacted],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, `$1${redacted}@`],
  [/\b(Bearer|Basic)\s+(?=\S*[0-9=])[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  // "name": "value", name='value', and the same inside a JSON string, where the quotes are escaped
  [
    new RegExp(`((?:${secretNames})\\\\*["']?\\s*[:=]\\s*)(\\\\*["'])(?:(?!\\2).)*\\2`, 'gi'),
    `$1$2${redacted}$2`,
  ],
  [new RegExp(`((?:${secretNames})\\s*[:=]\\s*)(?!\\[redacted)[^\\s"'&;,\\\\]{4,}`, 'gi'), `$1${redacted}`],
];

// One look that spares most texts all the others: each shape begins or goes with one of these.
const mayHaveShape = /-----BEGIN|eyJ|parl_|whsec_|sk-|AKIA|:\/\/|bearer|basic|[:=]/i;

const scrubShapes = (text: string): string =>
  !mayHaveShape.test(text)
    ? text
    : shapes.reduce((scrubbed, [shape, replacement]) => scrubbed.replace(shape, replacement), text);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const longRun = /[\w+/-]{16,}={0,2}/g;
const hexOnly = /^(?:[0-9a-f]{2})+$/i;
const percentRun = /[^\s"'<>]*%[0-9a-f]{2}[^\s"'<>]*/gi;
const unicodeRun = /[^\s"'<>]*\\u[0-9a-f]{4}[^\s"'<>]*/gi;

// A secret may start anywhere in the run, so base64 is read from each of its four alignments.
const decodings = (run: string): string[] => {
  const base64 = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('latin1'));
  return hexOnly.test(run) ? [...base64, Buffer.from(run, 'hex').toString('latin1')] : base64;
};

const decodePercent = (run: string): string =>
  run.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );

const decodeUnicode = (run: string): string =>
  run.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

// Two layers deep: base64 inside a URL inside a message is common, more is not.
const hidesSecret = (text: string, depth = 2): boolean =>
  scrubShapes(text) !== text || (depth > 1 && scrubEncoded(text, depth - 1) !== text);

const scrubEncoded = (text: string, depth: number): string => {
  const hide = (decode: (run: string) => readonly string[]) => (run: string) =>
    !uuid.test(run) && decode(run).some((decoded) => hidesSecret(decoded, depth)) ? redacted : run;
  const unescaped = text.includes('\\u')
    ? text.replace(
        unicodeRun,
        hide((run) => [decodeUnicode(run)]),
      )
    : text;
  const decoded = unescaped.includes('%')
    ? unescaped.replace(
        percentRun,
        hide((run) => [decodePercent(run)]),
      )
    : unescaped;
  return decoded.replace(longRun, hide(decodings));
};

const phone = /(\+|%2B)([1-9](?:[ ().-]{0,2}\d){6,14})(?!\d)/gi;

/** `+14155550100` to `+*******0100`. */
export const maskPhone = (digits: string): string => {
  const bare = digits.replace(/\D/g, '');
  return `${'*'.repeat(Math.max(bare.length - 4, 0))}${bare.slice(-4)}`;
};

const harmless = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/i;
const mayHavePhone = /\+|%2B/i;

/** The text without what must not be read in a log; texts over 16 KiB are cut. */
export const scrub = (text: string): string => {
  if (text.length < 8 || harmless.test(text)) return text;
  const short = text.length > longestText ? `${text.slice(0, longestText)}[cut]` : text;
  const scrubbed = scrubEncoded(scrubShapes(short), 2);
  if (!mayHavePhone.test(scrubbed)) return scrubbed;
  return scrubbed.replace(phone, (_, plus: string, digits: string) => plus + maskPhone(digits));
};
