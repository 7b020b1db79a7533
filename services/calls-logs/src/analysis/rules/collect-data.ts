// The data that a configuration asks for, out of what the person said. The agent's words count only where the person
// confirms them.
import { kindOf, nonAnswer, readValue, type SpokenValue, yesOrNo } from '@parlance/spoken-values';
import {
  type AnalyzedTurn,
  type Collected,
  type Field,
  isRedacted,
  type Subject,
  wordsOf,
} from '../subject.js';
import { askedIn, isBirth, isDay, isQuestion, isReadBack, isRepeat, names } from './questions.js';

interface Found {
  readonly value: SpokenValue['value'];
  readonly quote: string;
  readonly seq: number;
  /** Other turns that belong to the proof: the question that was confirmed, or the first half of an answer. */
  readonly others: readonly number[];
  readonly how: 'said' | 'confirmed';
}

type Missing = 'refused' | 'unsure' | 'unclear' | 'denied' | 'redacted' | 'none';

interface State {
  found?: Found | undefined;
  askedAt?: number | undefined;
  missing?: Missing | undefined;
  /** Text of earlier turns that answered in part, such as the first digits of a number. */
  pending: readonly AnalyzedTurn[];
}

/** Kinds that a sentence shows by itself, without a question before it. */
const selfEvident = new Set(['date', 'time', 'date-time', 'telephone', 'mail']);
/** Kinds that a person gives in several turns. */
const piecewise = new Set(['telephone', 'code', 'mail', 'name', 'address']);
/** Kinds whose value in a sentence of the agent can be compared with the person's. */
const comparable = new Set(['date', 'time', 'date-time', 'telephone', 'mail', 'number', 'code', 'choice']);

const corrects =
  /\b(?:actually|sorry|no wait|i meant|i mean|correction|instead|change (?:that|it)|make (?:it|that)|my mistake|wait|rather)\b|entschuldigung|ich mein(?:e|te)|doch lieber|moment|korrektur|lieber|vielmehr|ändern/iu;
const introduces =
  /\b(?:name is|name's|name of|this is|i'm|i am|speaking|under)\b|mein name|ich heiße|hier (?:ist|spricht)/iu;

/** "One pizza to 7 Willow Court" */
const isDelivered = /\bto\s+\d+[a-z]?\s+\p{L}/iu;

const isAlike = (a: Field, b: Field): boolean => kindOf(a) === kindOf(b) || (isDay(a) && isDay(b));

