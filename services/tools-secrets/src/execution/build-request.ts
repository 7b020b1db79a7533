// Builds the request of one execution from the tool, its arguments and the values of its placeholders. This file
// reads and sends nothing.
import { fillText, type ToolParameter, type Values } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { fillJson, headerText } from '@parlance/webhooks';
import type { StoredHeader } from '../tools/header-values.js';
import { typedPreset } from '../tools/preset.js';
import type { ToolDocument } from '../tools/tool-record.js';
import { fillUrl, parseUrlTemplate, queryParametersOf, UnfitUrlValue } from '../tools/url-template.js';
import { type Arguments, type Json, UnfitArguments } from './arguments.js';

export interface BuiltRequest {
  readonly method: ToolDocument['request']['method'];
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The values of placeholders and stored headers. */
export interface Fillings {
  /** Variables, `system.*` and `secrets.*`. */
  readonly values: Values;
  /** The value of a secret that the body refers to as `{ secretId }`. */
  readonly secretById: (id: string) => string;
  /** The value of a header that is stored as an object, not as a text. */
  readonly header: (name: string, value: Exclude<StoredHeader, string>) => string;
}

type Named = readonly (readonly [ToolParameter, Json])[];

const maxUrlCharacters = 8_192;

/** An optional preset without a value is left out. */
const presetOf = (parameter: ToolParameter, values: Values): Json | undefined => {
  const text = fillText(parameter.value ?? '', values);
  if (text === '' && !parameter.required) return undefined;
  const value = typedPreset(parameter.type, text);
  if (value === undefined) throw new UnfitArguments(`the value set for ${parameter.name} is not of its type`);
  return value;
};

const withPresets = (parameters: readonly ToolParameter[], given: Arguments, values: Values): Named =>
  parameters.flatMap((parameter) => {
    const value = parameter.source === 'preset' ? presetOf(parameter, values) : given.get(parameter.name);
    return value === undefined ? [] : [[parameter, value] as const];
  });

const asText = (value: Json): string => (typeof value === 'string' ? value : stringifyJson(value));

/** In a query, an array is one pair for each of its items. */
const pairsOf = (all: Named): (readonly [string, string])[] =>
  all.flatMap(([{ name }, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [name, asText(item)] as const),
  );

const urlOf = ({ request }: ToolDocument, all: Named, values: Values): string => {
  const template = parseUrlTemplate(request.url);
  if (template === undefined) throw new UnfitArguments('the address of the tool cannot be read');
  const inQuery = queryParametersOf(template);
  const placed = all.filter(([{ in: place, name }]) => place === 'path' || inQuery.has(name));
  const appended = all.filter(([{ in: place, name }]) => place === 'query' && !inQuery.has(name));
  const texts = new Map(placed.map(([{ name }, value]) => [name, asText(value)] as const));
  try {
    const url = fillUrl(template, texts, values, pairsOf(appended));
    if (url.length > maxUrlCharacters) throw new UnfitArguments('the address would be too long');
    return url;
  } catch (error) {
    if (error instanceof UnfitUrlValue) throw new UnfitArguments(error.message);
    throw error;
  }
};

const formOf = (fields: Readonly<Record<string, unknown>>): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'string' ? value : stringifyJson(value));
  }
  return form.toString();
};

const bodyOf = ({ request }: ToolDocument, all: Named, { values, secretById }: Fillings): string | null => {
  const given = all.filter(([parameter]) => parameter.in === 'body');
  if (request.method === 'GET' || (request.bodyTemplate === null && given.length === 0)) return null;
  const template = Object.entries(request.bodyTemplate ?? {});
  const fields = Object.fromEntries([
    ...template.map(([name, value]) => [name, fillJson(value, values, secretById)] as const),
    ...given.map(([{ name }, value]) => [name, value] as const),
  ]);
  return request.contentType === 'application/json' ? stringifyJson(fields) : formOf(fields);
};

/** @throws UnfitArguments when the arguments do not make a request */
export const buildRequest = (tool: ToolDocument, given: Arguments, fillings: Fillings): BuiltRequest => {
  const { values, header } = fillings;
  const { request } = tool;
  const all = withPresets(tool.parameters, given, values);
  const url = urlOf(tool, all, values);
  const body = bodyOf(tool, all, fillings);
  const configured = Object.entries(request.headers).map(([name, value]) => {
    const text = typeof value === 'string' ? fillText(value, values) : header(name, value);
    return [name.toLowerCase(), headerText(text)] as const;
  });
  const own = {
    accept: 'application/json, */*;q=0.5',
    ...(body === null ? {} : { 'content-type': request.contentType }),
  };
  return { method: request.method, url, headers: { ...own, ...Object.fromEntries(configured) }, body };
};
