// Runs a tool once: judges the arguments, opens the secrets, sends the request, reads the answer. All steps together
// end within the tool's `timeoutMs`, and no connection to the database is held meanwhile.
import { fillText, type ToolRun, type Values } from '@parlance/contracts';
import { EgressFailure, type EgressResponse } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { Masking, mask, type OpenedSecrets, withSecrets } from '@parlance/webhooks';
import type { Parts } from '../parts.js';
import { openToolHeader, type StoredHeader } from '../tools/header-values.js';
import { mentionsOf } from '../tools/mentions.js';
import type { ToolDocument, ToolRow } from '../tools/tool-record.js';
import { type Arguments, checkArguments, type Json } from './arguments.js';
import { type BuiltRequest, buildRequest } from './build-request.js';
import { needsValues, valuesFor } from './call-values.js';
import { badStatus, type RunError, resultOfFailure, runErrorOf, timedOut, tooLarge } from './failures.js';
import type { Place } from './place.js';
import { assignmentsOf, cutText, type ReadAnswer, readAnswer, resultOf } from './read-answer.js';

export type RunnerParts = Pick<
  Parts,
  'rpc' | 'callerFor' | 'db' | 'clock' | 'egress' | 'secretValues' | 'keyring' | 'logger'
>;

interface Ready {
  readonly request: BuiltRequest;
  /** The same request, with "•••" for every secret. */
  readonly shown: BuiltRequest;
  readonly masking: Masking;
  readonly isCredentialed: boolean;
}

const maxAnswerBytes = 262_144;
const maxShownCharacters = 65_536;
/** Redirects that a GET may follow. Other methods follow none: a repeated body would carry its secrets elsewhere. */
const redirectsOfReads = 2;
/** Literal headers that hold no credentials. An answer may hold their words, so they are not masked. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);
const shortestCredential = 8;

/** A scheme such as `Bearer` may stand before the credential. */
const credentialsIn = (name: string, value: string): string[] =>
  harmless.has(name.toLowerCase())
    ? []
    : [value, ...value.split(/\s+/)].filter(({ length }) => length >= shortestCredential);

const prepare = async (
  parts: RunnerParts,
  tool: ToolRow,
  args: Arguments,
  { place, executionId }: Execution,
): Promise<Ready> => {
  const { document, id: toolId } = tool;
  const identity = { organizationId: place.organizationId, toolId };
  // Its origin is literal, so that it is the origin of the request.
  const { url } = document.request;
  const mentions = mentionsOf(document);
  const [variables, opened]: [Values, OpenedSecrets] = await Promise.all([
    needsValues(document) ? valuesFor(parts, place) : () => undefined,
    parts.secretValues.open(place.organizationId, { url, ...mentions }),
  ]);
  const named = new Map(mentions.names.map((name) => [name, opened.byName(name)] as const));
  const literals: string[] = [];
  const header = (name: string, value: Exclude<StoredHeader, string>): string => {
    if ('secretId' in value) return opened.byId(value.secretId);
    const text = fillText(openToolHeader(parts.keyring, identity, { name, url, value }), variables);
    literals.push(...credentialsIn(name, text));
    return text;
  };
  const byId = (id: string): string => opened.byId(id);
  const fillings = { values: withSecrets((name) => named.get(name), variables), secretById: byId, header };
  const request = withKey(buildRequest(document, args, fillings), executionId);
  const masking = new Masking([...named.values(), ...mentions.ids.map(byId), ...literals]);
  const hidden = { values: withSecrets(() => mask, variables), secretById: () => mask, header: () => mask };
  const masked = withKey(buildRequest(document, args, hidden), executionId);
  const isCredentialed = mentions.ids.length + mentions.names.length + literals.length > 0;
  return { request, shown: shownOf(masked, masking, request), masking, isCredentialed };
};

/** The encoded form of "•••" inside an address or a form. */
const encodedMask = encodeURIComponent(mask);

const shownOf = (masked: BuiltRequest, masking: Masking, real: BuiltRequest): BuiltRequest => {
  const text = (part: string): string => masking.text(part.replaceAll(encodedMask, mask));
  // A header may not hold the characters of "•••", so the masked headers lack it and get it here.
  const headers = Object.entries(masked.headers).map(([name, value]) => {
    const isWhole = value === real.headers[name];
    return [name, isWhole ? masking.text(value) : `${text(value)}${mask}`.trim()] as const;
  });
  return {
    method: masked.method,
    url: text(masked.url),
    headers: Object.fromEntries(headers),
    body: masked.body === null ? null : cutText(text(masked.body), maxShownCharacters),
  };
};

