// The result of a tool, as API callers and models get it.
import { type McpExecuteResult, storableJson, type ToolResult } from '@parlance/contracts';
import type { ToolOutcome } from '../protocol/session.js';

type Content = McpExecuteResult['content'];
type Json = ToolResult['result'];

/** The largest result that is handed on, in bytes of JSON. A message between services has one MiB at most. */
const mostBytes = 786_432;
const mostCharactersForModels = 16_000;

/** Undefined for a result that is too large to be handed on. */
export const resultOf = (outcome: ToolOutcome): Omit<McpExecuteResult, 'durationMs'> | undefined => {
  if (outcome.kind === 'refused') {
    return {
      content: [{ type: 'text', text: outcome.message.slice(0, mostCharactersForModels) }],
      isError: true,
    };
  }
  const { content = [], structuredContent, isError = false } = outcome.result;
  const result = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  if (Buffer.byteLength(JSON.stringify(result)) > mostBytes) return undefined;
  // JSON by its origin, and an object with these two members.
  const stored = storableJson(result as Json) as { content: Content; structuredContent?: Content[number] };
  return { ...stored, isError };
};

const cut = (text: string): string =>
  text.length <= mostCharactersForModels
    ? text
    : `${text.slice(0, mostCharactersForModels).replace(/\p{Surrogate}$/u, '')}…`;

/** A model reads texts. Of an image, a sound or a file it learns that there is one. */
const asText = (part: Content[number]): string => {
  const { type, text, resource } = part;
  if (type === 'text' && typeof text === 'string') return text;
  const inner =
    typeof resource === 'object' && resource !== null && 'text' in resource ? resource.text : undefined;
  return typeof inner === 'string' ? inner : `[${String(type)}]`;
};

/** The result for a model: structured content where it is short enough, else the texts. */
export const forModel = ({ content, structuredContent }: Omit<McpExecuteResult, 'durationMs'>): Json => {
  const isShort =
    structuredContent !== undefined && JSON.stringify(structuredContent).length <= mostCharactersForModels;
  return isShort ? structuredContent : cut(content.map(asText).join('\n'));
};
