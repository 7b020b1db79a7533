// The address of a tool: `{name}` stands for a parameter and `{{name}}` for a variable or a secret. Each stands inside
// one segment of the path or inside one value of the query. Every value is encoded, so that it cannot leave its place.
import { fillText, type Values } from '@parlance/contracts';

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'placeholder'; readonly text: string };

type Pieces = readonly Piece[];

export interface UrlTemplate {
  /** Scheme, host and port, as written. */
  readonly origin: string;
  readonly segments: readonly Pieces[];
  readonly query: readonly { readonly name: string; readonly value: Pieces }[];
}

/** The template cannot be filled with these values. */
export class UnfitUrlValue extends Error {
  override readonly name = 'UnfitUrlValue';
}

const parts = /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/is;
const token = /\{\{\s*[A-Za-z_][\w.]*\s*(?:\|[^{}]*)?\}\}|\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;
// Private-use characters mark the places of the placeholders that were taken out of an address.
const marked = /\uE000(\d+)\uE001/;
// The URL parser drops these characters or reads them as others.
const unsafe = /[\p{Cc}\s\\]/u;

const split = (text: string, taken: Pieces): Pieces =>
  text
    .split(marked)
    .flatMap((part, index): Pieces => {
      const piece = index % 2 === 1 ? taken[Number(part)] : { kind: 'text' as const, text: part };
      return piece === undefined ? [] : [piece];
    })
    .filter((piece) => piece.kind !== 'text' || piece.text !== '');

const pair = (text: string, taken: Pieces): { name: string; value: Pieces } => {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { name, value: split(value, taken) };
};

const isPlain = (text: string): boolean => !marked.test(text) && !/[{}]/.test(text);

/** Undefined for a text that is no address, or has a placeholder outside the path's segments and the query's values. */
export const parseUrlTemplate = (text: string): UrlTemplate | undefined => {
  const taken: Piece[] = [];
  if (text.includes('\uE000') || text.includes('\uE001')) return undefined;
  const bare = text.replace(token, (whole: string, name: string | undefined) => {
    taken.push(name === undefined ? { kind: 'placeholder', text: whole } : { kind: 'parameter', name });
    return `\uE000${taken.length - 1}\uE001`;
  });
  const [, origin, path, query] = parts.exec(bare) ?? [];
  if (origin === undefined || path === undefined) return undefined;
  if (!isPlain(origin) || /[{}]/.test(bare) || unsafe.test(bare.replace(/[\uE000\uE001]/g, '')))
    return undefined;
  const pairs = (query ?? '').split('&').filter((entry) => entry !== '');
  if (!pairs.every((entry) => isPlain(entry.split('=', 1)[0] ?? ''))) return undefined;
  // A fragment is not sent, and its placeholders would stand for nothing.
  const used = `${path}?${query ?? ''}`.match(/\uE000/g)?.length ?? 0;
  if (used !== taken.length) return undefined;
  return {
    origin,
    segments: path
      .split('/')
      .slice(1)
      .map((segment) => split(segment, taken)),
    query: pairs.map((entry) => pair(entry, taken)),
  };
};

const namesIn = (all: readonly Pieces[]): ReadonlySet<string> =>
  new Set(all.flat().flatMap((piece) => (piece.kind === 'parameter' ? [piece.name] : [])));

export const pathParametersOf = ({ segments }: UrlTemplate): ReadonlySet<string> => namesIn(segments);

export const queryParametersOf = ({ query }: UrlTemplate): ReadonlySet<string> =>
  namesIn(query.map(({ value }) => value));

const filled = (
  pieces: Pieces,
  parameters: ReadonlyMap<string, string>,
  values: Values,
): string | undefined => {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'placeholder') text += encodeURIComponent(fillText(piece.text, values));
    else {
      const value = parameters.get(piece.name);
      if (value === undefined) return undefined;
      text += encodeURIComponent(value);
    }
  }
  return text;
};

const isFixed = (pieces: Pieces): boolean => pieces.every(({ kind }) => kind === 'text');

/** True for an empty segment, and for every spelling of the segments "." and "..", which mean another place. */
const vanishes = (segment: string): boolean => /^(?:\.|%2e){0,2}$/i.test(segment);

const segmentOf = (pieces: Pieces, parameters: ReadonlyMap<string, string>, values: Values): string => {
  const text = filled(pieces, parameters, values);
  if (text === undefined || (!isFixed(pieces) && vanishes(text))) {
    throw new UnfitUrlValue('a part of the path would be empty, or mean another place');
  }
  return text;
};

/**
 * Fills the address with values. A pair of the query is left out when its parameter has no value.
 * @param appended pairs for the end of the query
 * @throws UnfitUrlValue
 */
export const fillUrl = (
  template: UrlTemplate,
  parameters: ReadonlyMap<string, string>,
  values: Values,
  appended: readonly (readonly [string, string])[] = [],
): string => {
  const path = template.segments.map((pieces) => `/${segmentOf(pieces, parameters, values)}`).join('');
  const given = template.query.flatMap(({ name, value }) => {
    const text = filled(value, parameters, values);
    return text === undefined ? [] : [`${name}=${text}`];
  });
  const added = appended.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const query = [...given, ...added].join('&');
  return `${template.origin}${path || '/'}${query === '' ? '' : `?${query}`}`;
};

/** A sample of the address, to be judged at the save: every placeholder has the value "x". */
export const sampleUrl = (template: UrlTemplate): string => {
  const all = [...pathParametersOf(template), ...queryParametersOf(template)];
  return fillUrl(template, new Map(all.map((name) => [name, 'x'])), () => 'x');
};
