// The turns of one conversation, redacted with what was said around them: an answer with its question, names that were
// given before, and a number whose groups come in several turns or inputs of a keypad.
import { type DigitRun, digitRuns } from '@parlance/spoken-values';
import { namesAnswering, withQuestion } from './answers.js';
import { isCard } from './cards.js';
import type { Finding } from './finding.js';
import { mentionsOf, wordsOfName } from './names.js';
import { merged, personalDataIn, type RedactionOptions, redactJson, replaced } from './redact.js';

export interface RedactableTurn {
  readonly role: 'agent' | 'user' | 'system' | 'tool';
  readonly text: string;
  readonly spokenText?: string | null | undefined;
  readonly toolCall?: { readonly arguments: object; readonly result: unknown } | null | undefined;
}

/** A turn whose findings may still grow. */
interface Waiting<T> {
  readonly turn: T;
  findings: readonly Finding[];
}

/** A piece of a number that may go on: the digits at an end of a turn. */
interface Piece<T> {
  readonly of: Waiting<T>;
  /** The part of the turn's text that is read together with the other pieces. */
  readonly start: number;
  readonly end: number;
}

const mostPieces = 10;
const mostWaiting = 40;
const mostNames = 50;
/** A single digit begins no number that is looked for. */
const leastDigits = 2;
const leastEchoed = 3;

const digitsOf = ({ groups }: DigitRun): string => groups.map(({ digits }) => digits).join('');
const digitsIn = (text: string, language: string): string => digitRuns(text, language).map(digitsOf).join('');

