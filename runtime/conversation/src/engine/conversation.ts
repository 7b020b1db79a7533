// One conversation of an agent. The same engine answers previews, visitors of a website and telephone calls: only ears and
// mouth differ.
import {
  type AnsweredTurn,
  type CallContext,
  type Fallback,
  type RuntimeConfig,
  shownResult,
} from '@parlance/contracts';
import type { Brain, BrainEvent, BrainName, Question } from '../dialogue/brain.js';
import { Call } from '../dialogue/call.js';
import type { LanguageModel } from '../dialogue/chat.js';
import { phrase } from '../dialogue/phrases.js';
import type { Sources, ToolCall, Turn } from '../dialogue/turns.js';
import { ModelBrain, ModelUnavailable } from '../model/model-brain.js';
import type { Mode } from '../prompt/instructions.js';
import { type CollectedValue, RulesBrain } from '../rules/rules-brain.js';
import { type Session, Toolbox } from '../tools/toolbox.js';
import type { ConversationEvent } from './events.js';

export interface ConversationOptions {
  readonly context: CallContext;
  readonly found: RuntimeConfig;
  readonly session: Session;
  readonly mode: Mode;
  /** Undefined where no language model is configured: rules answer then. */
  readonly model?: LanguageModel | undefined;
  /** Values of the runtime, such as keys, that must not be spoken. The token of the call always is one. */
  readonly secrets?: readonly string[];
  readonly now?: () => Date;
}

/** What the other party heard of the last answer. */
export interface Heard {
  readonly spokenText: string;
  readonly interrupted: boolean;
}

/** A sentence that the agent will say, or is likely to. */
export interface ExpectedSentence {
  readonly text: string;
  /** True when no value of this call is in it, so that it is the same in every call. */
  readonly isShared: boolean;
}

/** The protocol takes no longer text in a turn, and no more fall-backs. */
const longestText = 20_000;
const mostFallbacks = 10;

const hasVariable = (template: string): boolean => template.includes('{{');

/** An answer that is under way. */
class Answering {
  text = '';
  sources: Sources = [];
  isOver = false;
  /** The model that answers; another one after a fall-back. */
  model: string | null;
  readonly fallbacks: Fallback[] = [];
  readonly #startedMs = performance.now();
  #firstTokenMs: number | undefined;

  constructor(model: string | null) {
    this.model = model;
  }

  said(delta: string): void {
    this.#firstTokenMs ??= Math.round(performance.now() - this.#startedMs);
    this.text += delta;
  }

  get timings(): AnsweredTurn['timings'] {
    return this.#firstTokenMs === undefined ? undefined : { firstTokenMs: this.#firstTokenMs };
  }
}

export class Conversation {
  readonly #call: Call;
  readonly #brain: Brain;
  readonly #toolbox: Toolbox;
  readonly #history: Turn[] = [];
  readonly model: string | null;
  #answering: Answering | undefined;

  constructor({ context, found, session, mode, model, secrets = [], now }: ConversationOptions) {
    const { callToken } = found.runtime;
    const all = callToken === null ? secrets : [...secrets, callToken];
    const call = new Call({ context, found, ...(now && { now }) });
    const toolbox = new Toolbox({ call, session, secrets: all });
    this.#call = call;
    this.#toolbox = toolbox;
    this.model = model?.id ?? null;
    this.#brain =
      model === undefined
        ? new RulesBrain({ call, toolbox, isSpoken: mode === 'voice' })
        : new ModelBrain({ call, toolbox, model, mode, secrets: all });
  }

  get brain(): BrainName {
    return this.#brain.name;
  }

  get language(): string {
    return this.#call.language;
  }

  /** The turns so far, with what was heard of them. */
  get history(): readonly Turn[] {
    return this.#history;
  }

  /** The values of `data_needed` that rules have collected; empty where a model answers. */
  collected(): Readonly<Record<string, CollectedValue>> {
    return this.#brain instanceof RulesBrain ? this.#brain.collected(this.#history) : {};
  }

  /** The person asked not to be called again. */
  get hasOptedOut(): boolean {
    return this.#toolbox.hasOptedOut;
  }

  /** The answer that is under way, or the next one, is the last. */
  get isOver(): boolean {
    return this.#toolbox.isOver;
  }

  /** True when the first message has no value of this call in it. */
  get isOpeningShared(): boolean {
    const { context, found } = this.#call;
    // The initiation webhook may have replaced it.
    const isOfAgent = found.initiation === null || found.initiation.outcome === 'failed';
    return isOfAgent && context.firstMessage === null && !hasVariable(found.config.firstMessage);
  }