/** A system that knows this header does the work of a repeated request only once. */
const withKey = (request: BuiltRequest, executionId: string): BuiltRequest =>
  request.method === 'GET' || request.headers['idempotency-key'] !== undefined
    ? request
    : { ...request, headers: { ...request.headers, 'idempotency-key': executionId } };

const send = (
  parts: RunnerParts,
  { request, isCredentialed }: Ready,
  leftMs: number,
): Promise<EgressResponse> =>
  parts.egress.fetch(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body === null ? {} : { body: request.body }),
    timeoutMs: Math.max(1, Math.ceil(leftMs)),
    maxBytes: maxAnswerBytes,
    whenLarger: 'cut',
    maxRedirects: request.method === 'GET' ? redirectsOfReads : 0,
    isCredentialed,
  });

/** Waits for the work for at most `ms`; the work itself goes on. @throws EgressFailure timeout */
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EgressFailure('timeout')), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

export interface Execution {
  readonly executionId: string;
  readonly place: Place;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** The result of one execution, and the HTTP status for its record. */
export interface Run extends ToolRun {
  readonly httpStatus: number | null;
}

const wentWell = ({ status }: ReadAnswer): boolean => status >= 200 && status < 300;

const judge = (tool: ToolDocument, answer: ReadAnswer): RunError | undefined => {
  if (!wentWell(answer)) return badStatus(answer.status);
  const isRead = tool.response.include.length > 0 || tool.response.assignments.length > 0;
  const isJson = /\bjson\b/i.test(answer.headers['content-type'] ?? '');
  return answer.isCut && (isRead || isJson) ? tooLarge : undefined;
};

const shownAnswer = (answer: ReadAnswer): NonNullable<ToolRun['response']> => ({
  status: answer.status,
  headers: { ...answer.headers },
  body: cutText(answer.text, maxShownCharacters),
  truncated: answer.isCut || answer.text.length > maxShownCharacters,
});

const errorOf = (error: unknown): RunError => {
  const known = runErrorOf(error);
  if (known === undefined) throw error;
  return known;
};

/**
 * Runs the tool once. Every outcome of the request, good or bad, is a result.
 * @throws AppError SECRET_NOT_FOUND, AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while the platform itself
 *   cannot make the request
 */
export const runTool = async (parts: RunnerParts, tool: ToolRow, execution: Execution): Promise<Run> => {
  const startedAt = performance.now();
  const leftMs = (): number => tool.document.timeoutMs - (performance.now() - startedAt);
  let ready: Ready | undefined;
  let answer: ReadAnswer | undefined;
  let error: RunError | undefined;
  try {
    const args = checkArguments(tool.document.parameters, execution.arguments);
    ready = await within(leftMs(), prepare(parts, tool, args, execution));
    parts.egress.rules.check(ready.request.url);
    const received = await within(leftMs(), send(parts, ready, leftMs()));
    answer = readAnswer(received, ready.masking);
    error = judge(tool.document, answer);
  } catch (failure) {
    error = errorOf(failure);
  }
  const durationMs = Math.round(performance.now() - startedAt);
  const result =
    error === undefined && answer !== undefined
      ? resultOf(tool.document, answer)
      : resultOfFailure(tool.document, error ?? timedOut, answer);
  const isGood = error === undefined && answer !== undefined;
  return {
    request: ready?.shown ?? null,
    response: answer === undefined ? null : shownAnswer(answer),
    result,
    assignments: isGood && answer !== undefined ? assignmentsOf(tool.document, answer) : {},
    durationMs,
    error: error ?? null,
    httpStatus: answer?.status ?? null,
  };
};

/** The text that the model gets when the platform could not make the request; the call goes on. */
export const asResult = (error: unknown): Json =>
  error instanceof AppError && error.code === 'SECRET_NOT_FOUND'
    ? 'This tool is not set up completely. Go on without it.'
    : 'This tool cannot be used at the moment. Go on without it.';
