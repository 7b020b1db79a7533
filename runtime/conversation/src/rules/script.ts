// The rules: what a sentence of the person does to the state, and what the agent does next. Pure; the clock and the values
// of variables come from outside.
import type { ToolForRuntime } from '@parlance/contracts';
import {
  asksNotToBeCalled,
  kindOf,
  mailNameIn,
  nonAnswer,
  readValue,
  type SpokenValue,
  yesOrNo,
} from '@parlance/spoken-values';
import type { Call } from '../dialogue/call.js';
import { type PhraseName, phrase } from '../dialogue/phrases.js';
import { unintelligible } from '../dialogue/turns.js';
import { exampleFor, isWholeName, otherWayFor, questionFor } from './expected.js';
import { keyedValues, readKeys } from './keyed.js';
import { hasLetters, isSpelledOut, needsReadBack, readBack } from './read-back.js';
import { introducesName, isFarewell, isGreeting, isThanks, questionIn } from './sentences.js';
import { argumentSlots, canBeAsked, dataSlots, type Slot } from './slots.js';
import { hasBothNames, mixedNames, oneName, withDomain, withGaps, withMarks } from './spelled-names.js';
import type { Act, OpenQuestion, State, Step } from './state.js';
import { toolFor } from './tool-words.js';

/** After this many attempts the conversation continues without the value. */
const mostTries = 2;
/** The same for what can be spelled or keyed in. */
const mostSpokenTries = 4;
/** The same for a choice, and for a yes or no: the last question can be answered with a key. */
const mostSpokenChoices = 3;

