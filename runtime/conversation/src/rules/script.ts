// The rules: what a sentence of the person does to the state, and what the agent does next. Pure; the clock and the values
// of variables come from outside.
import type { ToolForRuntime } from '@parlance/contracts';
import {
  asksNotToBeCalled,
  kindOf,
  nonAnswer,
  readValue,
  type SpokenField,
  type SpokenValue,
  yesOrNo,
} from '@parlance/spoken-values';
import type { Call } from '../dialogue/call.js';
import { type PhraseName, phrase } from '../dialogue/phrases.js';
import { otherWayFor, questionFor } from './expected.js';
import { hasLetters, isSpelledOut, needsReadBack, readBack } from './read-back.js';
import { introducesName, isFarewell, isGreeting, isThanks, questionIn } from './sentences.js';
import { argumentSlots, canBeAsked, dataSlots, type Slot } from './slots.js';
import { withGaps } from './spelled-names.js';
import type { Act, OpenQuestion, State, Step } from './state.js';
import { toolFor } from './tool-words.js';

/** After this many attempts the conversation continues without the value. */
const mostTries = 2;
/** The same for what can be spelled or keyed in. */
const mostSpokenTries = 4;
/** The same for a choice, and for a yes or no: the last question can be answered with a key. */
const mostSpokenChoices = 3;
const mostKeys = 9;

const answersByKey: Readonly<Record<string, 'yes' | 'no' | undefined>> = { 1: 'yes', 2: 'no' };

/** The values that the keys 1, 2, 3 and so on stand for. */
const keyedValues = ({ type, enumValues = [] }: SpokenField): readonly (string | boolean)[] =>
  type === 'boolean' ? [true, false] : enumValues.length <= mostKeys ? enumValues : [];

/** A code such as A-1001, where nothing says what an argument looks like. */
const codeInText = /\b(?=[\w-]*\d)[A-Za-z]{0,4}-?\d[\w-]*\b/;

const say = (text: string): Act => ({ type: 'say', text });

export class Script {
  readonly #call: Call;
  readonly #data: readonly Slot[];
  readonly #isSpoken: boolean;

  constructor(call: Call, isSpoken: boolean) {
    this.#call = call;
    this.#isSpoken = isSpoken;
    this.#data = dataSlots(call.found, call.language);
  }

  get slots(): readonly Slot[] {
    return this.#data;
  }

  step(state: State, text: string, now: Date): Step {
    const { open } = state;
    if (this.#call.context.channel === 'phone' && asksNotToBeCalled(text)) return this.#optOut(state);
    if (open === undefined) return this.#free(state, text, now);
    return open.phase === 'confirm'
      ? this.#confirm(state, open, text, now)
      : this.#answered(state, open, text, now);
  }

  /** The question was not heard: it is asked again after whatever comes next. */
  unheard(state: State): State {
    const { open, volunteered } = state;
    if (open === undefined) return state;
    const kept =
      open.value === undefined ? volunteered : new Map([...volunteered, [open.key, open.value] as const]);
    return { ...state, open: undefined, volunteered: kept };
  }

  /** Words that an answer to the open question is likely to have. */
  hint(state: State): string | undefined {
    const { open } = state;
    if (open === undefined) return undefined;
    const { language } = this.#call;
    const slot = this.#slot(state, open.key);
    if (open.phase === 'confirm' || slot?.field.type === 'boolean')
      return phrase(language, 'expectedAnswers');
    if (slot !== undefined && this.#asksToSpell(slot, open)) return phrase(language, 'expectedLetters');
    const choices = slot?.field.enumValues ?? [];
    return choices.length > 0 ? choices.map((choice) => `${choice}.`).join(' ') : slot?.label;
  }

  #say(name: PhraseName, values: Readonly<Record<string, string>> = {}): Act {
    return say(phrase(this.#call.language, name, values));
  }

  #read(slot: Slot, text: string, now: Date): SpokenValue | undefined {
    const { language, timezone } = this.#call;
    const value = this.#keyed(slot, text) ?? readValue(slot.field, text, { language, timezone, now });
    if (!slot.isArgument || (value !== undefined && value.kind !== 'text')) return value;
    const code = codeInText.exec(text);
    return code === null
      ? value
      : { value: code[0], quote: code[0], start: code.index, end: code.index + code[0].length, kind: 'code' };
  }

  /** Keys in the place of a number, and a key in the place of a choice: 1 is the first. */
  #keyed({ field }: Slot, text: string): SpokenValue | undefined {
    const keys =
      this.#isSpoken && field.type === 'integer' ? /^\s*\d(?: \d)*\s*$/.exec(text)?.[0] : undefined;
    if (keys !== undefined) {
      const value = Number(keys.replaceAll(/\s/g, ''));
      return { value, quote: keys, start: 0, end: keys.length, kind: 'number' };
    }
    const key = this.#isSpoken ? /^\s*([1-9])\s*$/.exec(text)?.[1] : undefined;
    const value = key === undefined ? undefined : keyedValues(field)[Number(key) - 1];
    if (key === undefined || value === undefined) return undefined;
    const start = text.indexOf(key);
    return { value, quote: key, start, end: start + 1, kind: kindOf(field) };
  }

  /** The data of the agent, and the arguments of the tool that waits. */
  #slot(state: State, key: string): Slot | undefined {
    return [...this.#data, ...this.#argumentsOf(state).map(({ slot }) => slot)].find(
      (slot) => slot.key === key,
    );
  }