  /** What can be synthesized before it is said, the likeliest first; without the first message. */
  expected(): readonly ExpectedSentence[] {
    const fillers = this.#call.tools.flatMap(({ fillerMessage }) =>
      fillerMessage === null || fillerMessage.trim() === ''
        ? []
        : [{ text: this.#call.fill(fillerMessage).trim(), isShared: !hasVariable(fillerMessage) }],
    );
    const ofBrain = (this.#brain.expected?.() ?? []).map((text) => ({ text, isShared: true }));
    return [...fillers, ...ofBrain];
  }

  /** A hint for recognition: words that the next turn of the person is likely to have. */
  hint(): string | undefined {
    return this.#brain.hint?.(this.#history);
  }

  /** The first words of the agent; empty where the other party begins. They are part of the history from now on. */
  opening(): string {
    const { context, found } = this.#call;
    const text = this.#call.fill(context.firstMessage ?? found.config.firstMessage).trim();
    if (text !== '') this.#add({ role: 'agent', text });
    return text;
  }

  /** Takes up a conversation that another replica has had so far. */
  resume(turns: readonly Turn[]): void {
    const [first] = turns;
    if (first?.createdAt !== undefined) this.#call.startedAt = new Date(first.createdAt);
    this.#history.push(...turns);
  }

  /**
   * Answers what the other party said. An answer that is still under way ends: what it has said by then is in the history
   * as interrupted.
   * @throws ModelUnavailable when no model answers; the reason of the signal when it aborts
   */
  async *answer(
    userText: string,
    { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<ConversationEvent> {
    this.#interrupt();
    const history = [...this.#history];
    this.#add({ role: 'user', text: userText });
    const answering = new Answering(this.model);
    this.#answering = answering;
    try {
      for await (const event of this.#answerOrEnd({ history, text: userText, signal }, answering)) {
        if (answering.isOver) return;
        switch (event.type) {
          case 'say': {
            const delta = event.delta.slice(0, longestText - answering.text.length);
            if (delta === '') break;
            answering.said(delta);
            yield { type: 'say', delta };
            break;
          }
          case 'tool':
            this.#add({ role: 'tool', text: '', toolCall: event.toolCall });
            yield { type: 'tool', turn: this.#toolTurn(event.toolCall) };
            break;
          case 'sources':
            answering.sources = event.sources;
            yield event;
            break;
          case 'end':
            yield* this.#finish(answering);
            yield event;
            return;
          case 'fellBack':
            answering.model = event.to;
            if (answering.fallbacks.length < mostFallbacks)
              answering.fallbacks.push({ kind: 'llm', from: event.from, to: event.to, reason: event.reason });
            yield event;
            break;
          default:
            yield event;
        }
      }
      yield* this.#finish(answering);
    } finally {
      // The reader left, the signal aborted, or the brain failed.
      this.#close(answering);
    }
  }

  /** The brain's answer. It ends a conversation that is over, whatever the brain does. */
  async *#answerOrEnd(question: Question, answering: Answering): AsyncGenerator<BrainEvent> {
    // An interrupted confirmation is repeated, and nothing else is answered.
    if (!this.isOver) {
      try {
        for await (const event of this.#brain.answer(question)) {
          yield event;
          if (event.type === 'end') return;
        }
      } catch (error) {
        if (!this.isOver || !(error instanceof ModelUnavailable)) throw error;
      }
      if (!this.isOver) return;
    }
    const gap = /\S$/.test(answering.text) ? ' ' : '';
    yield { type: 'say', delta: gap + phrase(this.language, 'notCalledAgainFarewell') };
    yield { type: 'end', reason: 'agent_hangup' };
  }

  /** Replaces the plan by what was heard of the last turn of the agent. */
  heard({ spokenText, interrupted }: Heard): void {
    this.#interrupt();
    const index = this.#history.findLastIndex(({ role }) => role === 'agent');
    const turn = this.#history[index];
    if (turn !== undefined) this.#history[index] = { ...turn, spokenText, interrupted };
  }

  #add(turn: Turn): void {
    this.#history.push({ createdAt: this.#call.now().toISOString(), ...turn });
  }

  #interrupt(): void {
    if (this.#answering !== undefined) this.#close(this.#answering);
  }

  #close(answering: Answering): void {
    if (answering.isOver) return;
    answering.isOver = true;
    const { text, sources } = answering;
    if (text.trim() !== '') this.#add({ role: 'agent', text, spokenText: text, interrupted: true, sources });
    if (this.#answering === answering) this.#answering = undefined;
  }

  *#finish(answering: Answering): Generator<ConversationEvent> {
    if (answering.isOver) return;
    answering.isOver = true;
    this.#answering = undefined;
    const { sources, model, fallbacks, timings } = answering;
    const text = answering.text.trim();
    this.#add({ role: 'agent', text, sources });
    const { language } = this;
    yield {
      type: 'turn',
      turn: { role: 'agent', text, language, toolCall: null, sources, model, fallbacks, timings },
    };
  }

  /** Transcripts show the beginning of a long result; the brain has all of it. */
  #toolTurn(toolCall: ToolCall): AnsweredTurn {
    const shown = { ...toolCall, result: shownResult(toolCall.result) };
    return { role: 'tool', text: '', language: this.language, toolCall: shown, sources: [] };
  }
}
