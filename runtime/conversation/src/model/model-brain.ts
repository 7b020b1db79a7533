// Answers by a language model: words are passed on as they come, and tools run between its rounds.
import type { ToolForRuntime } from '@parlance/contracts';
import { asksNotToBeCalled } from '@parlance/spoken-values';
import type { Brain, BrainEvent, Question } from '../dialogue/brain.js';
import type { Call } from '../dialogue/call.js';
import type { ChatEvent, ChatMessage, ChatRequest, ChatTool, LanguageModel } from '../dialogue/chat.js';
import { type PhraseName, phrase } from '../dialogue/phrases.js';
import type { ToolCall } from '../dialogue/turns.js';
import { withoutCredentials } from '../guard/credentials.js';
import { OutputGuard } from '../guard/output-guard.js';
import { fitPrompt, type Window } from '../prompt/budget.js';
import { dataBlock } from '../prompt/data.js';
import { agentPrompt, instructionsOf, type Mode } from '../prompt/instructions.js';
import { historyGroups, toolMessage, userMessage } from '../prompt/messages.js';
import { noSuchTool, type Toolbox } from '../tools/toolbox.js';
import { chatTools, type PlatformTools, platformTools } from './chat-tools.js';

export interface ModelBrainOptions {
  readonly call: Call;
  readonly toolbox: Toolbox;
  readonly model: LanguageModel;
  readonly mode: Mode;
  /** Values that must not be spoken. */
  readonly secrets?: readonly string[];
}

/** Rounds in which the model may use tools. After them it has to answer with what it has. */
const toolRounds = 5;
const mostToolsAtOnce = 8;
/** The platform takes 20 turns in an answer, the turn of the agent included. */
const mostTools = 16;
const mostAnswerTokens = 1_024;
/** Of a small window, at most this share is kept free for the answer. */
const answerShare = 1 / 4;

/** The model and all that could take its place gave no answer. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

type Requested = Extract<ChatEvent, { type: 'toolCall' | 'toolCallInvalid' }>;

interface Round {
  readonly requested: readonly Requested[];
  readonly said: string;
  readonly isBlocked: boolean;
}

/** The tools of one answer. */
interface Runs {
  started: number;
  /** Those that the model does not wait for. */
  readonly background: Promise<ToolCall>[];
}

export class ModelBrain implements Brain {
  readonly name = 'model';
  readonly #options: ModelBrainOptions;
  readonly #own: PlatformTools;
  readonly #tools: readonly ChatTool[];
  /** The words that are answered ask not to be called again. */
  #hasJustOptedOut = false;

  constructor(options: ModelBrainOptions) {
    this.#options = options;
    this.#own = platformTools(options.toolbox);
    this.#tools = chatTools(options.call, this.#own);
  }

