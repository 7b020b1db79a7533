// A call for tests: the configuration of an agent, and a platform whose tools and documents answer at once.
import { callContext, type RuntimeConfig, type ToolForRuntime } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import type { LanguageModel } from '../dialogue/chat.js';
import { Conversation } from '../engine/conversation.js';
import type { ConversationEvent } from '../engine/events.js';
import type { Mode } from '../prompt/instructions.js';
import type { Session } from '../tools/toolbox.js';

export const sourceId = '0198c0de-0000-7000-8000-0000000000ac';

export interface Setup {
  readonly config?: object;
  readonly tools?: readonly (Partial<ToolForRuntime> & { readonly name: string })[];
  readonly mcpTools?: readonly (Partial<ToolForRuntime> & { readonly name: string })[];
  readonly knowledge?: RuntimeConfig['knowledge'];
  /** The texts that a search finds, best first. */
  readonly documents?: readonly string[];
  /** The result of each tool by its name; an Error fails. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly callToken?: string | null;
  readonly model?: LanguageModel;
  readonly mode?: Mode;
  readonly secrets?: readonly string[];
  /** What the context of the call has beside what every call has. */
  readonly context?: Partial<Parameters<typeof callContext>[0]>;
  /** Opting out fails. */
  readonly optOutFails?: boolean;
}

export const now = new Date('2026-11-27T09:00:00.000Z');

export const toolForTests = (tool: Partial<ToolForRuntime> & { readonly name: string }): ToolForRuntime => ({
  description: '',
  parameters: { type: 'object', properties: {} },
  executionMode: 'immediate',
  fillerMessage: null,
  interruptible: true,
  timeoutMs: 10_000,
  ...tool,
});

export const foundFor = ({
  config = {},
  tools = [],
  mcpTools = [],
  knowledge = { mode: 'none', prompt: null },
  callToken = 'token-of-the-call',
}: Setup): RuntimeConfig => {
  const found = runtimeConfig(config);
  return {
    ...found,
    tools: tools.map(toolForTests),
    mcpTools: mcpTools.map((tool) => ({ ...toolForTests(tool), serverName: 'server' })),
    knowledge,
    runtime: { ...found.runtime, callToken },
  };
};

export interface TestCall {
  readonly conversation: Conversation;
  /** The tools that ran, with their arguments. */
  readonly ran: (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly searched: string[];
  /** The requests to put the person on the do-not-call list. */
  readonly optOuts: string[];
  /** The words of the answer to a text. */
  say(text: string): Promise<string>;
  /** All events of the answer to a text. */
  events(text: string): Promise<ConversationEvent[]>;
}

export const sessionFor = (
  { documents = [], results = {}, optOutFails = false }: Setup,
  { ran, searched, optOuts }: Pick<TestCall, 'ran' | 'searched'> & Partial<Pick<TestCall, 'optOuts'>>,
): Session => ({
  optOut: async () => {
    optOuts?.push('do-not-call');
    if (optOutFails) throw new Error('the platform does not answer');
  },
  runTool: async (name, given) => {
    ran.push([name, given]);
    const result = Object.hasOwn(results, name) ? results[name] : { state: 'done' };
    if (result instanceof Error) throw result;
    return { result: result as never, assignments: {}, durationMs: 3, isError: false };
  },
  searchKnowledge: async (query) => {
    searched.push(query);
    return documents.map((text, index) => ({
      knowledgeSourceId: sourceId,
      chunkId: `c${index + 1}`,
      sourceName: 'Handbook',
      url: null,
      headings: [],
      text,
      score: 1 - index / 10,
      start: 0,
      end: text.length,
    }));
  },
});

/** A context as the platform makes it for a telephone call that comes in. */
export const contextFor = (
  found: RuntimeConfig,
  variables: Readonly<Record<string, string>> = {},
  more: Setup['context'] = {},
) =>
  callContext({
    callId: 'call-1',
    organizationId: found.agent.organizationId,
    agentId: found.agent.id,
    channel: 'phone',
    direction: 'inbound',
    fromNumber: '+14155550177',
    dynamicVariables: variables,
    ...more,
  });

export const callFor = (setup: Setup): TestCall => {
  const ran: TestCall['ran'] = [];
  const searched: string[] = [];
  const optOuts: string[] = [];
  const found = foundFor(setup);
  const conversation = new Conversation({
    context: contextFor(found, setup.variables, setup.context),
    found,
    session: sessionFor(setup, { ran, searched, optOuts }),
    mode: setup.mode ?? 'voice',
    model: setup.model,
    secrets: setup.secrets ?? [],
    now: () => now,
  });
  const events = async (text: string): Promise<ConversationEvent[]> => {
    const all: ConversationEvent[] = [];
    for await (const event of conversation.answer(text)) all.push(event);
    return all;
  };
  return {
    conversation,
    ran,
    searched,
    optOuts,
    events,
    say: async (text) =>
      (await events(text)).flatMap((event) => (event.type === 'say' ? [event.delta] : [])).join(''),
  };
};
