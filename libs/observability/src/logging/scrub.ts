// Takes secrets and phone numbers out of text by their shape. Secrets are API keys, webhook secrets, tokens, private keys,
// credentials in URLs and `name=value` pairs. They may be plain, or hidden in base64, hex, percent or JSON escapes.
//
// Strangers choose the text that is logged, so the work is bounded. A pattern either begins with a fixed word, or is one
// maximal run of a class of characters. Such a run is looked through once. No text makes a pattern read it again and again.

const redacted = '[redacted]';
const longestText = 8_192;
/** Beyond this many characters, encoded text inside other encoded text is redacted unread: it may hold a secret. */
const longestNested = 2_048;

const secretNames =
  'passw(?:or)?d|pwd|secret|token|api[_-]?key|internal[_-]?key|signing[_-]?key|private[_-]?key|signature|credential|authorization|cookie';

type Replace = (text: string) => string;

// A token is three runs with dots between. All that hangs together is taken as one, and then looked at from dot to dot.
const dottedRun = /eyJ[\w-]*(?:\.[\w-]*)*/g;
const leastPart = 8;

const redactToken = (run: string): string => {
  const parts = run.split('.');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const begin = part.indexOf('eyJ');
    const isHead = begin !== -1 && part.length - begin - 3 >= leastPart;
    if (isHead && (parts[index + 1]?.length ?? 0) >= leastPart) return run.slice(0, at + begin) + redacted;
    at += part.length + 1;
  }
  return run;
};

interface Shape {
  /** False for texts that cannot hold it; far cheaper than the replacement. */
  readonly mayBeIn: (text: string) => boolean;
  readonly replace: Replace;
}

const shape = (mayBeIn: Shape['mayBeIn'], pattern: RegExp, replacement: string): Shape => ({
  mayBeIn,
  replace: (text) => text.replace(pattern, replacement),
});

// "name": "value", name='value', and the same inside JSON strings up to three deep, where the quotes are escaped.
const named = new RegExp(`(?:${secretNames})\\\\{0,7}["']?\\s*[:=]`, 'i');
const quotedValue = new RegExp(
  `((?:${secretNames})\\\\{0,7}["']?\\s*[:=]\\s*)(\\\\{0,7}["'])(?:(?!\\2).)*\\2`,
  'gi',
);
const bareValue = new RegExp(`((?:${secretNames})\\s*[:=]\\s*)(?!\\[redacted)[^\\s"'&;,\\\\]{4,}`, 'gi');
const holds =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    words.some((word) => text.includes(word));

const shapes: readonly Shape[] = [
  shape(holds('-----BEGIN '), /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, redacted),
  {
    mayBeIn: holds('eyJ'),
    replace: (text) => text.replace(dottedRun, redactToken),
  },
  shape(holds('parl_', 'whsec_'), /(?:parl_|whsec_)[\w+/=-]{8,}/g, redacted),
  shape(holds('sk-'), /(?<![A-Za-z0-9])sk-[\w-]{12,}/g, redacted),
  shape(holds('AKIA'), /(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}/g, redacted),
  shape(holds('://'), /(?<=[a-z0-9+.-]):\/\/[^\s/@"'<>]+@/gi, `://${redacted}@`),
  shape(
    (text) => /bearer|basic/i.test(text),
    /\b(Bearer|Basic)\s+(?=\S*[0-9=])[\w.~+/=-]{8,}/gi,
    `$1 ${redacted}`,
  ),
  {
    mayBeIn: (text) => named.test(text),
    replace: (text) => text.replace(quotedValue, `$1$2${redacted}$2`).replace(bareValue, `$1${redacted}`),
  },
];

// One look that spares most texts all the others: each shape begins or goes with one of these.
const mayHaveShape = /-----BEGIN|eyJ|parl_|whsec_|sk-|AKIA|:\/\/|bearer|basic|[:=]/i;

const scrubShapes = (text: string): string =>
  mayHaveShape.test(text)
    ? shapes.reduce(
        (scrubbed, { mayBeIn, replace }) => (mayBeIn(scrubbed) ? replace(scrubbed) : scrubbed),
        text,
      )
    : text;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hexOnly = /^(?:[0-9a-f]{2})+$/i;

// A secret may start anywhere in the run, so base64 is read from each of its four alignments.
const decodeBase64 = (run: string): string[] => {
  const base64 = [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('latin1'));
  return hexOnly.test(run) ? [...base64, Buffer.from(run, 'hex').toString('latin1')] : base64;
};

const decodePercent = (run: string): string =>
  run.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );

const decodeUnicode = (run: string): string =>
  run.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

interface Encoding {
  readonly mayBeIn: (text: string) => boolean;
  /** Maximal runs that may be encoded so. */
  readonly run: RegExp;
  readonly isIn: (run: string) => boolean;
  readonly decode: (run: string) => readonly string[];
}

const word = /[^\s"'<>]+/g;

const encodings: readonly Encoding[] = [
  {
    mayBeIn: holds('\\u'),
    run: word,
    isIn: (run) => /\\u[0-9a-f]{4}/i.test(run),
    decode: (run) => [decodeUnicode(run)],
  },
  {
    mayBeIn: holds('%'),
    run: word,
    isIn: (run) => /%[0-9a-f]{2}/i.test(run),
    decode: (run) => [decodePercent(run)],
  },
  {
    mayBeIn: () => true,
    run: /[\w+/-]{16,}={0,2}/g,
    isIn: (run) => !uuid.test(run),
    decode: decodeBase64,
  },
];

/** Characters of text inside encoded text that are still to be read. */
interface Patience {
  left: number;
}

// Two layers deep: base64 inside a URL inside a message is common, more is not.
const hidesSecret = (text: string, patience: Patience, isNested: boolean): boolean =>
  scrubShapes(text) !== text || (!isNested && scrubEncoded(text, patience, true) !== text);

const scrubEncoded = (text: string, patience: Patience, isNested: boolean): string =>
  encodings.reduce((scrubbed, { mayBeIn, run: pattern, isIn, decode }) => {
    if (!mayBeIn(scrubbed)) return scrubbed;
    return scrubbed.replace(pattern, (run) => {
      if (!isIn(run)) return run;
      if (isNested) patience.left -= run.length;
      if (patience.left < 0) return redacted;
      return decode(run).some((decoded) => hidesSecret(decoded, patience, isNested)) ? redacted : run;
    });
  }, text);

const phone = /(\+|%2B)([1-9](?:[ ().-]{0,2}\d){6,14})(?!\d)/gi;

/** `+14155550100` to `+*******0100`. */
export const maskPhone = (digits: string): string => {
  const bare = digits.replace(/\D/g, '');
  return `${'*'.repeat(Math.max(bare.length - 4, 0))}${bare.slice(-4)}`;
};

const harmless = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/i;
const mayHavePhone = /\+|%2B/i;

/** The text without secrets and personal data; texts over 8 KiB are cut. */
export const scrub = (text: string): string => {
  if (text.length < 8 || harmless.test(text)) return text;
  const short = text.length > longestText ? `${text.slice(0, longestText)}[cut]` : text;
  const scrubbed = scrubEncoded(scrubShapes(short), { left: longestNested }, false);
  if (!mayHavePhone.test(scrubbed)) return scrubbed;
  return scrubbed.replace(phone, (_, plus: string, digits: string) => plus + maskPhone(digits));
};
