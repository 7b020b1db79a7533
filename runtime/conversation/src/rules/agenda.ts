// The next question or act of the rules: the data of the agent, the arguments of a tool, and the tool itself.
import type { ToolForRuntime } from '@parlance/contracts';
import { kindOf, type SpokenValue } from '@parlance/spoken-values';
import type { Call } from '../dialogue/call.js';
import type { AnswerReader } from './answer-reader.js';
import { introducesName, isGreeting, questionIn } from './sentences.js';
import { argumentSlots, canBeAsked, dataSlots, type Slot } from './slots.js';
import type { Act, OpenQuestion, State, Step } from './state.js';
import { toolFor } from './tool-words.js';
import { mostTries, type Wording } from './wording.js';

export interface AgendaOptions {
  readonly call: Call;
  readonly isSpoken: boolean;
  readonly reader: AnswerReader;
  readonly wording: Wording;
}

export class Agenda {
  /** The data of the agent, in the order in which it is asked for. */
  readonly slots: readonly Slot[];
  readonly #call: Call;
  readonly #isSpoken: boolean;
  readonly #reader: AnswerReader;
  readonly #wording: Wording;

  constructor({ call, isSpoken, reader, wording }: AgendaOptions) {
    this.#call = call;
    this.#isSpoken = isSpoken;
    this.#reader = reader;
    this.#wording = wording;
    this.slots = dataSlots(call.found, call.language);
  }

  /** The data of the agent, and the arguments of the tool that waits. */
  slot(state: State, key: string): Slot | undefined {
    return [...this.slots, ...this.#argumentsOf(state).map(({ slot }) => slot)].find(
      (slot) => slot.key === key,
    );
  }

  #argumentsOf({ tool }: State): ReturnType<typeof argumentSlots> {
    const found = tool && this.#call.tools.find(({ name }) => name === tool.name);
    return found === undefined ? [] : argumentSlots(found, this.slots, this.#call.language);
  }

  /** Values that are said before they are asked for, where their form alone shows what they are. */
  note(state: State, text: string, now: Date): State {
    const { language } = this.#call;
    const volunteered = new Map(state.volunteered);
    for (const slot of this.slots) {
      if (state.values.has(slot.key) || state.skipped.has(slot.key) || slot.key === state.open?.key) continue;
      const kind = kindOf(slot.field);
      const isClear =
        kind === 'date' || kind === 'time' || kind === 'date-time' || kind === 'telephone' || kind === 'mail';
      if (!isClear && !(kind === 'name' && introducesName(text, language))) continue;
      const value = this.#reader.read(slot, text, now);
      const isWhole = kind !== 'date-time' || String(value?.value).includes('T');
      if (value !== undefined && isWhole) volunteered.set(slot.key, value);
    }
    return { ...state, volunteered };
  }

  /** A question, or the words of a tool, in the place of an answer. */
  interruption(state: State, text: string, now: Date): Step | undefined {
    const { language, tools } = this.#call;
    const question = questionIn(text, language);
    const tool = toolFor(text, tools, language);
    if (tool !== undefined && tool.name !== state.tool?.name) return this.#begin(state, tool, text, now);
    if (question === undefined || isGreeting(question, language)) return undefined;
    return { state, acts: [{ type: 'lookUp', question }] };
  }

  /** Takes the arguments of a tool from the words that name it. */
  #begin(state: State, tool: ToolForRuntime, said: string, now: Date): Step {
    const waiting: State = { ...state, tool: { name: tool.name, said } };
    const values = new Map(state.values);
    for (const { slot } of argumentSlots(tool, this.slots, this.#call.language)) {
      if (!slot.isArgument) continue;
      values.delete(slot.key);
      const value = this.#reader.read(slot, said, now);
      if (value !== undefined && value.kind !== 'text' && value.kind !== 'name' && value.kind !== 'boolean')
        values.set(slot.key, value);
    }
    return { state: { ...waiting, values }, acts: [] };
  }

  accept(state: State, slot: Slot, value: SpokenValue): State {
    return { ...state, open: undefined, values: new Map([...state.values, [slot.key, value] as const]) };
  }

