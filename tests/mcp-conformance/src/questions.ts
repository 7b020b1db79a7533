// Tools and a prompt that ask their client something before they answer (`input_required`).
import {
  type InputRequiredResult,
  type InputRequiredSpec,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

export type State = Readonly<Record<string, unknown>>;

const nothing = z.object({});
const said = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

const ask = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  });
const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});
const sample = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100,
  });

type Questions = NonNullable<InputRequiredSpec['inputRequests']>;

/** True when the client has answered everything. */
const isAnswered = ({ mcpReq }: ServerContext, questions: Questions): boolean =>
  Object.keys(questions).every((key) => mcpReq.inputResponses?.[key] !== undefined);

const single: Readonly<Record<string, { readonly questions: Questions; readonly hasState?: true }>> = {
  test_input_required_result_elicitation: { questions: { user_name: ask('What is your name?', 'name') } },
  test_streaming_elicitation: { questions: { user_name: ask('What is your name?', 'name') } },
  test_input_required_result_sampling: {
    questions: { capital_question: sample('What is the capital of France?') },
  },
  test_missing_capability: { questions: { completion: sample('Say something.') } },
  test_input_required_result_list_roots: { questions: { client_roots: inputRequired.listRoots() } },
  test_input_required_result_request_state: {
    questions: { confirm },
    hasState: true,
  },
  test_input_required_result_tampered_state: {
    questions: { confirm },
    hasState: true,
  },
  test_input_required_result_multiple_inputs: {
    questions: {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    hasState: true,
  },
};

/** Only questions that the client has said it can answer. */
const questionsFor = ({ mcpReq }: ServerContext): Questions => {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const capabilities: unknown = envelope['io.modelcontextprotocol/clientCapabilities'];
  const { elicitation, sampling, roots }: { elicitation?: unknown; sampling?: unknown; roots?: unknown } =
    Object(capabilities);
  return {
    ...(elicitation === undefined ? {} : { user_name: ask('What is your name?', 'name') }),
    ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
    ...(roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
  };
};

export const registerQuestions = (server: McpServer, codec: RequestStateCodec<State>): void => {
  for (const [name, { questions, hasState }] of Object.entries(single))
    server.registerTool(name, { description: name, inputSchema: nothing }, async (_, ctx) => {
      if (isAnswered(ctx, questions) && (!hasState || ctx.mcpReq.requestState<State>() !== undefined))
        return said(hasState ? 'state-ok' : ctx.mcpReq.inputResponses);
      return inputRequired({
        inputRequests: questions,
        ...(hasState ? { requestState: await codec.mint({ name }) } : {}),
      });
    });
  const name = 'test_input_required_result_multi_round';
  server.registerTool(name, { description: 'two rounds', inputSchema: nothing }, async (_, ctx) => {
    const round = Number(ctx.mcpReq.requestState<State>()?.round ?? 0);
    if (round === 2) return said('both rounds are over');
    const question =
      round === 0 ? { step1: ask('Your name?', 'name') } : { step2: ask('Your color?', 'color') };
    return inputRequired({ inputRequests: question, requestState: await codec.mint({ round: round + 1 }) });
  });
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'asks what the client can answer', inputSchema: nothing },
    async (_, ctx) => {
      const questions = questionsFor(ctx);
      const isDone = Object.keys(questions).length === 0 || isAnswered(ctx, questions);
      return isDone ? said(ctx.mcpReq.inputResponses ?? {}) : inputRequired({ inputRequests: questions });
    },
  );
  const questions = { user_context: ask('What context should the prompt use?', 'context') };
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'asks for its context' },
    async (
      ctx,
    ): Promise<
      InputRequiredResult | { messages: { role: 'user'; content: { type: 'text'; text: string } }[] }
    > =>
      isAnswered(ctx, questions)
        ? {
            messages: [
              { role: 'user', content: { type: 'text', text: JSON.stringify(ctx.mcpReq.inputResponses) } },
            ],
          }
        : inputRequired({ inputRequests: questions }),
  );
};
