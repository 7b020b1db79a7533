// A caller who books something: answers the questions of an agent out of a few facts, confirms what is read back rightly,
// corrects what is not, and hangs up after too many turns.
import { readFileSync } from 'node:fs';
import { phrase } from '../dialogue/phrases.js';
import { bookingAgents } from './booking-agents.js';
import { callFor, type Setup } from './setup.js';

interface Fact {
  /** Null for free text, of which any is right. */
  readonly value: string | number | boolean | null;
  /** The words of the first answer, and of later ones. */
  readonly says: readonly string[];
}

export interface Booking {
  readonly agent: string;
  readonly opening: string;
  /** A question in the place of the first answer to one field. */
  readonly aside?: { readonly at: string; readonly ask: string };
  readonly facts: Readonly<Record<string, Fact>>;
}

export const bookings: readonly Booking[] = JSON.parse(
  readFileSync(new URL('./bookings.json', import.meta.url), 'utf8'),
);

export type Cause = 'value missing' | 'value wrong' | 'tool not run' | 'aside not answered' | 'no end';

export interface Outcome {
  readonly booking: Booking;
  readonly causes: readonly { readonly cause: Cause; readonly detail: string }[];
  readonly turns: number;
  readonly transcript: readonly string[];
}

const patience = 40;

interface Needed {
  readonly id: string;
  readonly description: string;
  readonly required?: boolean;
}

const fieldsOf = ({ config }: Setup): readonly Needed[] =>
  (config as { readonly data_needed: readonly Needed[] }).data_needed;

/** The field that a question is about: the one whose description shares most of its words with the last sentence. */
const fieldIn = (words: string, fields: readonly Needed[]): string | undefined => {
  const sentence = words.toLowerCase();
  const scored = fields.map(({ id, description }) => {
    const terms = description
      .toLowerCase()
      .replaceAll(
        /\b(?:the )?(?:caller|patient|customer|guest)'s\b|\bof the (?:caller|patient|customer|guest)\b|des kunden/g,
        '',
      )
      .match(/[\p{L}]{2,}/gu);
    const all = terms ?? [];
    return { id, score: all.filter((term) => sentence.includes(term)).length / Math.max(1, all.length) };
  });
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { id: '', score: 0 });
  return best.score >= 0.5 ? best.id : undefined;
};

const isConfirmation = (words: string): boolean => /is that right|ist das richtig/i.test(words);
const isTime = (words: string): boolean => /what time|wie viel uhr/i.test(words);

const lastSentence = (words: string): string =>
  words
    .split(/(?<=[.!?])\s+/)
    .slice(-2)
    .join(' ');

class Caller {
  readonly #booking: Booking;
  readonly #fields: readonly Needed[];
  readonly #asked = new Map<string, number>();
  #isAsideDue: boolean;
  #last: string | undefined;

  constructor(booking: Booking, setup: Setup) {
    this.#booking = booking;
    this.#fields = fieldsOf(setup);
    this.#isAsideDue = booking.aside !== undefined;
  }

  reply(agent: string, isGerman: boolean): string {
    const [yes, no, done] = isGerman
      ? ['Ja, genau.', 'Nein.', 'Nein danke, das war alles.']
      : ['Yes.', 'No.', 'No, that was all, thank you.'];
    if (isConfirmation(agent)) return this.#isRight(agent) ? yes : no;
    const words = lastSentence(agent);
    const field = isTime(words) ? this.#last : fieldIn(words, this.#fields);
    const fact = field === undefined ? undefined : this.#booking.facts[field];
    if (field === undefined || fact === undefined) return done;
    if (this.#isAsideDue && this.#booking.aside?.at === field) {
      this.#isAsideDue = false;
      return this.#booking.aside.ask;
    }
    this.#last = field;
    const times = this.#asked.get(field) ?? 0;
    this.#asked.set(field, times + 1);
    return fact.says[Math.min(times, fact.says.length - 1)] ?? '';
  }

  /** A person knows what they have said: the read-back has the digits, the date or the name of one of the facts. */
  #isRight(agent: string): boolean {
    const shown = agent.toLowerCase().replaceAll(/[\s.,]/g, '');
    const fact = this.#last === undefined ? undefined : this.#booking.facts[this.#last];
    const candidates = fact === undefined || /"|„/.test(agent) ? Object.values(this.#booking.facts) : [fact];
    return candidates.some(
      ({ value }) => value !== null && formsOf(value).some((form) => shown.includes(form)),
    );
  }
}

const formsOf = (value: string | number | boolean): readonly string[] => {
  const text = String(value).toLowerCase();
  const [date = '', time] = text.split('t');
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return [text.replaceAll(/[\s.,]/g, '')];
  return ['en', 'en-GB', 'de'].map((language) => {
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(`${date}T00:00:00Z`),
    );
    const spoken = time === undefined ? day : `${day} ${language === 'de' ? 'um' : 'at'} ${time}`;
    return spoken.toLowerCase().replaceAll(/[\s.,]/g, '');
  });
};

export const hold = async (booking: Booking): Promise<Outcome> => {
  const setup = bookingAgents[booking.agent] ?? {};
  const { conversation, say, ran } = callFor(setup);
  const caller = new Caller(booking, setup);
  const isGerman = conversation.language.startsWith('de');
  const transcript: string[] = [`agent: ${conversation.opening()}`];
  let words = booking.opening;
  let turns = 0;
  const farewell = phrase(conversation.language, 'farewell');
  let answer = '';
  while (turns < patience && !answer.endsWith(farewell)) {
    transcript.push(`caller: ${words}`);
    answer = await say(words);
    transcript.push(`agent: ${answer}`);
    turns += 1;
    words = caller.reply(answer, isGerman);
  }
  const causes: { cause: Cause; detail: string }[] = [];
  const collected = conversation.collected();
  for (const { id, required } of fieldsOf(setup)) {
    const wanted = booking.facts[id]?.value;
    const got = collected[id]?.value;
    if (required !== true || wanted === undefined) continue;
    if (got === undefined) causes.push({ cause: 'value missing', detail: id });
    else if (wanted !== null && String(got).toLowerCase() !== String(wanted).toLowerCase())
      causes.push({ cause: 'value wrong', detail: `${id} is ${got}, not ${wanted}` });
  }
  for (const { name } of setup.tools ?? [])
    if (!ran.some(([tool]) => tool === name)) causes.push({ cause: 'tool not run', detail: name });
  if (booking.aside !== undefined) {
    const place = transcript.indexOf(`caller: ${booking.aside.ask}`);
    if (!/documents say|Unterlagen steht/.test(transcript[place + 1] ?? ''))
      causes.push({ cause: 'aside not answered', detail: booking.aside.ask });
  }
  if (!answer.endsWith(farewell)) causes.push({ cause: 'no end', detail: `${turns} turns` });
  return { booking, causes, turns, transcript };
};
