// The rules: what a sentence of the person does to the state, and what the agent does next. Pure; the clock and the values
// of variables come from outside.
import { asksNotToBeCalled, kindOf, nonAnswer, type SpokenValue, yesOrNo } from '@parlance/spoken-values';
import type { Call } from '../dialogue/call.js';
import { unintelligible } from '../dialogue/turns.js';
import { Agenda } from './agenda.js';
import { AnswerReader } from './answer-reader.js';
import { isWholeName } from './expected.js';
import { hasLetters, isSpelledOut, needsReadBack, readBack } from './read-back.js';
import { introducesName, isFarewell, isGreeting, isThanks, questionIn } from './sentences.js';
import type { Slot } from './slots.js';
import { hasBothNames, mixedNames, oneName } from './spelled-names.js';
import type { Act, OpenQuestion, State, Step } from './state.js';
import { mostSpokenChoices, mostTries, Wording } from './wording.js';

const answersByKey: Readonly<Record<string, 'yes' | 'no' | undefined>> = { 1: 'yes', 2: 'no' };

/** Questions that are answered before one of the agent, which then counts as not answered. */
const mostAsides = 3;

export class Script {
  readonly #call: Call;
  readonly #isSpoken: boolean;
  readonly #reader: AnswerReader;
  readonly #wording: Wording;
  readonly #agenda: Agenda;

  constructor(call: Call, isSpoken: boolean) {
    this.#call = call;
    this.#isSpoken = isSpoken;
    this.#reader = new AnswerReader(call, isSpoken);
    this.#wording = new Wording(call.language, isSpoken);
    this.#agenda = new Agenda({ call, isSpoken, reader: this.#reader, wording: this.#wording });
  }

