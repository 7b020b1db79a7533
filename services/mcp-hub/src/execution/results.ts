// The result of a tool, as API callers and models get it. A result that came is handed on whatever its shape: the tool has
// done its work, and a failure would have its caller do it again.
import { type McpExecuteResult, storableJson, type ToolResult } from '@parlance/contracts';
import { stringifyJson } from '@parlance/json';
import { isObject, type JsonObject } from '../protocol/json.js';
import type { ToolOutcome } from '../protocol/session.js';
import type { Answer, Failure } from './executions-repository.js';

type Content = McpExecuteResult['content'];
type Json = ToolResult['result'];
type Result = Omit<McpExecuteResult, 'durationMs'>;

/** The largest result that is handed on, in bytes of JSON. A message between services has one MiB at most. */
const mostBytes = 786_432;
const mostCharactersForModels = 16_000;

const textPart = (text: string): JsonObject => ({ type: 'text', text });
const asText = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value));

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : asText(value));

/** A part of another kind than the protocol has is handed on as it is. */
const readPart = (part: unknown): JsonObject[] => {
  if (part === null) return [];
  if (!isObject(part)) return [textPart(asText(part))];
  const { type } = part;
  if (type === 'text') return [{ ...part, text: textOf(part.text) }];
  if (typeof type === 'string') return [part];
  return [typeof part.text === 'string' ? { ...part, type: 'text' } : textPart(asText(part))];
};

const readContent = (content: unknown): JsonObject[] => {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.flatMap(readPart) : readPart(content);
};

/** The contract has an object here. The protocol of 2026 has any value, and its libraries wrap it so for older clients. */
const readStructured = (value: unknown): JsonObject | undefined => {
  if (value === undefined || value === null) return undefined;
  return isObject(value) ? value : { result: value };
};

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === 'true';

/** The servers of 2024 answer `{ toolResult }`. */
const fromOldShape = (toolResult: unknown): JsonObject => {
  if (isObject(toolResult) && 'content' in toolResult) return toolResult;
  return {
    content: toolResult === null ? [] : [textPart(asText(toolResult))],
    structuredContent: isObject(toolResult) ? toolResult : undefined,
  };
};

const unfinished =
  'The server wants more than the arguments before it runs this tool, which the platform cannot give.';

interface ReadResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError: boolean;
}

/** A result of any shape as one of the protocol's. */
export const readResult = (raw: unknown): ReadResult => {
  if (!isObject(raw)) return { content: readContent(raw), isError: false };
  const { toolResult, content, structuredContent, isError, resultType } = raw;
  const isOld = toolResult !== undefined && content === undefined && structuredContent === undefined;
  if (isOld) return readResult({ isError, ...fromOldShape(toolResult) });
  if (content === undefined && typeof resultType === 'string' && resultType !== 'complete')
    return { content: [textPart(unfinished)], isError: true };
  const structured = readStructured(structuredContent);
  return {
    content: readContent(content),
    ...(structured !== undefined && { structuredContent: structured }),
    isError: isTrue(isError),
  };
};

const bytesOf = (value: unknown): number => Buffer.byteLength(stringifyJson(value));

const cut = (text: string, most = mostCharactersForModels): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/\p{Surrogate}$/u, '')}…`;

/** JSON writes a character in six bytes at most. */
const mostBytesOfCharacter = 6;

/** The parts that fit beside each other, and a note about the others. A text is cut. */
const fitting = ({ content, structuredContent, isError }: ReadResult): ReadResult => {
  let left = mostBytes;
  const fits = (value: unknown): boolean => {
    const bytes = bytesOf(value);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const keepsStructured = structuredContent !== undefined && fits(structuredContent);
  const kept = content.flatMap((part): JsonObject[] => {
    if (fits(part)) return [part];
    if (typeof part.text !== 'string') return [];
    const shortened = { ...part, text: cut(part.text, Math.floor(left / mostBytesOfCharacter)) };
    return fits(shortened) ? [shortened] : [];
  });
  const note = '[The result is too large: parts of it are left out.]';
  return {
    content: [...kept, textPart(note)],
    ...(keepsStructured && { structuredContent }),
    isError,
  };
};

/** The result of a call, cut to the size that can be handed on. */
export const resultOf = (outcome: ToolOutcome): Result => {
  if (outcome.kind === 'refused') {
    return {
      content: [{ type: 'text', text: outcome.message.slice(0, mostCharactersForModels) }],
      isError: true,
    };
  }
  const read = readResult(outcome.result);
  const { isError, ...result } = bytesOf(read) > mostBytes ? fitting(read) : read;
  const json: unknown = result;
  // JSON by its origin, and an object with these two members.
  const stored = storableJson(json as Json) as { content: Content; structuredContent?: Content[number] };
  return { ...stored, isError };
};

/** A model reads texts. Of an image, a sound or a file it learns that there is one. */
const forReading = (part: Content[number]): string => {
  const { type, text, resource } = part;
  if (type === 'text' && typeof text === 'string') return text;
  const inner =
    typeof resource === 'object' && resource !== null && 'text' in resource ? resource.text : undefined;
  return typeof inner === 'string' ? inner : `[${String(type)}]`;
};

/** The result for a model: structured content where it is short enough, else the texts. */
export const forModel = ({ content, structuredContent }: Result): Json => {
  const isShort =
    structuredContent !== undefined && stringifyJson(structuredContent).length <= mostCharactersForModels;
  return isShort ? structuredContent : cut(content.map(forReading).join('\n'));
};

/** Sentences for the model. */
export const words = {
  busy: 'Too many requests are under way. Try again in a moment, or go on without.',
  late: 'The other system did not answer in time. Go on without it.',
  unknown: 'This was asked for before, and what came of it is not known. Do not ask for it again.',
  failed: 'This tool cannot be used at the moment. Go on without it.',
  setUp: 'This tool is not set up completely. Go on without it.',
} as const;

/** The result of an execution that gives the model nothing but a sentence. */
export const failed = (result: string, durationMs = 0): ToolResult => ({
  result,
  assignments: {},
  durationMs,
  isError: true,
});

const notSetUp: ReadonlySet<Failure['code']> = new Set([
  'MCP_AUTH_REQUIRED',
  'SECRET_NOT_FOUND',
  'SECRET_ORIGIN_NOT_ALLOWED',
]);

/** A model reads every outcome as a result, so that the call goes on. */
export const toToolResult = (answer: Answer): ToolResult => {
  if ('result' in answer) {
    const { durationMs, isError } = answer.result;
    return { result: forModel(answer.result), assignments: {}, durationMs, isError };
  }
  const { code, reason } = answer.failure;
  if (code === 'MCP_TIMEOUT') return failed(words.late);
  if (notSetUp.has(code)) return failed(words.setUp);
  return failed(reason === 'outcome_unknown' ? words.unknown : words.failed);
};