const answersByKey: Readonly<Record<string, 'yes' | 'no' | undefined>> = { 1: 'yes', 2: 'no' };

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
    if (text.trim() === unintelligible) return this.#unintelligible(state);
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
    // Recognition writes the words of an alphabet rightly where it has read all of them.
    if (slot !== undefined && this.#asksToSpell(slot, open))
      return phrase(
        language,
        this.#otherWay(slot, open.tries) === 'spell' ? 'expectedLetters' : 'expectedAlphabet',
      );
    const choices = slot?.field.enumValues ?? [];
    if (choices.length > 0) return choices.map((choice) => `${choice}.`).join(' ');
    const example = slot && exampleFor(slot, open.said !== undefined);
    return example === undefined ? slot?.label : phrase(language, example);
  }

  #say(name: PhraseName, values: Readonly<Record<string, string>> = {}): Act {
    return say(phrase(this.#call.language, name, values));
  }

  #read(slot: Slot, text: string, now: Date): SpokenValue | undefined {
    const { language, timezone } = this.#call;
    const value = readValue(slot.field, text, { language, timezone, now });
    if (!slot.isArgument || (value !== undefined && value.kind !== 'text')) return value;
    const code = codeInText.exec(text);
    return code === null
      ? value
      : { value: code[0], quote: code[0], start: code.index, end: code.index + code[0].length, kind: 'code' };
  }

  /** An answer with keys: the digits of a number, a date or a time, and 1 for the first choice. */
  #keyed({ field }: Slot, text: string, now: Date, day?: string): SpokenValue | undefined {
    const { language, timezone } = this.#call;
    return this.#isSpoken ? readKeys(field, text, { language, timezone, now }, day) : undefined;
  }

  /** The value in an answer, completed by what was misheard before it. */
  #heard(slot: Slot, { said, rejected }: OpenQuestion, text: string, now: Date): SpokenValue | undefined {
    const value = this.#read(slot, said === undefined ? text : `${said}, ${text}`, now);
    if (rejected === undefined) return value;
    if (value !== undefined) return withMarks(withGaps(value, rejected), rejected);
    const isMail = rejected.kind === 'mail';
    return isMail ? withDomain(mailNameIn(text, this.#call.language), rejected, text) : undefined;
  }

  #isDenied({ denied = [] }: OpenQuestion, { value }: SpokenValue): boolean {
    return this.#isSpoken && denied.includes(value);
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

  /** A voice without words is an answer that was not understood. */
  #unintelligible(state: State): Step {
    const { open } = state;
    const slot = open && this.#slot(state, open.key);
    if (open === undefined || slot === undefined) {
      const next = this.#next({ ...state, open: undefined }, []);
      return next.acts.length > 0 ? next : { state: next.state, acts: [this.#say('notUnderstood')] };
    }
    return open.value === undefined
      ? this.#unanswered(state, slot, open)
      : this.#unclear(state, slot, open, open.value);
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
    const inTurn = this.#spelledInTurn(state, slot, open, text, now);
    if (inTurn !== undefined) return inTurn;
    const said = open.said === undefined ? text : `${open.said}, ${text}`;
    const keyed = this.#keyed(slot, text, now, open.said);
    const heard = question !== undefined && isLoose ? undefined : this.#heard(slot, open, text, now);
    if (keyed === undefined && heard !== undefined && this.#isDenied(open, heard)) {
      // Heard a third time, it may be right after all.
      const denied = open.denied?.filter((one) => one !== heard.value);
      return this.#unanswered(state, slot, { ...open, denied });
    }
    const isWrongDay =
      open.said !== undefined &&
      yesOrNo(text, language) === 'no' &&
      heard?.value === this.#read(slot, open.said, now)?.value;
    if (isWrongDay) return this.#unanswered(state, slot, { ...open, said: undefined });
    const value = keyed ?? heard;
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
    if (reason === 'refused' || reason === 'unsure') {
      // A value is requested twice at most: the caller may not know it, or may not want to say it.
      if (!slot.isRequired || open.tries + 1 >= mostTries) return this.#skip(state, slot);
    }
    return this.#unanswered(state, slot, open);
  }

  /** The first name, then the last. Undefined for other questions, and where both were given at once. */
  #spelledInTurn(state: State, slot: Slot, open: OpenQuestion, text: string, now: Date): Step | undefined {
    if (!isWholeName(slot) || !this.#asksToSpell(slot, open)) return undefined;
    const read = this.#read(slot, text, now);
    if (read === undefined) return undefined;
    const { firstName } = open;
    const name = String(read.value);
    const spelled = hasLetters(text) ? oneName(name) : name;
    if (firstName === undefined) {
      const isWhole = hasLetters(text) ? hasBothNames(spelled, open.rejected) : name.includes(' ');
      if (isWhole) return undefined;
      const next = { ...open, firstName: spelled };
      return { state: { ...state, open: next }, acts: [this.#say('spellLastName')] };
    }
    const isWhole = name.toLowerCase().startsWith(`${firstName.toLowerCase()} `);
    const value = { ...read, value: isWhole ? name : `${firstName} ${spelled}` };
    const rest = { ...open, firstName: undefined };
    if (!this.#isDenied(open, value)) return this.#take({ ...state, open: rest }, slot, value, text);
    const other = mixedNames(value.value, open.rejected).find((one) => open.denied?.includes(one) === false);
    if (other !== undefined)
      return this.#take({ ...state, open: rest }, slot, { ...value, value: other }, text);
    // Heard a third time, it may be right after all.
    const denied = open.denied?.filter((one) => one !== value.value);
    return this.#unanswered(state, slot, { ...rest, denied });
  }

  /** Nothing was understood: the question once more, in another way. */
  #unanswered(state: State, slot: Slot, open: OpenQuestion): Step {
    const tries = open.tries + 1;
    if (tries >= this.#mostTries(slot)) return this.#postpone(state, slot, open);
    const again = { ...open, tries };
    return { state: { ...state, open: again }, acts: [this.#again(slot, again)] };
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
    const read = pressed === undefined ? this.#read(slot, text, now) : undefined;
    const other = read !== undefined && this.#isDenied(open, read) ? undefined : read;
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
      const corrected = { ...open, value: other, tries, denied: [...(open.denied ?? []), value.value] };
      return { state: { ...state, open: corrected }, acts: [this.#confirmation(slot, other)] };
    }
    if (answer === 'no') {
      const reopened: OpenQuestion = {
        key: slot.key,
        phase: 'ask',
        tries,
        rejected: open.rejected ?? value,
        denied: [...(open.denied ?? []), value.value],
      };
      if (tries >= this.#mostTries(slot)) return this.#postpone(state, slot, reopened);
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
    return this.#unclear(state, slot, open, value);
  }

  /** Neither yes nor no: "Is that right?" once more, and with keys in the end. */
  #unclear(state: State, slot: Slot, open: OpenQuestion, value: SpokenValue): Step {
    const unclear = (open.unclear ?? 0) + 1;
    if (unclear >= (this.#isSpoken ? mostSpokenChoices : mostTries)) return this.#postpone(state, slot, open);
    const byKeys = this.#isSpoken && unclear > 1;
    return {
      state: { ...state, open: { ...open, unclear } },
      acts: [
        this.#say(byKeys ? 'confirmByKeys' : 'yesOrNo', { value: readBack(value, this.#call.language) }),
      ],
    };
  }

  #otherWay(slot: Slot, tries: number): PhraseName | undefined {
    return this.#isSpoken ? otherWayFor(slot, tries) : undefined;
  }

  #asksToSpell(slot: Slot, { tries }: OpenQuestion): boolean {
    return tries > 0 && this.#otherWay(slot, tries)?.startsWith('spell') === true;
  }

  #mostTries(slot: Slot): number {
    if (this.#otherWay(slot, mostTries) !== undefined) return mostSpokenTries;
    return this.#isSpoken ? mostSpokenChoices : mostTries;
  }

  /** The question after an answer that was not understood. */
  #again(slot: Slot, { tries, said, firstName }: OpenQuestion): Act {
    const { field, label } = slot;
    if (said !== undefined) return this.#say(this.#isSpoken && tries > 1 ? 'keyInTime' : 'askTimeAgain');
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
    if (firstName !== undefined) return this.#say('spellLastName');
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

  /** What was only misheard is asked for once more when everything else is known. */
  #postpone(state: State, slot: Slot, { rejected, denied }: OpenQuestion): Step {
    const isLast = !this.#isSpoken || slot.isArgument || !slot.isRequired || state.resumed.has(slot.key);
    if (isLast) return this.#skip(state, slot);
    return this.#skip(
      { ...state, postponed: new Map([...state.postponed, [slot.key, { rejected, denied }]]) },
      slot,
    );
  }

  #take(state: State, slot: Slot, value: SpokenValue, said: string): Step {
    const tries = state.open?.tries ?? 0;
    if (kindOf(slot.field) === 'date-time' && !String(value.value).includes('T')) {
      const { language } = this.#call;
      const { open: before } = state;
      if (before?.said !== undefined) return this.#unanswered(state, slot, { ...before, said });
      // Keys are no words that hold a day.
      const isKeyed = !/\p{L}/u.test(said);
      const day = isKeyed ? readBack(value, language) : said;
      const open: OpenQuestion = { key: slot.key, phase: 'ask', said: day, tries, denied: before?.denied };
      // Recognition failed for the day, and would most likely fail for the time.
      const question = isKeyed ? 'askTimeByKeys' : 'askTime';
      return {
        state: { ...state, open },
        acts: [this.#say(question, { value: readBack(value, language) })],
      };
    }
    if (slot.isArgument || !needsReadBack(value, this.#isSpoken))
      return this.#next(this.#accept(state, slot, value), []);
    const { rejected, denied } = state.open ?? {};
    const open: OpenQuestion = { key: slot.key, phase: 'confirm', value, tries, rejected, denied };
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
    const [postponed] = state.postponed;
    if (postponed !== undefined) return this.#resume(state, ...postponed, before);
    const collectedFor = state.isSettled ? undefined : this.#toolOfData(state);
    if (collectedFor !== undefined)
      return this.#next({ ...state, tool: { name: collectedFor.name, said: '' } }, before);
    if (this.#data.length > 0 && !state.isSettled)
      return { state: { ...state, isSettled: true }, acts: [...before, this.#say('allCollected')] };
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
    const slot = this.#slot(rest, key);
    if (slot === undefined) return this.#next(rest, before);
    const open: OpenQuestion = { key, phase: 'ask', tries: mostTries, ...misheard };
    return { state: { ...rest, open }, acts: [...before, this.#say('comeBack'), this.#again(slot, open)] };
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