  get slots(): readonly Slot[] {
    return this.#agenda.slots;
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

  hint(state: State): string | undefined {
    const { open } = state;
    return open && this.#wording.hint(this.#agenda.slot(state, open.key), open);
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
    const slot = open && this.#agenda.slot(state, open.key);
    if (open === undefined || slot === undefined) return this.#wording.say('anythingElse');
    return open.phase === 'confirm' && open.value !== undefined
      ? this.#wording.confirmation(slot, open.value)
      : this.#wording.question(slot, open);
  }

  /** A voice without words is an answer that was not understood. */
  #unintelligible(state: State): Step {
    const { open } = state;
    const slot = open && this.#agenda.slot(state, open.key);
    if (open === undefined || slot === undefined) {
      const next = this.#agenda.next({ ...state, open: undefined }, []);
      return next.acts.length > 0 ? next : { state: next.state, acts: [this.#wording.say('notUnderstood')] };
    }
    return open.value === undefined
      ? this.#unanswered(state, slot, open)
      : this.#unclear(state, slot, open, open.value);
  }

  /** Nothing was asked. */
  #free(state: State, text: string, now: Date): Step {
    const { language } = this.#call;
    const isDone = state.isSettled || this.#agenda.slots.length === 0;
    if (isFarewell(text, language) || (isDone && isThanks(text, language))) return this.#end(state);
    if (state.isSettled) {
      const wish = yesOrNo(text, language);
      const isShort = text.trim().split(/\s+/).length <= 4;
      if (wish === 'no' && questionIn(text, language) === undefined) return this.#end(state);
      if (wish === 'yes' && isShort) return { state, acts: [this.#wording.say('welcome')] };
    }
    const noted = this.#agenda.note(state, text, now);
    const interruption = this.#agenda.interruption(noted, text, now);
    if (interruption !== undefined) return this.#agenda.next(interruption.state, interruption.acts);
    const next = this.#agenda.next(noted, []);
    if (next.acts.length > 0) return next;
    if (isGreeting(text, language)) return { state: noted, acts: [this.#wording.say('welcome')] };
    return { state: noted, acts: [{ type: 'lookUp', question: text }] };
  }

  /** An answer to a question. */
  #answered(state: State, open: OpenQuestion, text: string, now: Date): Step {
    const { language } = this.#call;
    const slot = this.#agenda.slot(state, open.key);
    if (slot === undefined) return this.#free({ ...state, open: undefined }, text, now);
    if (isFarewell(text, language)) return this.#end(state);
    const reason = nonAnswer(text, language);
    if (reason === 'unclear' && open.tries + 1 < mostTries) {
      const repeated = { ...open, tries: open.tries + 1 };
      return { state: { ...state, open: repeated }, acts: [this.#wording.question(slot, open)] };
    }
    const kind = kindOf(slot.field);
    // "Why" among letters is a Y.
    const isSpelling = this.#wording.asksToSpell(slot, open) && hasLetters(text);
    const question = isSpelling ? undefined : questionIn(text, language);
    const isLoose = kind === 'text' || kind === 'name';
    const inTurn = this.#spelledInTurn(state, slot, open, text, now);
    if (inTurn !== undefined) return inTurn;
    const said = open.said === undefined ? text : `${open.said}, ${text}`;
    const keyed = this.#reader.keyed(slot, text, now, open.said);
    const heard = question !== undefined && isLoose ? undefined : this.#reader.heard(slot, open, text, now);
    if (keyed === undefined && heard !== undefined && this.#reader.isDenied(open, heard)) {
      // Heard a third time, it may be right after all.
      const denied = open.denied?.filter((one) => one !== heard.value);
      return this.#unanswered(state, slot, { ...open, denied });
    }
    const isWrongDay =
      open.said !== undefined &&
      yesOrNo(text, language) === 'no' &&
      heard?.value === this.#reader.read(slot, open.said, now)?.value;
    if (isWrongDay) return this.#unanswered(state, slot, { ...open, said: undefined });
    const value = keyed ?? heard;
    if (value !== undefined) {
      const taken = this.#take({ ...state, open }, slot, value, said);
      if (question === undefined) return taken;
      const answer = this.#agenda.interruption(taken.state, question, now);
      return answer === undefined ? taken : { state: answer.state, acts: [...answer.acts, ...taken.acts] };
    }
    const asides = open.asides ?? [];
    const isAside = !isSpelling && !asides.includes(text) && asides.length < mostAsides;
    const interruption = isAside
      ? this.#agenda.interruption(this.#agenda.note(state, text, now), text, now)
      : undefined;
    if (interruption !== undefined) {
      const { tool } = interruption.state;
      // A tool that the person asks for now comes before the question that is open.
      if (tool !== state.tool)
        return this.#agenda.next({ ...interruption.state, open: undefined }, interruption.acts);
      return {
        state: { ...interruption.state, open: { ...open, asides: [...asides, text] } },
        acts: [...interruption.acts, this.#wording.question(slot, open)],
      };
    }
    if (reason === 'refused' || reason === 'unsure') {
      // A value is requested twice at most: the caller may not know it, or may not want to say it.
      if (!slot.isRequired || open.tries + 1 >= mostTries) return this.#agenda.skip(state, slot);
    }
    return this.#unanswered(state, slot, open);
  }

  /** The first name, then the last. Undefined for other questions, and where both were given at once. */
  #spelledInTurn(state: State, slot: Slot, open: OpenQuestion, text: string, now: Date): Step | undefined {
    if (!isWholeName(slot) || !this.#wording.asksToSpell(slot, open)) return undefined;
    const read = this.#reader.read(slot, text, now);
    if (read === undefined) return undefined;
    const { firstName } = open;
    const name = String(read.value);
    const spelled = hasLetters(text) ? oneName(name) : name;
    if (firstName === undefined) {
      const isWhole = hasLetters(text) ? hasBothNames(spelled, open.rejected) : name.includes(' ');
      if (isWhole) return undefined;
      const next = { ...open, firstName: spelled };
      return { state: { ...state, open: next }, acts: [this.#wording.say('spellLastName')] };
    }
    const isWhole = name.toLowerCase().startsWith(`${firstName.toLowerCase()} `);
    const value = { ...read, value: isWhole ? name : `${firstName} ${spelled}` };
    const rest = { ...open, firstName: undefined };
    if (!this.#reader.isDenied(open, value)) return this.#take({ ...state, open: rest }, slot, value, text);
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
    if (tries >= this.#wording.mostTries(slot)) return this.#agenda.postpone(state, slot, open);
    const again = { ...open, tries };
    return { state: { ...state, open: again }, acts: [this.#wording.again(slot, again)] };
  }

  /** An answer to "Is that right?". */
  #confirm(state: State, open: OpenQuestion, text: string, now: Date): Step {
    const { language } = this.#call;
    const slot = this.#agenda.slot(state, open.key);
    const { value } = open;
    if (slot === undefined || value === undefined)
      return this.#free({ ...state, open: undefined }, text, now);
    if (isFarewell(text, language)) return this.#end(state);
    const pressed = this.#isSpoken ? answersByKey[text.trim()] : undefined;
    const answer = pressed ?? yesOrNo(text, language);
    const question = questionIn(text, language);
    const read = pressed === undefined ? this.#reader.read(slot, text, now) : undefined;
    const other = read !== undefined && this.#reader.isDenied(open, read) ? undefined : read;
    // Any word could be a name: "Yes, exactly."
    const isName =
      answer === 'no' || (answer === undefined && (!this.#isSpoken || introducesName(text, language)));
    const isOther =
      other !== undefined &&
      other.value !== value.value &&
      other.kind === value.kind &&
      (value.kind !== 'name' || isName || isSpelledOut(other.quote));
    if (answer === 'yes' && !isOther) {
      const accepted = this.#agenda.accept(state, slot, value);
      const asked = question === undefined ? undefined : this.#agenda.interruption(accepted, question, now);
      return this.#agenda.next(asked?.state ?? accepted, asked?.acts ?? []);
    }
    const tries = open.tries + 1;
    if (isOther && question === undefined && tries <= mostTries) {
      const corrected = { ...open, value: other, tries, denied: [...(open.denied ?? []), value.value] };
      return { state: { ...state, open: corrected }, acts: [this.#wording.confirmation(slot, other)] };
    }
    if (answer === 'no') {
      const reopened: OpenQuestion = {
        key: slot.key,
        phase: 'ask',
        tries,
        rejected: open.rejected ?? value,
        denied: [...(open.denied ?? []), value.value],
      };
      if (tries >= this.#wording.mostTries(slot)) return this.#agenda.postpone(state, slot, reopened);
      return {
        state: { ...state, open: reopened },
        acts: [this.#wording.say(this.#wording.otherWay(slot, tries) ?? 'corrected', { field: slot.label })],
      };
    }
    const interruption = this.#agenda.interruption(state, text, now);
    if (interruption !== undefined && interruption.state.tool === state.tool)
      return {
        state: interruption.state,
        acts: [...interruption.acts, this.#wording.confirmation(slot, value)],
      };
    return this.#unclear(state, slot, open, value);
  }

  /** Neither yes nor no: "Is that right?" once more, and with keys in the end. */
  #unclear(state: State, slot: Slot, open: OpenQuestion, value: SpokenValue): Step {
    const unclear = (open.unclear ?? 0) + 1;
    if (unclear >= (this.#isSpoken ? mostSpokenChoices : mostTries))
      return this.#agenda.postpone(state, slot, open);
    return {
      state: { ...state, open: { ...open, unclear } },
      acts: [this.#wording.confirmationAgain(value, unclear)],
    };
  }

  #end(state: State): Step {
    return { state: { ...state, open: undefined }, acts: [this.#wording.say('farewell'), { type: 'end' }] };
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
        acts: [this.#wording.say(question, { value: readBack(value, language) })],
      };
    }
    if (slot.isArgument || !needsReadBack(value, this.#isSpoken))
      return this.#agenda.next(this.#agenda.accept(state, slot, value), []);
    const { rejected, denied } = state.open ?? {};
    const open: OpenQuestion = { key: slot.key, phase: 'confirm', value, tries, rejected, denied };
    return { state: { ...state, open }, acts: [this.#wording.confirmation(slot, value, false)] };
  }
}
