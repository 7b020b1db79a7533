// A request in the words of the OpenAI protocol, and the pieces of its answer.
import { stringifyJson } from '@parlance/json';
import type OpenAI from 'openai';
import { z } from 'zod';
import type { OpenAiEndpoint } from '../endpoints/endpoint.js';
import type { ChatEvent, ChatMessage, ChatRequest } from './events.js';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;

const messageOf = (message: ChatMessage): OpenAI.ChatCompletionMessageParam => {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map((call) => ({
          id: call.id,
          type: 'function' as const,
          function: { name: call.name, arguments: stringifyJson(call.arguments) },
        })),
      };
    }
    default:
      return { role: message.role, content: message.content };
  }
};

export const paramsOf = (
  { messages, tools = [], maxOutputTokens }: ChatRequest,
  endpoint: OpenAiEndpoint,
): Params => {
  const params: Params = { model: endpoint.model, messages: messages.map(messageOf), stream: true };
  if (endpoint.asksForUsage) params.stream_options = { include_usage: true };
  if (maxOutputTokens !== undefined) params[endpoint.tokenLimitField] = maxOutputTokens;
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