class Collector {
  readonly #subject: Subject;
  readonly #states: ReadonlyMap<string, State>;
  /** The fields that the person is expected to speak of now. */
  #targets: readonly Field[] = [];
  #agentTurn: AnalyzedTurn | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#states = new Map(subject.dataNeeded.map(({ id }) => [id, { pending: [] }]));
  }

  agent(turn: AnalyzedTurn): void {
    const text = wordsOf(turn);
    this.#agentTurn = turn;
    if (text.trim() === '') return;
    const asked = askedIn(text, this.#subject.dataNeeded);
    if (asked.length === 0) {
      const isEcho = this.#subject.dataNeeded.some((field) => this.#readRepeated(field, text) !== undefined);
      if (!isRepeat(text) && !isReadBack(text) && !isEcho && isQuestion(text)) this.#targets = [];
      return;
    }
    // "So that's two people on Tuesday?" asks for nothing new.
    const isMerelyReadBack =
      isReadBack(text) &&
      asked.every(
        (field) => this.#state(field).found !== undefined || this.#readRepeated(field, text) !== undefined,
      );
    if (!isMerelyReadBack) this.#targets = asked;
    for (const field of asked) {
      const state = this.#state(field);
      state.askedAt ??= turn.seq;
      if (!isMerelyReadBack) state.pending = [];
    }
  }

  user(turn: AnalyzedTurn): void {
    const text = wordsOf(turn);
    const readBack = this.#answerReadBack(turn, text);
    for (const field of this.#targets) if (!readBack.has(field.id)) this.#answer(field, turn, text);
    const isTarget = new Set(this.#targets.map(({ id }) => id));
    for (const field of this.#subject.dataNeeded)
      if (!isTarget.has(field.id) && !readBack.has(field.id)) this.#volunteer(field, turn, text);
  }

  collected(field: Field): Collected {
    const { found, askedAt, missing } = this.#state(field);
    if (found !== undefined) {
      const { value, quote, seq, others, how } = found;
      const rationale =
        how === 'confirmed'
          ? `The caller confirmed it in turn ${seq}.`
          : `The caller said so in turn ${seq}.`;
      return { value, rationale, turns: [...others, seq].sort((a, b) => a - b), quote };
    }
    if (askedAt === undefined && missing === undefined) return { value: null, rationale: 'Not asked.' };
    const reasons: Record<Missing, string> = {
      refused: 'the caller did not want to say',
      unsure: 'the caller did not know',
      unclear: 'the caller did not understand the question',
      denied: 'the caller rejected what was read back',
      redacted: 'the words were removed from the transcript',
      none: 'no answer was understood',
    };
    const rationale = `Asked in turn ${askedAt ?? 0}; ${reasons[missing ?? 'none']}.`;
    return { value: null, rationale, ...(askedAt === undefined ? {} : { turns: [askedAt] }) };
  }

  #state({ id }: Field): State {
    const state = this.#states.get(id);
    if (state === undefined) throw new Error('not a field of this configuration');
    return state;
  }

  #read(field: Field, text: string, isAnswer = true): SpokenValue | undefined {
    const { language, timezone, startedAt } = this.#subject;
    return readValue(field, text, { language, timezone, now: new Date(startedAt), isAnswer });
  }

  #keep(field: Field, found: Found): void {
    const state = this.#state(field);
    state.found = found;
    state.missing = undefined;
    state.pending = [];
  }

  #said(
    field: Field,
    { value, quote }: SpokenValue,
    turn: AnalyzedTurn,
    others: readonly number[] = [],
  ): void {
    this.#keep(field, { value, quote, seq: turn.seq, others, how: 'said' });
  }

  #answer(field: Field, turn: AnalyzedTurn, text: string): void {
    const state = this.#state(field);
    const kind = kindOf(field);
    if (this.#completes(field, turn, text)) return;
    const isSole = this.#targets.length === 1;
    const read = kind === 'text' && !isSole && !names(field, text) ? undefined : this.#read(field, text);
    const isFragment = state.pending.length > 0 && piecewise.has(kind) && kind !== 'address';
    if (isFragment) {
      const joined = [...state.pending, turn];
      const whole = this.#read(field, joined.map(wordsOf).join(' '));
      const isLonger = whole !== undefined && String(whole.value).length > String(read?.value ?? '').length;
      if (isLonger && !corrects.test(text) && (read === undefined || kind !== 'name')) {
        const others = state.pending.map(({ seq }) => seq);
        this.#keep(field, { value: whole.value, quote: text.trim(), seq: turn.seq, others, how: 'said' });
        return;
      }
    }
    // A further remark while the question is still open does not replace free text.
    if (read !== undefined && !(state.found !== undefined && kind === 'text' && !corrects.test(text))) {
      this.#said(field, read, turn);
      return;
    }
    if (state.found !== undefined) return;
    state.missing = nonAnswer(text, this.#subject.language) ?? (isRedacted(turn) ? 'redacted' : 'none');
    if (state.missing === 'none') state.pending = [...state.pending, turn];
  }

  /** The time that follows a day. */
  #completes(field: Field, turn: AnalyzedTurn, text: string): boolean {
    const { found } = this.#state(field);
    if (kindOf(field) !== 'date-time' || typeof found?.value !== 'string') return false;
    const day = found.value.slice(0, 10);
    if (this.#read(field, text) !== undefined) return false;
    const time = this.#read({ id: 'time', type: 'string', description: 'time' }, text);
    if (time === undefined) return false;
    this.#said(field, { ...time, value: `${day}T${time.value}` }, turn, [found.seq]);
    return true;
  }

  /** The fields that this turn settled as the answer to what the agent read back. */
  #answerReadBack(turn: AnalyzedTurn, text: string): ReadonlySet<string> {
    const settled = new Set<string>();
    const agentTurn = this.#agentTurn;
    if (agentTurn === undefined) return settled;
    const agentText = wordsOf(agentTurn);
    // "Seven in the evening?" asks for nothing but a yes.
    const isEcho = isQuestion(agentText) && askedIn(agentText, this.#subject.dataNeeded).length === 0;
    if (!isReadBack(agentText) && !isEcho) return settled;
    const answer = yesOrNo(text, this.#subject.language);
    for (const field of this.#subject.dataNeeded) {
      const state = this.#state(field);
      if (!comparable.has(kindOf(field))) {
        this.#correctWords(field, turn, text, answer, agentText, settled);
        continue;
      }
      const isKnown = state.found !== undefined || state.askedAt !== undefined;
      const repeated = isKnown ? this.#readRepeated(field, agentText) : undefined;
      if (repeated === undefined) continue;
      const corrected = this.#read(field, text) ?? this.#readWithYear(field, text, repeated);
      if (corrected !== undefined && corrected.value !== repeated.value) {
        this.#said(field, corrected, turn);
        settled.add(field.id);
      } else if (answer === 'yes' || corrected !== undefined) {
        const isSame = state.found?.value === repeated.value;
        const others = [...(isSame && state.found ? [state.found.seq] : []), agentTurn.seq];
        if (isSame && state.found) settled.add(field.id);
        else {
          const quote = corrected?.quote ?? text.trim();
          this.#keep(field, { value: repeated.value, quote, seq: turn.seq, others, how: 'confirmed' });
          settled.add(field.id);
        }
      } else if (answer === 'no' && state.found !== undefined && this.#isOnlyOneIn(field, agentText)) {
        state.found = undefined;
        state.missing = 'denied';
        state.askedAt ??= agentTurn.seq;
        this.#targets = [field];
        settled.add(field.id);
      }
    }
    return settled;
  }

  /** The value that the agent's words hold, of a kind where that can be told. */
  #readRepeated(field: Field, text: string): SpokenValue | undefined {
    return comparable.has(kindOf(field)) ? this.#read(field, text, false) : undefined;
  }

  /** "No, July the fourth" leaves the year as it was. */
  #readWithYear(field: Field, text: string, { value }: SpokenValue): SpokenValue | undefined {
    if (!isBirth(field)) return undefined;
    const said = text.replace(/[\s.,!?]+$/, '');
    const read = this.#read(field, `${said} ${String(value).slice(0, 4)}`);
    return read && { ...read, quote: said.slice(read.start) };
  }

  /** A "no" without more concerns the one value that was read back. */
  #isOnlyOneIn(field: Field, agentText: string): boolean {
    return this.#subject.dataNeeded.every(
      (other) =>
        other.id === field.id ||
        !comparable.has(kindOf(other)) ||
        this.#readRepeated(other, agentText) === undefined,
    );
  }

  /** Names and addresses are corrected where the agent repeats them, and the person says no and something else. */
  #correctWords(
    field: Field,
    turn: AnalyzedTurn,
    text: string,
    answer: 'yes' | 'no' | undefined,
    agentText: string,
    settled: Set<string>,
  ): void {
    const state = this.#state(field);
    const kind = kindOf(field);
    if (state.found === undefined || (kind !== 'name' && kind !== 'address')) return;
    const isRepeated = agentText
      .toLowerCase()
      .includes(String(state.found.value).split(/[ ,]/)[0]?.toLowerCase() ?? ' ');
    if (!isRepeated && !names(field, agentText)) return;
    const read = this.#read(field, text);
    if (read !== undefined && answer !== 'yes' && (answer === 'no' || corrects.test(text))) {
      this.#said(field, read, turn);
      settled.add(field.id);
    } else if (answer !== undefined) settled.add(field.id);
  }

  /** Values that nobody asked for in this moment: said ahead of the question, or corrected after it. */
  #volunteer(field: Field, turn: AnalyzedTurn, text: string): void {
    const state = this.#state(field);
    const kind = kindOf(field);
    const isCorrection = corrects.test(text);
    if (state.found !== undefined && !isCorrection) return;
    if (kind === 'text' || kind === 'boolean') return;
    if (kind === 'address' && !(isCorrection && names(field, text)) && !isDelivered.test(text)) return;
    if (kind === 'name' && !(introduces.test(text) && (state.found === undefined || names(field, text))))
      return;
    if ((kind === 'number' || kind === 'code') && !names(field, text)) return;
    if (selfEvident.has(kind) && !(this.#isUnique(field) && !isBirth(field)) && !names(field, text)) return;
    const read = this.#read(field, text, false);
    if (read === undefined) return;
    // An answer to another question corrects nothing.
    const answersOther = this.#targets.some((target) => isAlike(target, field));
    if (answersOther && !names(field, text)) return;
    const known = state.found;
    if (
      kind === 'date-time' &&
      typeof known?.value === 'string' &&
      String(read.value).length === 10 &&
      known.value.length > 10
    )
      // The day changes, and the time stays.
      this.#said(field, { ...read, value: `${read.value}${known.value.slice(10)}` }, turn, [known.seq]);
    else this.#said(field, read, turn);
  }

  #isUnique(field: Field): boolean {
    const kind = kindOf(field);
    return this.#subject.dataNeeded.filter((other) => kindOf(other) === kind).length === 1;
  }
}

export const collectData = (subject: Subject): Record<string, Collected> => {
  const collector = new Collector(subject);
  for (const turn of subject.turns) {
    if (turn.role === 'agent') collector.agent(turn);
    else if (turn.role === 'user') collector.user(turn);
  }
  return Object.fromEntries(subject.dataNeeded.map((field) => [field.id, collector.collected(field)]));
};
