// The rules that a tool must keep to be saved, beyond its shape in the contract.
import { impossiblePlaceholders, type ToolInput, type ToolParameter, textsIn } from '@parlance/contracts';
import type { UrlRules } from '@parlance/egress';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { isConfigurable } from '@parlance/webhooks';
import { type Mentioning, refuseMisplacedReferences } from './mentions.js';
import { typedPreset } from './preset.js';
import {
  parseUrlTemplate,
  pathParametersOf,
  queryParametersOf,
  sampleUrl,
  type UrlTemplate,
} from './url-template.js';

/** The fields of a tool that the rules judge. */
export type Ruled = Mentioning & Pick<ToolInput, 'name'>;

/** Names that are properties of every object. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);
const maxCharacters = 65_536;
const maxHeaders = 50;
const variable = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const issue = (path: string, message: string): Issue => ({
  path: path === '' ? 'body' : `body.${path}`,
  code: 'custom',
  message,
});

const repeated = (names: readonly string[]): string | undefined => {
  const lower = names.map((name) => name.toLowerCase());
  return names.find((_, index) => lower.indexOf(lower[index] ?? '') !== index);
};

const issuesOfParameter = (
  { name, in: place, type, required, source, value, enum: allowed }: ToolParameter,
  path: string,
): Issue[] => {
  const issues: Issue[] = [];
  if (reserved.has(name)) issues.push(issue(`${path}.name`, 'is a reserved name'));
  const isScalar = type !== 'object' && type !== 'array';
  if (place === 'path' && !isScalar) issues.push(issue(`${path}.type`, 'cannot be part of a path'));
  if (place === 'path' && !required) issues.push(issue(`${path}.required`, 'must be true in a path'));
  if (allowed !== undefined && (!isScalar || type === 'boolean')) {
    issues.push(issue(`${path}.enum`, 'goes with strings and numbers'));
  }
  if (allowed !== undefined && (type === 'number' || type === 'integer')) {
    const isNumeric = allowed.every((text) => typedPreset(type, text) !== undefined);
    if (!isNumeric) issues.push(issue(`${path}.enum`, `must have values of type ${type}`));
  }
  const isFixed = source === 'preset' && value !== undefined && !value.includes('{{');
  if (isFixed && typedPreset(type, value) === undefined) {
    issues.push(issue(`${path}.value`, `must be a value of type ${type}`));
  }
  return issues;
};

const issuesOfUrl = (template: UrlTemplate, parameters: readonly ToolParameter[]): Issue[] => {
  const named = (place: ToolParameter['in']): Set<string> =>
    new Set(parameters.filter((parameter) => parameter.in === place).map(({ name }) => name));
  const [path, query] = [named('path'), named('query')];
  const [inPath, inQuery] = [pathParametersOf(template), queryParametersOf(template)];
  const strangers = [
    ...[...inPath].filter((name) => !path.has(name)),
    ...[...inQuery].filter((name) => !path.has(name) && !query.has(name)),
  ];
  const unused = [...path].filter((name) => !inPath.has(name) && !inQuery.has(name));
  return [
    ...strangers.map((name) => issue('request.url', `{${name}} names no parameter of this place`)),
    ...unused.map((name) => issue('parameters', `${name} has no placeholder in the url`)),
  ];
};

const issuesOfHeaders = (headers: ToolInput['request']['headers']): Issue[] => {
  const names = Object.keys(headers);
  const twice = repeated(names);
  return [
    ...(names.length > maxHeaders ? [issue('request.headers', `may have at most ${maxHeaders}`)] : []),
    ...(twice === undefined ? [] : [issue('request.headers', `${twice} is there twice`)]),
    ...names
      .filter((name) => !isConfigurable(name) || reserved.has(name))
      .map((name) => issue(`request.headers.${name}`, 'is decided by the platform')),
  ];
};

const issuesOfBody = ({ request, parameters }: Ruled): Issue[] => {
  const inBody = parameters.filter((parameter) => parameter.in === 'body').map(({ name }) => name);
  const { method, bodyTemplate } = request;
  if (method === 'GET' && (bodyTemplate !== null || inBody.length > 0)) {
    return [issue('request.method', 'GET has no body')];
  }
  return inBody
    .filter((name) => bodyTemplate !== null && Object.hasOwn(bodyTemplate, name))
    .map((name) => issue('parameters', `${name} is in bodyTemplate too`));
};

const issuesOfResponse = ({ response }: Ruled): Issue[] =>
  response.assignments.flatMap((assignment, index) =>
    variable.test(assignment.variable) && !reserved.has(assignment.variable)
      ? []
      : [issue(`response.assignments.${index}.variable`, 'must be the name of a variable')],
  );

const impossibleIn = ({ request, parameters }: Ruled) =>
  impossiblePlaceholders([
    ...textsIn(request.url, 'request.url'),
    ...textsIn(request.headers, 'request.headers'),
    ...textsIn(request.bodyTemplate, 'request.bodyTemplate'),
    ...parameters.flatMap(({ value }, index) => textsIn(value, `parameters.${index}.value`)),
  ]);

/** A tool of an older release keeps the placeholders that it has. */
const issuesOfPlaceholders = (tool: Ruled, before: Ruled | undefined): Issue[] => {
  const known = new Set((before === undefined ? [] : impossibleIn(before)).map(({ written }) => written));
  return impossibleIn(tool)
    .filter(({ written }) => !known.has(written))
    .map(({ path, message }) => issue(path, message));
};

/**
 * Judges a tool before it is saved.
 * @param before the tool as it is stored, where there is one
 * @throws AppError URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED, VALIDATION_ERROR with every problem
 */
export const checkTool = (tool: Ruled, rules: UrlRules, before?: Ruled): void => {
  const { parameters, request } = tool;
  const impossible = issuesOfPlaceholders(tool, before);
  if (impossible.length > 0) throw validationError(impossible);
  const template = parseUrlTemplate(request.url);
  if (template === undefined) throw new AppError('URL_NOT_ALLOWED', { details: { reason: 'not_a_url' } });
  refuseMisplacedReferences(tool);
  const twice = repeated(parameters.map(({ name }) => name));
  const issues = [
    ...parameters.flatMap((parameter, index) => issuesOfParameter(parameter, `parameters.${index}`)),
    ...(twice === undefined ? [] : [issue('parameters', `${twice} is there twice`)]),
    ...issuesOfUrl(template, parameters),
    ...issuesOfHeaders(request.headers),
    ...issuesOfBody(tool),
    ...issuesOfResponse(tool),
    ...(stringifyJson(tool).length > maxCharacters
      ? [issue('', `a tool has at most ${maxCharacters} characters`)]
      : []),
  ];
  if (issues.length > 0) throw validationError(issues);
  rules.check(sampleUrl(template));
};
