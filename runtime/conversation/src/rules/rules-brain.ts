// Answers without a language model, by rules that follow the configuration of the agent.
import type { Brain, BrainEvent, Question } from '../dialogue/brain.js';
import type { Call } from '../dialogue/call.js';
import { type PhraseName, phrase } from '../dialogue/phrases.js';
import { isCutOff, type Turn } from '../dialogue/turns.js';
import type { Toolbox } from '../tools/toolbox.js';
import { excerpt, paragraphFor, spokenResult } from './excerpt.js';
import { expectedSentences } from './expected.js';
import { Script } from './script.js';
import { type Act, initialState, type State } from './state.js';

export interface RulesBrainOptions {
  readonly call: Call;
  readonly toolbox: Toolbox;
  /** The person speaks: words may be misheard, and there is a telephone with keys. */
  readonly isSpoken: boolean;
}

/** A value that was collected, and the words that it came from. */
export interface CollectedValue {
  readonly value: string | number | boolean;
  readonly quote: string;
}

const momentOf = ({ createdAt }: Turn, now: Date): Date =>
  createdAt === undefined ? now : new Date(createdAt);

export class RulesBrain implements Brain {
  readonly name = 'rules';
  readonly #call: Call;
  readonly #toolbox: Toolbox;
  readonly #script: Script;

  constructor({ call, toolbox, isSpoken }: RulesBrainOptions) {
    this.#call = call;
    this.#toolbox = toolbox;
    this.#script = new Script(call, isSpoken);
  }

  expected(): readonly string[] {
    return expectedSentences(this.#script.slots, this.#call.language);
  }

  async *answer({ history, text, signal }: Question): AsyncGenerator<BrainEvent> {
    const { acts } = this.#script.step(this.#stateAfter(history), text, this.#call.now());
    let isFirst = true;
    for (const act of acts) {
      for await (const event of this.#perform(act, signal)) {
        if (event.type !== 'say') yield event;
        else yield { ...event, delta: isFirst ? event.delta : ` ${event.delta}` };
        if (event.type === 'say') isFirst = false;
      }
    }
  }

  hint(history: readonly Turn[]): string | undefined {
    return this.#script.hint(this.#stateAfter(history));
  }

  /** The values of `data_needed` that the person has given so far. */
  collected(history: readonly Turn[]): Readonly<Record<string, CollectedValue>> {
    const { values } = this.#stateAfter(history);
    return Object.fromEntries(
      this.#script.slots.flatMap(({ key }) => {
        const value = values.get(key);
        return value === undefined ? [] : [[key, { value: value.value, quote: value.quote }]];
      }),
    );
  }

  /** Replays the words of the person. */
  #stateAfter(history: readonly Turn[]): State {
    let state = initialState;
    let isAnswered = true;
    for (const turn of history) {
      if (turn.role === 'user') {
        if (!isAnswered) state = this.#script.unheard(state);
        state = this.#script.step(state, turn.text, momentOf(turn, this.#call.now())).state;
        isAnswered = false;
      }
      if (turn.role === 'agent') {
        isAnswered = true;
        // The last sentence of a turn is its question.
        if (isCutOff(turn)) state = this.#script.unheard(state);
      }
    }
    return isAnswered ? state : this.#script.unheard(state);
  }

  #say(name: PhraseName, values: Readonly<Record<string, string>> = {}): BrainEvent {
    return { type: 'say', delta: phrase(this.#call.language, name, values) };
  }

  async *#perform(act: Act, signal: AbortSignal): AsyncGenerator<BrainEvent> {
    switch (act.type) {
      case 'say':
        yield { type: 'say', delta: act.text };
        return;
      case 'end':
        yield { type: 'end', reason: 'agent_hangup' };
        return;
      case 'optOut':
        yield this.#optOut();
        return;
      case 'lookUp':
        yield* this.#lookUp(act.question, signal);
        return;
      case 'tool':
        yield* this.#run(act, signal);
        return;
      default:
        act satisfies never;
    }
  }

  #optOut(): BrainEvent {
    if (!this.#toolbox.canOptOut) return this.#say('numberNotShown');
    void this.#toolbox.optOut();
    const isOver = this.#call.context.direction === 'outbound';
    return this.#say(isOver ? 'notCalledAgainFarewell' : 'notCalledAgain');
  }

  async *#lookUp(question: string, signal: AbortSignal): AsyncGenerator<BrainEvent> {
    const { language, found } = this.#call;
    // An agent may have sources of both kinds: some in the prompt, and some to search.
    const { prompt } = found.knowledge;
    const paragraph = prompt === null ? undefined : paragraphFor(prompt, question, language);
    if (paragraph !== undefined) {
      yield this.#say('documentsSay', { value: excerpt(paragraph, question, language) });
      return;
    }
    if (!this.#toolbox.canSearch) {
      yield this.#say(prompt === null ? 'cannotHelp' : 'documentsSilent');
      return;
    }
    const { passages, sources } = await this.#toolbox.search(question, signal);
    const [best] = passages;
    if (best === undefined) {
      yield this.#say('documentsSilent');
      return;
    }
    yield this.#say('documentsSay', { value: excerpt(best.text, question, language) });
    yield { type: 'sources', sources };
  }

  async *#run(
    { name, arguments: given }: Extract<Act, { type: 'tool' }>,
    signal: AbortSignal,
  ): AsyncGenerator<BrainEvent> {
    if (this.#toolbox.refusal(name, given) !== undefined) {
      yield this.#say('toolFailed');
      return;
    }
    const filler = this.#toolbox.find(name)?.fillerMessage;
    if (filler != null && filler.trim() !== '') yield { type: 'say', delta: this.#call.fill(filler).trim() };
    const toolCall = await this.#toolbox.run(name, given, signal);
    yield { type: 'tool', toolCall };
    const spoken = spokenResult(toolCall.result);
    if (toolCall.status !== 'ok') yield this.#say('toolFailed');
    else if (spoken === undefined) yield this.#say('toolDone');
    else yield this.#say('toolSays', { value: spoken });
  }
}