  async *answer({ history, text, signal }: Question): AsyncGenerator<BrainEvent> {
    const { call, model, toolbox } = this.#options;
    // Not left to the model alone, which may miss its tool.
    this.#hasJustOptedOut = toolbox.canOptOut && asksNotToBeCalled(text);
    if (this.#hasJustOptedOut) void toolbox.optOut();
    const groups = historyGroups(history, model.contextTokens);
    const current: ChatMessage[] = [userMessage(text)];
    const runs: Runs = { started: 0, background: [] };
    const guard = this.#guard();
    let saidBefore = '';
    for (let round = 0; ; round += 1) {
      const tools = round < toolRounds ? this.#tools : [];
      const fitted = this.#fit(groups, current, tools);
      if (!fitted.fits) {
        const isHopeless = fitted.tooLarge === 'instructions';
        yield say(phrase(call.language, isHopeless ? 'cannotAnswer' : 'tooLong'));
        if (isHopeless) yield { type: 'end', reason: 'error_llm' };
        break;
      }
      const { requested, said, isBlocked } = yield* this.#round(fitted.messages, tools, guard, signal);
      if (isBlocked) {
        const gap = /\S$/.test(saidBefore + said) ? ' ' : '';
        yield say(gap + phrase(call.language, 'cannotSay'));
        break;
      }
      // A model may ask for tools although it was offered none.
      const allowed = round < toolRounds ? requested : [];
      const isEnding = allowed.some(({ name }) => name === this.#own.end.name);
      const others = allowed.filter(({ name }) => name !== this.#own.end.name);
      const isSilent = (saidBefore + said).trim() === '';
      if (others.length > 0 && !isEnding) {
        if (isSilent) saidBefore += yield* this.#filler(others);
        current.push(assistantMessage(said, others));
        current.push(...(yield* this.#runAll(others, runs, signal)));
        if (said !== '' && !/\s$/.test(said)) {
          yield say(' ');
          saidBefore += ' ';
        }
        saidBefore += said;
        continue;
      }
      if (others.length > 0) yield* this.#runAll(others, runs, signal);
      // The conversation confirms an opt-out that the model has not confirmed, and ends.
      const isUnconfirmed = isSilent && toolbox.isOver;
      if (isSilent && !isUnconfirmed) yield say(phrase(call.language, this.#phraseFor(isEnding)));
      for (const toolCall of await Promise.all(runs.background)) yield { type: 'tool', toolCall };
      if (isEnding && !isUnconfirmed) yield { type: 'end', reason: 'agent_hangup' };
      return;
    }
    for (const toolCall of await Promise.all(runs.background)) yield { type: 'tool', toolCall };
  }

  /** For an answer without a word of the model. */
  #phraseFor(isEnding: boolean): PhraseName {
    if (isEnding) return 'farewell';
    return this.#hasJustOptedOut ? 'notCalledAgain' : 'cannotAnswer';
  }

  /** The instructions are made anew for each answer, because the time is in them. */
  #instructions(): string {
    const { call, mode } = this.#options;
    return instructionsOf(call, {
      mode,
      searchTool: this.#own.search?.name,
      optOutTool: this.#own.optOut?.name,
      hasJustOptedOut: this.#hasJustOptedOut,
      endTool: this.#own.end.name,
    });
  }

  #guard(): OutputGuard {
    const { call, secrets = [] } = this.#options;
    return new OutputGuard({
      instructions: [agentPrompt(call), this.#instructions()],
      speakable: [call.fill(call.context.firstMessage ?? call.found.config.firstMessage)],
      secrets,
    });
  }

  #fit(groups: readonly ChatMessage[][], current: readonly ChatMessage[], tools: readonly ChatTool[]) {
    const { call, model, secrets = [] } = this.#options;
    // Also beside a search: an agent may have sources of both kinds.
    const { prompt } = call.found.knowledge;
    const knowledge = prompt === null ? '' : withoutCredentials(prompt, secrets);
    const window: Window = {
      contextTokens: model.contextTokens,
      answerTokens: this.#answerTokens,
    };
    const parts = { instructions: this.#instructions(), knowledge, tools, history: groups, current };
    return fitPrompt(parts, window, (text) => `# Documents\n${dataBlock('document', text)}`);
  }

  async *#round(
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
    guard: OutputGuard,
    signal: AbortSignal,
  ): AsyncGenerator<BrainEvent, Round> {
    const requested: Requested[] = [];
    let said = '';
    const pass = (guarded: { readonly text: string }): BrainEvent[] => {
      said += guarded.text;
      return guarded.text === '' ? [] : [say(guarded.text)];
    };
    for await (const event of this.#options.model.chat(this.#request(messages, tools, signal))) {
      signal.throwIfAborted();
      switch (event.type) {
        case 'text': {
          const guarded = guard.push(event.delta);
          yield* pass(guarded);
          if (guarded.isBlocked) return { requested: [], said, isBlocked: true };
          break;
        }
        case 'toolCall':
        case 'toolCallInvalid':
          requested.push(event);
          break;
        case 'usage': {
          const { endpointId: model, inputTokens, outputTokens } = event;
          yield { type: 'usage', model, inputTokens, outputTokens };
          break;
        }
        case 'fellBack':
          yield event;
          break;
        case 'error':
          throw new ModelUnavailable(`${event.endpointId ?? this.#options.model.id}: ${event.reason}`);
        case 'end':
          break;
        default:
          event satisfies never;
      }
    }
    const rest = guard.finish();
    yield* pass(rest);
    return { requested, said, isBlocked: rest.isBlocked };
  }

  #request(messages: readonly ChatMessage[], tools: readonly ChatTool[], signal: AbortSignal): ChatRequest {
    return { messages, tools, maxOutputTokens: this.#answerTokens, signal };
  }

  get #answerTokens(): number {
    const { contextTokens } = this.#options.model;
    return Math.min(mostAnswerTokens, Math.floor(contextTokens * answerShare));
  }

  /** Words for the time that a tool takes, once for an answer. */
  async *#filler(requested: readonly Requested[]): AsyncGenerator<BrainEvent, string> {
    const { call, toolbox } = this.#options;
    const filler = requested
      .filter((one) => one.type === 'toolCall' && toolbox.refusal(one.name, one.arguments) === undefined)
      .map(({ name }) => toolbox.find(name)?.fillerMessage)
      .find((message) => message != null && message.trim() !== '');
    if (filler == null) return '';
    const words = `${call.fill(filler).trim()} `;
    yield say(words);
    return words;
  }

  /** Runs the tools of one round at once. @returns a message for each, in their order */
  async *#runAll(
    requested: readonly Requested[],
    runs: Runs,
    signal: AbortSignal,
  ): AsyncGenerator<BrainEvent, readonly ChatMessage[]> {
    const outcomes = await Promise.all(
      requested.map((one, index) =>
        index < mostToolsAtOnce
          ? this.#runOne(one, runs, signal)
          : { result: `Not run: at most ${mostToolsAtOnce} tools run at once.`, events: [] },
      ),
    );
    for (const { events } of outcomes) yield* events;
    const { contextTokens } = this.#options.model;
    return outcomes.map(({ result }, index) =>
      toolMessage(requested[index]?.id ?? '', result, contextTokens),
    );
  }

  async #runOne(
    one: Requested,
    runs: Runs,
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown; readonly events: readonly BrainEvent[] }> {
    const { toolbox } = this.#options;
    if (one.type === 'toolCallInvalid') return { result: invalidCall(one), events: [] };
    if (one.name === this.#own.search?.name) return this.#search(one.arguments, signal);
    if (one.name === this.#own.optOut?.name) return { result: await toolbox.optOut(), events: [] };
    const refused = toolbox.refusal(one.name, one.arguments);
    if (refused !== undefined) return { result: refused, events: [] };
    if (runs.started >= mostTools) return { result: 'Not run: too many tools in one answer.', events: [] };
    runs.started += 1;
    const run = toolbox.run(one.name, one.arguments, signal);
    if (isAsync(toolbox.find(one.name))) {
      run.catch(() => undefined); // awaited when the answer has been spoken
      runs.background.push(run);
      return { result: 'Started. Its result is not known during this answer.', events: [] };
    }
    const toolCall = await run;
    return { result: toolCall.result, events: [{ type: 'tool', toolCall }] };
  }

  async #search(given: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    const { query } = given;
    if (typeof query !== 'string' || query.trim() === '')
      return { result: 'The argument "query" has to be a text.', events: [] };
    const { passages, sources } = await this.#options.toolbox.search(query, signal);
    const result = passages.map(({ sourceName, headings, text, context }) => ({
      source: sourceName,
      headings,
      text: context == null ? text : `${context}\n${text}`,
    }));
    const events: BrainEvent[] = sources.length === 0 ? [] : [{ type: 'sources', sources }];
    return { result: result.length === 0 ? 'Nothing was found.' : result, events };
  }
}

const say = (delta: string): BrainEvent => ({ type: 'say', delta });

const invalidCall = ({ name, reason }: Extract<Requested, { type: 'toolCallInvalid' }>): string => {
  switch (reason) {
    case 'unknownTool':
      return noSuchTool(name);
    case 'tooMany':
      return 'Not run: too many tools at once.';
    case 'tooLong':
      return 'Not run: the arguments are too long.';
    case 'notJson':
    case 'notAnObject':
      return 'Not run: the arguments have to be a JSON object.';
    default:
      return reason satisfies never;
  }
};

const isAsync = (tool: ToolForRuntime | undefined): boolean => tool?.executionMode === 'async';

const assistantMessage = (content: string, requested: readonly Requested[]): ChatMessage => ({
  role: 'assistant',
  content,
  toolCalls: requested.map((one) => ({
    id: one.id,
    name: one.name,
    arguments: one.type === 'toolCall' ? one.arguments : {},
  })),
});
