// A request in the words of the OpenAI protocol, and the pieces of its answer.
import { createHash } from 'node:crypto';
import { stringifyJson } from '@parlance/json';
import type OpenAI from 'openai';
import { z } from 'zod';
import type { Dialect } from '../catalog/vendors.js';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import type { ChatEvent, ChatMessage, ChatRequest, ChatToolCall } from './events.js';

/** As it stands in a call of a tool: what the vendor wants back with it. */
interface ExtraContent {
  readonly extra_content?: unknown;
}

/** Mistral takes ids of nine letters and digits only, and a call may have been made by another vendor's model. */
const wireIdOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64').replaceAll(/[+/=]/g, '').slice(0, 9);

/** Google's documented stand-in for the signature of a call that its model did not make. */
const unsigned = { google: { thought_signature: 'skip_thought_signature_validator' } };

const extraContentOf = ({ extraContent }: ChatToolCall, dialect: Dialect): ExtraContent =>
  dialect === 'google' ? { extra_content: extraContent ?? unsigned } : {};

type Params = OpenAI.ChatCompletionCreateParamsStreaming;

const messageOf = (message: ChatMessage, dialect: Dialect): OpenAI.ChatCompletionMessageParam => {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: wireIdOf(message.toolCallId), content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map((call) => ({
          id: wireIdOf(call.id),
          type: 'function' as const,
          function: { name: call.name, arguments: stringifyJson(call.arguments) },
          ...extraContentOf(call, dialect),
        })),
      };
    }
    default:
      return { role: message.role, content: message.content };
  }
};

export const paramsOf = (
  { messages, tools = [], maxOutputTokens }: ChatRequest,
  { model, dialect }: OpenAiEndpoint,
): Params => {
  const params: Params = {
    model,
    messages: messages.map((message) => messageOf(message, dialect)),
    stream: true,
  };
  if (dialect !== 'mistral') params.stream_options = { include_usage: true };
  if (maxOutputTokens !== undefined)
    params[dialect === 'openai' ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  if (tools.length > 0)
    params.tools = tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...parameters } },
    }));
  return params;
};

/** What a chat needs of a piece of the answer; vendors add to it, and leave out what they do not use. */
export const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                  extra_content: z.unknown().optional(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() })
    .nullish(),
});
export type Chunk = z.infer<typeof Chunk>;

type EndReason = Extract<ChatEvent, { type: 'end' }>['reason'];

const endReasons: Readonly<Record<string, EndReason>> = {
  length: 'length',
  tool_calls: 'toolCalls',
  function_call: 'toolCalls',
  content_filter: 'contentFilter',
};

export const endReasonOf = (finishReason: string): EndReason => endReasons[finishReason] ?? 'stop';