  #argumentsOf({ tool }: State): ReturnType<typeof argumentSlots> {
    const found = tool && this.#call.tools.find(({ name }) => name === tool.name);
    return found === undefined ? [] : argumentSlots(found, this.#data, this.#call.language);
  }

  /** An outbound call ends after the confirmation. An inbound caller may still need something. */
  #optOut(state: State): Step {
    if (this.#call.context.direction === 'outbound')
      return { state: { ...state, open: undefined }, acts: [{ type: 'optOut' }, { type: 'end' }] };
    return { state, acts: [{ type: 'optOut' }, this.#resumed(state)] };
  }

  /** The question that is open, once more. */
  #resumed(state: State): Act {
    const { open } = state;
    const slot = open && this.#slot(state, open.key);
    if (open === undefined || slot === undefined) return this.#say('anythingElse');
    return open.phase === 'confirm' && open.value !== undefined
      ? this.#confirmation(slot, open.value)
      : this.#question(slot, open);
  }

  /** Nothing was asked. */
  #free(state: State, text: string, now: Date): Step {
    const { language } = this.#call;
    const isDone = state.isSettled || this.#data.length === 0;
    if (isFarewell(text, language) || (isDone && isThanks(text, language))) return this.#end(state);
    if (state.isSettled) {
      const wish = yesOrNo(text, language);
      const isShort = text.trim().split(/\s+/).length <= 4;
      if (wish === 'no' && questionIn(text, language) === undefined) return this.#end(state);
      if (wish === 'yes' && isShort) return { state, acts: [this.#say('welcome')] };
    }
    const noted = this.#note(state, text, now);
    const interruption = this.#interruption(noted, text, now);
    if (interruption !== undefined) return this.#next(interruption.state, interruption.acts);
    const next = this.#next(noted, []);
    if (next.acts.length > 0) return next;
    if (isGreeting(text, language)) return { state: noted, acts: [this.#say('welcome')] };
    return { state: noted, acts: [{ type: 'lookUp', question: text }] };
  }

  /** An answer to a question. */
  #answered(state: State, open: OpenQuestion, text: string, now: Date): Step {
    const { language } = this.#call;
    const slot = this.#slot(state, open.key);
    if (slot === undefined) return this.#free({ ...state, open: undefined }, text, now);
    if (isFarewell(text, language)) return this.#end(state);
    const reason = nonAnswer(text, language);
    if (reason === 'unclear' && open.tries + 1 < mostTries) {
      const repeated = { ...open, tries: open.tries + 1 };
      return { state: { ...state, open: repeated }, acts: [this.#question(slot, open)] };
    }
    const kind = kindOf(slot.field);
    // "Why" among letters is a Y.
    const isSpelling = this.#asksToSpell(slot, open) && hasLetters(text);
    const question = isSpelling ? undefined : questionIn(text, language);
    const isLoose = kind === 'text' || kind === 'name';
    const said = open.said === undefined ? text : `${open.said}, ${text}`;
    const read = question !== undefined && isLoose ? undefined : this.#read(slot, said, now);
    const value = read && open.rejected ? withGaps(read, open.rejected) : read;
    if (value !== undefined) {
      const taken = this.#take({ ...state, open }, slot, value, said);
      if (question === undefined) return taken;
      const answer = this.#interruption(taken.state, question, now);
      return answer === undefined ? taken : { state: answer.state, acts: [...answer.acts, ...taken.acts] };
    }
    const interruption = isSpelling ? undefined : this.#interruption(this.#note(state, text, now), text, now);
    if (interruption !== undefined) {
      const { tool } = interruption.state;
      // A tool that the person asks for now comes before the question that is open.
      if (tool !== state.tool)
        return this.#next({ ...interruption.state, open: undefined }, interruption.acts);
      return { state: interruption.state, acts: [...interruption.acts, this.#question(slot, open)] };
    }
    if ((reason === 'refused' || reason === 'unsure') && !slot.isRequired) return this.#skip(state, slot);
    const tries = open.tries + 1;
    if (tries >= this.#mostTries(slot)) return this.#skip(state, slot);
    return { state: { ...state, open: { ...open, tries } }, acts: [this.#again(slot, tries)] };
  }

  /** An answer to "Is that right?". */
  #confirm(state: State, open: OpenQuestion, text: string, now: Date): Step {
    const { language } = this.#call;
    const slot = this.#slot(state, open.key);
    const { value } = open;
    if (slot === undefined || value === undefined)
      return this.#free({ ...state, open: undefined }, text, now);
    if (isFarewell(text, language)) return this.#end(state);
    const pressed = this.#isSpoken ? answersByKey[text.trim()] : undefined;
    const answer = pressed ?? yesOrNo(text, language);
    const question = questionIn(text, language);
    const other = pressed === undefined ? this.#read(slot, text, now) : undefined;
    // Any word could be a name: "Yes, exactly."
    const isName =
      answer === 'no' || (answer === undefined && (!this.#isSpoken || introducesName(text, language)));
    const isOther =
      other !== undefined &&
      other.value !== value.value &&
      other.kind === value.kind &&
      (value.kind !== 'name' || isName || isSpelledOut(other.quote));
    if (answer === 'yes' && !isOther) {
      const accepted = this.#accept(state, slot, value);
      const asked = question === undefined ? undefined : this.#interruption(accepted, question, now);
      return this.#next(asked?.state ?? accepted, asked?.acts ?? []);
    }
    const tries = open.tries + 1;
    if (isOther && question === undefined && tries <= mostTries) {
      const corrected = { ...open, value: other, tries };
      return { state: { ...state, open: corrected }, acts: [this.#confirmation(slot, other)] };
    }
    if (answer === 'no') {
      if (tries >= this.#mostTries(slot)) return this.#skip(state, slot);
      const reopened: OpenQuestion = { key: slot.key, phase: 'ask', tries, rejected: open.rejected ?? value };
      return {
        state: { ...state, open: reopened },
        acts: [this.#say(this.#otherWay(slot, tries) ?? 'corrected', { field: slot.label })],
      };
    }
    const interruption = this.#interruption(state, text, now);
    if (interruption !== undefined && interruption.state.tool === state.tool)
      return {
        state: interruption.state,
        acts: [...interruption.acts, this.#confirmation(slot, value)],
      };
    const unclear = (open.unclear ?? 0) + 1;
    if (unclear >= (this.#isSpoken ? mostSpokenChoices : mostTries)) return this.#skip(state, slot);
    const byKeys = this.#isSpoken && unclear > 1;
    return {
      state: { ...state, open: { ...open, unclear } },
      acts: [this.#say(byKeys ? 'confirmByKeys' : 'yesOrNo', { value: readBack(value, language) })],
    };
  }

  #otherWay(slot: Slot, tries: number): PhraseName | undefined {
    return this.#isSpoken ? otherWayFor(slot, tries) : undefined;
  }

  #asksToSpell(slot: Slot, { tries }: OpenQuestion): boolean {
    return tries > 0 && this.#otherWay(slot, tries)?.startsWith('spell') === true;
  }

  #mostTries(slot: Slot): number {
    if (this.#otherWay(slot, 0) !== undefined) return mostSpokenTries;
    return this.#isSpoken ? mostSpokenChoices : mostTries;
  }

  /** The question after an answer that was not understood. */
  #again(slot: Slot, tries: number): Act {
    const { field, label } = slot;
    const { language } = this.#call;
    const values = keyedValues(field);
    if (this.#isSpoken && tries > 1 && values.length > 0) {
      const named = values.map((value) =>
        typeof value === 'boolean' ? phrase(language, value ? 'yes' : 'no') : value,
      );
      const choices = named.map((value, index) => phrase(language, 'keyFor', { key: `${index + 1}`, value }));
      return this.#say('chooseByKeys', { field: label, choices: choices.join(', ') });
    }
    if (field.type === 'boolean') return this.#say('askYesNo', { field: label });
    return this.#say(this.#otherWay(slot, tries) ?? 'askAgain', { field: label });
  }

  #end(state: State): Step {
    return { state: { ...state, open: undefined }, acts: [this.#say('farewell'), { type: 'end' }] };
  }

  #accept(state: State, slot: Slot, value: SpokenValue): State {
    return { ...state, open: undefined, values: new Map([...state.values, [slot.key, value] as const]) };
  }

  #skip(state: State, slot: Slot): Step {
    const { tool } = state;
    const isForTool = this.#argumentsOf(state).some((argument) => argument.slot.key === slot.key);
    const skipped = new Set([...state.skipped, slot.key]);
    // Without its argument the tool cannot run.
    const rest = { ...state, open: undefined, skipped, tool: isForTool ? undefined : tool };
    return this.#next(rest, [this.#say('skipped')]);
  }

  #take(state: State, slot: Slot, value: SpokenValue, said: string): Step {
    const tries = state.open?.tries ?? 0;
    if (kindOf(slot.field) === 'date-time' && !String(value.value).includes('T')) {
      if (tries + 1 >= mostTries) return this.#skip(state, slot);
      const open: OpenQuestion = { key: slot.key, phase: 'ask', said, tries: tries + 1 };
      const { language } = this.#call;
      return {
        state: { ...state, open },
        acts: [this.#say('askTime', { value: readBack(value, language) })],
      };
    }
    if (slot.isArgument || !needsReadBack(value, this.#isSpoken))
      return this.#next(this.#accept(state, slot, value), []);
    const { rejected } = state.open ?? {};
    const open: OpenQuestion = { key: slot.key, phase: 'confirm', value, tries, rejected };
    return { state: { ...state, open }, acts: [this.#confirmation(slot, value, false)] };
  }

  #confirmation(slot: Slot, value: SpokenValue, namesField = false): Act {
    const { language } = this.#call;
    const read = readBack(value, language);
    return namesField
      ? this.#say('readBackField', { value: read, field: slot.label })
      : this.#say('readBack', { value: read });
  }

  /** Values that are said before they are asked for, where their form alone shows what they are. */
  #note(state: State, text: string, now: Date): State {
    const { language } = this.#call;
    const volunteered = new Map(state.volunteered);
    for (const slot of this.#data) {
      if (state.values.has(slot.key) || state.skipped.has(slot.key) || slot.key === state.open?.key) continue;
      const kind = kindOf(slot.field);
      const isClear =
        kind === 'date' || kind === 'time' || kind === 'date-time' || kind === 'telephone' || kind === 'mail';
      if (!isClear && !(kind === 'name' && introducesName(text, language))) continue;
      const value = this.#read(slot, text, now);
      const isWhole = kind !== 'date-time' || String(value?.value).includes('T');
      if (value !== undefined && isWhole) volunteered.set(slot.key, value);
    }
    return { ...state, volunteered };
  }

  /** A question, or the words of a tool, in the place of an answer. */
  #interruption(state: State, text: string, now: Date): Step | undefined {
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
    for (const { slot } of argumentSlots(tool, this.#data, this.#call.language)) {
      if (!slot.isArgument) continue;
      values.delete(slot.key);
      const value = this.#read(slot, said, now);
      if (value !== undefined && value.kind !== 'text' && value.kind !== 'name' && value.kind !== 'boolean')
        values.set(slot.key, value);
    }
    return { state: { ...waiting, values }, acts: [] };
  }

  /** What is asked or done when nothing else is to be said. */
  #next(state: State, before: readonly Act[]): Step {
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
        ? this.#next(ran, before)
        : this.#next(ran, [...before, { type: 'tool', name: tool.name, arguments: given }]);
    }
    const open = this.#data.find(({ key }) => !state.values.has(key) && !state.skipped.has(key));
    if (open !== undefined) return this.#ask(state, open, before);
    const collectedFor = state.isSettled ? undefined : this.#toolOfData(state);
    if (collectedFor !== undefined)
      return this.#next({ ...state, tool: { name: collectedFor.name, said: '' } }, before);
    if (this.#data.length > 0 && !state.isSettled)
      return { state: { ...state, isSettled: true }, acts: [...before, this.#say('allCollected')] };
    return { state, acts: before };
  }

  /**
   * The tool that the data is collected for, where the person has not named it: all that it requires was collected, and it
   * uses most of what is required. None where two tools are alike in that.
   */
  #toolOfData(state: State): ToolForRuntime | undefined {
    const required = this.#call.found.config.data_needed.filter((field) => field.required === true).length;
    const [best, second] = this.#call.tools
      .filter((tool) => canBeAsked(tool) && !state.ran.has(tool.name))
      .map((tool) => ({ tool, slots: argumentSlots(tool, this.#data, this.#call.language) }))
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
      return { state: { ...state, open }, acts: [...before, this.#question(slot, open)] };
    }
    const volunteered = new Map(state.volunteered);
    volunteered.delete(slot.key);
    const open: OpenQuestion = { key: slot.key, phase: 'confirm', value, tries: 0 };
    return {
      state: { ...state, open, volunteered },
      acts: [...before, this.#confirmation(slot, value, true)],
    };
  }

  #question(slot: Slot, { said }: OpenQuestion): Act {
    return said === undefined ? say(questionFor(slot, this.#call.language)) : this.#say('askTimeAgain');
  }
}