const letters = /\p{L}/u;
/** What people say around the groups of a number. */
const aroundDigits =
  /^(?:(?:yes|yeah|ok|okay|and|then|so|uh|um|it's|it is|next is|ja|und|dann|also|äh|ähm)(?!\p{L})|[\s,.;:!-])*$/iu;
const isAround = (text: string): boolean => !letters.test(text) || aroundDigits.test(text);

const withoutMarks = (text: string): number => text.replace(/[\s,.;:!?…-]+$/u, '').length;

const collapsed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export class ConversationRedactor<T extends RedactableTurn> {
  readonly #options: RedactionOptions;
  #names: string[] = [];
  /** The agent's words before the turn. */
  #question = '';
  #waiting: Waiting<T>[] = [];
  #pieces: Piece<T>[] = [];

  constructor(options: RedactionOptions) {
    this.#options = options;
  }

  /** @returns the turns that are decided by now, in order: this one too, unless it ends in digits that may go on */
  add(turn: T): T[] {
    const decided = turn.role === 'user' ? this.#addOfPerson(turn) : this.#addOther(turn);
    const isTooLong = this.#pieces.length >= mostPieces || this.#waiting.length >= mostWaiting;
    return isTooLong ? [...decided, ...this.end()] : decided;
  }

  /** The conversation is over, or waits no longer. @returns the turns that were not decided before */
  end(): T[] {
    const decided = this.#waiting.map(({ turn, findings }) => this.#redacted(turn, findings));
    this.#waiting = [];
    this.#pieces = [];
    return decided;
  }

  #addOther(turn: T): T[] {
    const findings = this.#find(turn.text, '');
    // Redacted, so that the same turns give the same result when they are redacted again.
    if (turn.role === 'agent') this.#question = replaced(turn.text, findings);
    if (this.#pieces.length === 0) return [this.#redacted(turn, findings)];
    this.#waiting.push({ turn, findings });
    return [];
  }

  #addOfPerson(turn: T): T[] {
    const { language } = this.#options;
    const one: Waiting<T> = { turn, findings: this.#find(turn.text, this.#question) };
    const runs = digitRuns(turn.text, language);
    const [first, last] = [runs[0], runs.at(-1)];
    const isContinued =
      this.#pieces.length > 0 && first !== undefined && isAround(turn.text.slice(0, first.start));
    const decided = isContinued ? [] : this.end();
    this.#waiting.push(one);
    if (isContinued) {
      this.#pieces.push({ of: one, start: first.start, end: first.end });
      this.#join();
    }
    const isOpen = last !== undefined && isAround(turn.text.slice(last.end));
    if (isOpen && isContinued && last === first) return decided;
    if (isOpen && digitsOf(last).length >= leastDigits) {
      const closed = isContinued ? this.#decideAllBut(one) : [];
      this.#pieces = [{ of: one, start: 0, end: withoutMarks(turn.text) }];
      return [...decided, ...closed];
    }
    return [...decided, ...this.end()];
  }

  #decideAllBut(last: Waiting<T>): T[] {
    const decided = this.#waiting.filter((one) => one !== last);
    this.#waiting = [last];
    return decided.map(({ turn, findings }) => this.#redacted(turn, findings));
  }

  /** Looks for numbers that reach over the pieces, and for repetitions of them by the agent. */
  #join(): void {
    const { language } = this.#options;
    let text = '';
    const places = this.#pieces.map((piece) => {
      const at = text.length;
      const part = piece.of.turn.text.slice(piece.start, piece.end);
      text += `${part} `;
      return { ...piece, at, length: part.length };
    });
    const newest = places.at(-1);
    if (newest === undefined) return;
    const isWhole = places.slice(0, -1).every(({ of, start, end }) => this.#isHidden(of, start, end));
    for (const found of personalDataIn(text, this.#options)) {
      if (found.kind !== 'card' && found.kind !== 'telephone') continue;
      const digits = digitsIn(text.slice(found.start, found.end), language);
      const isSpread = found.start < newest.at && found.end > newest.at;
      // "212 555 0187" is a number already, and "4 people" does not continue it.
      if (!isSpread || (isWhole && !(found.kind === 'card' && isCard(digits)))) continue;
      for (const { of, start, at, length } of places) {
        const from = Math.max(found.start, at) - at + start;
        const to = Math.min(found.end, at + length) - at + start;
        if (to > from) of.findings = this.#with(of.findings, { kind: found.kind, start: from, end: to });
      }
      this.#hideEchoes(found, digits);
    }
  }

  /** The agent repeats the groups while it listens to the next. */
  #hideEchoes({ kind }: Finding, digits: string): void {
    for (const one of this.#waiting) {
      if (one.turn.role === 'user') continue;
      for (const run of digitRuns(one.turn.text, this.#options.language)) {
        const echoed = digitsOf(run);
        if (echoed.length >= leastEchoed && digits.includes(echoed))
          one.findings = this.#with(one.findings, { kind, start: run.start, end: run.end });
      }
    }
  }

  /** The larger finding replaces those within it. */
  #with(findings: readonly Finding[], added: Finding): readonly Finding[] {
    const isWithin = (one: Finding): boolean => one.start >= added.start && one.end <= added.end;
    return merged(
      findings.filter((one) => !isWithin(one)),
      [added],
    );
  }

  #isHidden({ turn, findings }: Waiting<T>, start: number, end: number): boolean {
    return digitRuns(turn.text.slice(start, end), this.#options.language).every((run) =>
      findings.some((one) => one.start <= run.start + start && one.end >= run.end + start),
    );
  }

  #find(text: string, question: string): readonly Finding[] {
    const options = this.#options;
    if (options.kinds.length === 0) return [];
    const isAboutNames = options.kinds.includes('name');
    const found = [
      personalDataIn(text, options),
      question === '' ? [] : this.#answering(question, text),
      isAboutNames ? namesAnswering(question, text) : [],
      isAboutNames ? mentionsOf(text, this.#names) : [],
    ].reduce(merged);
    this.#learn(found.filter(({ kind }) => kind === 'name').map(({ start, end }) => text.slice(start, end)));
    return found;
  }

  /** What is personal only because of the question. */
  #answering(question: string, text: string): readonly Finding[] {
    const asked = withQuestion(question, text);
    return personalDataIn(asked.text, this.#options).flatMap(({ kind, start, end }) =>
      start >= asked.at ? [{ kind, start: start - asked.at, end: end - asked.at }] : [],
    );
  }

  #learn(names: readonly string[]): void {
    const added = names.flatMap(wordsOfName);
    this.#names = [...new Set([...this.#names, ...added])].slice(0, mostNames);
  }

  #redacted(turn: T, findings: readonly Finding[]): T {
    const { text, spokenText, toolCall } = turn;
    return {
      ...turn,
      text: replaced(text, findings),
      ...(typeof spokenText === 'string' && { spokenText: this.#spoken(spokenText, text, findings) }),
      ...(toolCall && {
        toolCall: {
          ...toolCall,
          arguments: this.#json(toolCall.arguments),
          result: this.#json(toolCall.result),
        },
      }),
    };
  }

  #json(value: unknown): unknown {
    return redactJson(value, this.#options, (text) => replaced(text, this.#find(text, '')));
  }

  /** The words that were heard of a text: what is hidden in the text is hidden in them, also where they break off in its middle. */
  #spoken(spoken: string, text: string, findings: readonly Finding[]): string {
    if (text.startsWith(spoken))
      return replaced(
        spoken,
        findings.flatMap((one) =>
          one.start < spoken.length ? [{ ...one, end: Math.min(one.end, spoken.length) }] : [],
        ),
      );
    const written = collapsed(text);
    if (spoken !== collapsed(spoken) || written !== text)
      return this.#spoken(collapsed(spoken), written, this.#find(written, ''));
    return replaced(spoken, this.#find(spoken, ''));
  }
}

/** The turns of a whole conversation, in their order. */
export const redactTurns = <T extends RedactableTurn>(
  turns: readonly T[],
  options: RedactionOptions,
): T[] => {
  const redactor = new ConversationRedactor<T>(options);
  return [...turns.flatMap((turn) => redactor.add(turn)), ...redactor.end()];
};
