// `POST /v1/chat/completions`.
import type { Request, Response } from 'express';
import type { ScriptedAnswer, ScriptedToolCall } from './answer.js';
import { type ChatBody, parseChatBody, textOf } from './chat-request.js';
import type { Context } from './context.js';
import { checkModel } from './models.js';
import { sendStream, sendWhole } from './stream.js';

const argumentsOf = ({ arguments: given = {} }: ScriptedToolCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given);

/** Four characters a token, as a rule of thumb has it; the same text always has the same count. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

const usageOf = ({ messages, tools }: ChatBody, { text = '', toolCalls = [] }: ScriptedAnswer) => {
  const prompt = tokensOf(messages.map(textOf).join('')) + (tools ? tokensOf(JSON.stringify(tools)) : 0);
  const completion = tokensOf(text + toolCalls.map((call) => call.name + argumentsOf(call)).join(''));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

const finishReasonOf = ({ toolCalls = [], finishReason }: ScriptedAnswer): string =>
  finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');

/** Words with the space before them, as a tokenizer makes them. */
const piecesOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

/** What the model does wrong on demand, whatever the script says. */
const withFault = (mode: string, answer: ScriptedAnswer, { tools = [] }: ChatBody): ScriptedAnswer => {
  const name = tools[0]?.function.name ?? 'some_tool';
  switch (mode) {
    case 'invalid-arguments':
      return { toolCalls: [{ name, arguments: '{"city": "Ber' }] };
    case 'ten-tools':
      return { toolCalls: Array.from({ length: 10 }, (_, n) => ({ name, arguments: { n } })) };
    case 'unknown-tool':
      return { toolCalls: [{ name: 'tool_that_does_not_exist', arguments: {} }] };
    default:
      return answer;
  }
};

const wholeOf = (head: object, body: ChatBody, answer: ScriptedAnswer, callId: (n: number) => string) => ({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        refusal: null,
        ...(answer.toolCalls
          ? {
              tool_calls: answer.toolCalls.map((call, n) => ({
                id: callId(n),
                type: 'function',
                function: { name: call.name, arguments: argumentsOf(call) },
              })),
            }
          : {}),
      },
      logprobs: null,
      finish_reason: finishReasonOf(answer),
    },
  ],
  usage: usageOf(body, answer),
});

const chunksOf = (head: object, body: ChatBody, answer: ScriptedAnswer, callId: (n: number) => string) => {
  const hasUsage = body.stream_options?.include_usage === true;
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(hasUsage ? { usage: null } : {}),
  });
  const calls = (answer.toolCalls ?? []).flatMap((call, index) => [
    chunk({
      tool_calls: [
        { index, id: callId(index), type: 'function', function: { name: call.name, arguments: '' } },
      ],
    }),
    ...halves(argumentsOf(call)).map((part) =>
      chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  const usage = { ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(body, answer) };
  return {
    events: [
      chunk({ role: 'assistant', content: answer.toolCalls && !answer.text ? null : '', refusal: null }),
      ...piecesOf(answer.text ?? '').map((content) => chunk({ content })),
      ...calls,
      chunk({}, finishReasonOf(answer)),
      ...(hasUsage ? [usage] : []),
    ],
    empty: chunk({ content: '' }),
    more: chunk({ content: ' and so on' }),
  };
};

export const completions =
  (context: Context) =>
  async (request: Request, response: Response): Promise<void> => {
    const body = parseChatBody(request.body);
    checkModel(context, body.model);
    const { mode } = context.faults.take('chat-answer');
    const answer = withFault(mode, context.chat.answerTo(body), body);
    const id = context.nextId('chatcmpl');
    const head = { id, created: 1_764_000_000, model: body.model, system_fingerprint: 'fp_fake' };
    const callId = (n: number): string => `call_${id.slice('chatcmpl-'.length)}_${n}`;
    if (body.stream === true) return sendStream(response, chunksOf(head, body, answer, callId), mode);
    const whole = Buffer.from(JSON.stringify(wholeOf(head, body, answer, callId)));
    return sendWhole(response, whole, 'application/json', mode);
  };
