// The body of `POST /v1/chat/completions`, as strictly as OpenAI takes it.
import { z } from 'zod';
import { invalidRequest } from './errors.js';

const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);

const ToolCall = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});

const Message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer', 'user']),
    content: Content,
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: Content.nullish(),
    refusal: z.string().nullish(),
    name: z.string().optional(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string() }),
]);

const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
});

export const ChatBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(Tool).min(1).optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().optional(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().nullish(),
  n: z.literal(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  response_format: z.unknown().optional(),
  reasoning_effort: z.string().nullish(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
  store: z.boolean().nullish(),
});
export type ChatBody = z.infer<typeof ChatBody>;
export type ChatBodyMessage = ChatBody['messages'][number];

/** The text of a message, whichever way its content is written. */
export const textOf = ({ content }: ChatBodyMessage): string => {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
};

/** Each tool call of an assistant is followed by its result, and no result stands alone. */
const checkToolResults = (messages: readonly ChatBodyMessage[]): void => {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        throw invalidRequest(
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          `messages.[${index}].role`,
        );
      continue;
    }
    if (open.size > 0) break;
    open = new Set(message.role === 'assistant' ? message.tool_calls?.map(({ id }) => id) : []);
  }
  if (open.size > 0)
    throw invalidRequest(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      'messages',
    );
};

/** @throws ZodError, OpenAiError for what OpenAI answers with 400 */
export const parseChatBody = (body: unknown): ChatBody => {
  const parsed = ChatBody.parse(body);
  checkToolResults(parsed.messages);
  return parsed;
};
