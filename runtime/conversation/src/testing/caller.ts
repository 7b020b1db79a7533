// A caller who books something: answers the questions of an agent out of a few facts, confirms what is read back rightly, corrects what
// is not, spells, and presses keys where the agent asks for that.
import { type PhraseName, phraseTemplate } from '../dialogue/phrases.js';

export interface Fact {
  /** Null for free text, of which any is right. */
  readonly value: string | number | boolean | null;
  /** The words of the first answer, and of later ones. */
  readonly says: readonly string[];
  /** The words where only the time of a day is asked for. */
  readonly saysTime?: readonly string[] | undefined;
  /** The words of the answer to a request to spell, and of later ones. */
  readonly spells?: readonly string[] | undefined;
  /** The words that spell the first and the last name, each asked for alone. */
  readonly spellsInTurn?: readonly [first: string, last: string] | undefined;
  /** Keys of a telephone. */
  readonly keys?: string | undefined;
}

export interface Booking {
  readonly agent: string;
  readonly opening: string;
  /** A question in the place of the first answer to one field. */
  readonly aside?: { readonly at: string; readonly ask: string };
  readonly facts: Readonly<Record<string, Fact>>;
}

export interface NeededField {
  readonly id: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface Reply {
  readonly text: string;
  /** The text is keys of a telephone. */
  readonly isKeyed: boolean;
}

/** The field that a question is about: the one whose description shares most of its words with the last sentence. */
const fieldIn = (words: string, fields: readonly NeededField[]): string | undefined => {
  const sentence = new Set(words.toLowerCase().match(/\p{L}+/gu));
  const scored = fields.map(({ id, description }) => {
    const terms = description
      .toLowerCase()
      .replaceAll(
        /\b(?:the )?(?:caller|patient|customer|guest)'s\b|\bof the (?:caller|patient|customer|guest)\b|des kunden/g,
        '',
      )
      .match(/[\p{L}]{2,}/gu);
    const all = terms ?? [];
    return { id, score: all.filter((term) => sentence.has(term)).length / Math.max(1, all.length) };
  });
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), { id: '', score: 0 });
  return best.score >= 0.5 ? best.id : undefined;
};

const isConfirmation = (words: string): boolean =>
  /is that right|ist das richtig|that is right, and 2|das richtig ist, und/i.test(words);
/** "Press 1 for inside, 2 for terrace" */
const offersKeys = (words: string): boolean => /press 1|taste 1|taste: 1/i.test(words);
const isTime = (words: string): boolean =>
  /what time|enter the time|wie viel uhr|die Uhrzeit mit/i.test(words);
const asksToSpell = (words: string): boolean => /\bspell|buchstabier/i.test(words);
/** "With a word for each letter" */
const asksForWords = (words: string): boolean => /a word for each letter|mit wörtern/i.test(words);
const asksForKeys = (words: string): boolean => /\bkeys\b|\bkeypad\b|tasten|tippen/i.test(words);

const asksForFirstName = (words: string): boolean => /\bfirst name\b|\bvornamen\b/i.test(words);
const asksForLastName = (words: string): boolean => /\blast name\b|\bnachnamen\b/i.test(words);

/** "A D A", of the first or the last name. */
const lettersOf = ({ value }: Fact, part: 0 | 1): string =>
  [...(String(value).split(' ').at(-part) ?? '').toUpperCase()].join(' ');

/** The digits of a date or a time, in the order that the agent has named. */
const keysOf = ({ value, keys }: Fact, words: string): string | undefined => {
  const moment = /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))?T?(?:(?<hour>\d\d):(?<minute>\d\d))?$/.exec(
    String(value),
  )?.groups;
  if (moment === undefined || moment === null) return keys;
  const { year = '', month = '', day = '', hour = '', minute = '' } = moment;
  if (isTime(words)) return `${hour}${minute}`;
  const date = /month.* day/i.test(words) ? `${month}${day}` : `${day}${month}`;
  return /\byear\b|\bjahr\b/i.test(words) ? `${date}${year}` : date;
};

/** The key that the agent has named for a value. */
const keyFor = (words: string, value: Fact['value']): string => {
  const names =
    value === true ? ['yes', 'ja'] : value === false ? ['no', 'nein'] : [String(value).toLowerCase()];
  const named = Array.from(words.toLowerCase().matchAll(/(\d) (?:for|für) ([^,.]+)/g));
  return named.find(([, , name]) => names.includes(name?.trim() ?? ''))?.[1] ?? '1';
};

const lastSentence = (words: string): string =>
  words
    .split(/(?<=[.!?])\s+/)
    .slice(-2)
    .join(' ');

const confirmations: readonly PhraseName[] = ['readBackField', 'readBack', 'yesOrNo', 'confirmByKeys'];

/** A sentence of the agent as a pattern, with a group for each value in it. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)'),
    'u',
  );

const patterns: readonly RegExp[] = ['en', 'de'].flatMap((language) =>
  confirmations.map((name) => patternOf(phraseTemplate(language, name))),
);

interface ReadBack {
  readonly value: string;
  /** The field that the agent has named. */
  readonly field: string | undefined;
}