  skip(state: State, slot: Slot): Step {
    const { tool } = state;
    const isForTool = this.#argumentsOf(state).some((argument) => argument.slot.key === slot.key);
    const skipped = new Set([...state.skipped, slot.key]);
    // Without its argument the tool cannot run.
    const rest = { ...state, open: undefined, skipped, tool: isForTool ? undefined : tool };
    return this.next(rest, [this.#wording.say('skipped')]);
  }

  /** What was only misheard is asked for once more when everything else is known. */
  postpone(state: State, slot: Slot, { rejected, denied }: OpenQuestion): Step {
    const isLast = !this.#isSpoken || slot.isArgument || !slot.isRequired || state.resumed.has(slot.key);
    if (isLast) return this.skip(state, slot);
    return this.skip(
      { ...state, postponed: new Map([...state.postponed, [slot.key, { rejected, denied }]]) },
      slot,
    );
  }

  /** What is asked or done when nothing else is to be said. */
  next(state: State, before: readonly Act[]): Step {
    const { tool } = state;
    if (tool !== undefined) {
      const found = this.#call.tools.find(({ name }) => name === tool.name);
      const slots = this.#argumentsOf(state);
      const missing = slots.find(({ slot, name }) => this.#argument(state, slot, name) === undefined);
      if (missing !== undefined) return this.#ask(state, missing.slot, before);
      const given = Object.fromEntries(
        slots.map(({ slot, name }) => [name, this.#argument(state, slot, name)]),
      );
      const ran: State = { ...state, tool: undefined, ran: new Set([...state.ran, tool.name]) };
      return found === undefined
        ? this.next(ran, before)
        : this.next(ran, [...before, { type: 'tool', name: tool.name, arguments: given }]);
    }
    const open = this.slots.find(({ key }) => !state.values.has(key) && !state.skipped.has(key));
    if (open !== undefined) return this.#ask(state, open, before);
    const [postponed] = state.postponed;
    if (postponed !== undefined) return this.#resume(state, ...postponed, before);
    const collectedFor = state.isSettled ? undefined : this.#toolOfData(state);
    if (collectedFor !== undefined)
      return this.next({ ...state, tool: { name: collectedFor.name, said: '' } }, before);
    if (this.slots.length > 0 && !state.isSettled)
      return { state: { ...state, isSettled: true }, acts: [...before, this.#wording.say('allCollected')] };
    return { state, acts: before };
  }

  /** Asks for a value that was misheard before, in the way that is the hardest to mishear. */
  #resume(
    state: State,
    key: string,
    misheard: Pick<OpenQuestion, 'rejected' | 'denied'>,
    before: readonly Act[],
  ): Step {
    const postponed = new Map(state.postponed);
    postponed.delete(key);
    const rest = { ...state, postponed, resumed: new Set([...state.resumed, key]) };
    const slot = this.slot(rest, key);
    if (slot === undefined) return this.next(rest, before);
    const open: OpenQuestion = { key, phase: 'ask', tries: mostTries, ...misheard };
    return {
      state: { ...rest, open },
      acts: [...before, this.#wording.say('comeBack'), this.#wording.again(slot, open)],
    };
  }

  /**
   * The tool that the data is collected for, where the person has not named it: all that it requires was collected, and it
   * uses most of what is required. None where two tools are alike in that.
   */
  #toolOfData(state: State): ToolForRuntime | undefined {
    const required = this.#call.found.config.data_needed.filter((field) => field.required === true).length;
    const [best, second] = this.#call.tools
      .filter((tool) => canBeAsked(tool) && !state.ran.has(tool.name))
      .map((tool) => ({ tool, slots: argumentSlots(tool, this.slots, this.#call.language) }))
      .filter(({ slots }) => slots.every(({ slot }) => !slot.isArgument && state.values.has(slot.key)))
      .filter(({ slots }) => slots.length >= Math.max(2, required / 2))
      .toSorted((one, other) => other.slots.length - one.slots.length);
    return best?.slots.length === second?.slots.length ? undefined : best?.tool;
  }

  #argument(state: State, slot: Slot, name: string): unknown {
    const value = state.values.get(slot.key)?.value;
    if (value !== undefined) return value;
    const variable = slot.isArgument ? this.#call.value(name) : undefined;
    if (variable === undefined) return undefined;
    const { type } = slot.field;
    return type === 'number' || type === 'integer' ? Number(variable) : variable;
  }

  #ask(state: State, slot: Slot, before: readonly Act[]): Step {
    const value = state.volunteered.get(slot.key);
    if (value === undefined) {
      const open: OpenQuestion = { key: slot.key, phase: 'ask', tries: 0 };
      return { state: { ...state, open }, acts: [...before, this.#wording.question(slot, open)] };
    }
    const volunteered = new Map(state.volunteered);
    volunteered.delete(slot.key);
    const open: OpenQuestion = { key: slot.key, phase: 'confirm', value, tries: 0 };
    return {
      state: { ...state, open, volunteered },
      acts: [...before, this.#wording.confirmation(slot, value, true)],
    };
  }
}