const readBackIn = (agent: string): ReadBack | undefined => {
  const groups = patterns.map((pattern) => pattern.exec(agent)?.groups).find((found) => found !== undefined);
  return groups?.value === undefined ? undefined : { value: groups.value, field: groups.field };
};

const dayForms = (date: string): readonly string[] =>
  ['en', 'en-GB', 'de'].flatMap((language) =>
    (['long', 'full'] as const).map((dateStyle) =>
      new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`)),
    ),
  );

/** Without pauses and gaps: nobody hears where "Ada Lovelace" is parted. */
const sounds = (text: string): string => text.toLowerCase().replaceAll(/[\s.,]/g, '');

/** How a value may be read back. */
const formsOf = (value: string | number | boolean): readonly string[] => {
  const text = String(value);
  const [date = '', time] = text.split('T');
  if (/^\d{4}-\d\d-\d\d$/.test(date))
    return dayForms(date).flatMap((day) =>
      time === undefined ? [day] : [`${day} at ${time}`, `${day} um ${time} Uhr`],
    );
  // Names are read back with their letters.
  return /^[\p{L} '-]+$/u.test(text) ? [text, text + text] : [text];
};

const isSame = (heard: string, { value }: Fact): boolean => {
  if (value === null) return false;
  // The dots of a mail address are spoken.
  if (String(value).includes('@')) return heard.toLowerCase() === String(value).toLowerCase();
  return formsOf(value).some((form) => sounds(form) === sounds(heard));
};

/** "And at what time on Friday, December 4, 2026?" */
const namesWrongDay = (words: string, value: Fact['value']): boolean => {
  const [date = ''] = String(value).split('T');
  return /\d{4}\?/.test(words) && !dayForms(date).some((form) => sounds(words).includes(sounds(form)));
};

const at = (words: readonly string[] | undefined, index: number): string | undefined =>
  words?.[Math.min(index, words.length - 1)];

export class Caller {
  readonly #booking: Booking;
  readonly #fields: readonly NeededField[];
  readonly #asked = new Map<string, number>();
  readonly #spelled = new Map<string, number>();
  readonly #timed = new Map<string, number>();
  #isAsideDue: boolean;
  #last: string | undefined;

  constructor(booking: Booking, fields: readonly NeededField[]) {
    this.#booking = booking;
    this.#fields = fields;
    this.#isAsideDue = booking.aside !== undefined;
  }

  reply(agent: string, isGerman: boolean): Reply {
    const [yes, no, done] = isGerman
      ? ['Ja, genau.', 'Nein.', 'Nein danke, das war alles.']
      : ['Yes.', 'No.', 'No, that was all, thank you.'];
    const says = (text: string): Reply => ({ text, isKeyed: false });
    if (isConfirmation(agent)) {
      const isRight = this.#isRight(agent);
      return offersKeys(agent) ? { text: isRight ? '1' : '2', isKeyed: true } : says(isRight ? yes : no);
    }
    const words = lastSentence(agent);
    const field = isTime(words) ? this.#last : (this.#nameIn(words) ?? fieldIn(words, this.#fields));
    const fact = field === undefined ? undefined : this.#booking.facts[field];
    if (field === undefined || fact === undefined) return says(done);
    if (this.#isAsideDue && this.#booking.aside?.at === field) {
      this.#isAsideDue = false;
      return says(this.#booking.aside.ask);
    }
    this.#last = field;
    if (namesWrongDay(agent, fact.value)) return says(no);
    if (offersKeys(words)) return { text: keyFor(words, fact.value), isKeyed: true };
    const keys = asksForKeys(words) ? keysOf(fact, words) : undefined;
    if (keys !== undefined) return { text: keys, isKeyed: true };
    if (fact.saysTime !== undefined && isTime(words)) {
      const times = this.#timed.get(field) ?? 0;
      this.#timed.set(field, times + 1);
      return says(at(fact.saysTime, times) ?? '');
    }
    const part = asksForFirstName(words) ? 0 : asksForLastName(words) ? 1 : undefined;
    if (part !== undefined) return says(fact.spellsInTurn?.[part] ?? lettersOf(fact, part));
    const counts = fact.spells !== undefined && asksToSpell(words) ? this.#spelled : this.#asked;
    const times =
      counts === this.#spelled && asksForWords(words) ? Number.POSITIVE_INFINITY : (counts.get(field) ?? 0);
    counts.set(field, (counts.get(field) ?? 0) + 1);
    return says(at(counts === this.#spelled ? fact.spells : fact.says, times) ?? '');
  }

  /** The field of a name of which one part is asked for. */
  #nameIn(words: string): string | undefined {
    if (!asksForFirstName(words) && !asksForLastName(words)) return undefined;
    return Object.keys(this.#booking.facts).find((id) => /name/.test(id));
  }

  /** The whole of what was read back has to be what the person has said. */
  #isRight(agent: string): boolean {
    const heard = readBackIn(agent);
    if (heard === undefined) return false;
    const field = heard.field === undefined ? this.#last : fieldIn(heard.field, this.#fields);
    const fact = field === undefined ? undefined : this.#booking.facts[field];
    const facts = fact === undefined ? Object.values(this.#booking.facts) : [fact];
    return facts.some((one) => isSame(heard.value, one));
  }
}
