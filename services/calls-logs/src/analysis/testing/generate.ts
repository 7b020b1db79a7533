// Makes the generated half of the labelled transcripts: the same seed gives the same transcripts.
import type { LabelledCall } from './labelled-calls.js';
import { type Answer, phrases, type Script, scripts, type Value } from './sentences.js';

const mulberry = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const kinds = [
  'plain',
  'corrected',
  'refused',
  'unsure',
  'noisy',
  'confirmed',
  'rejected',
  'unclear',
  'redacted',
  'unasked',
] as const;
type Kind = (typeof kinds)[number];

class Generator {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = mulberry(seed);
  }

  #one<T>(list: readonly T[]): T {
    const item = list[Math.floor(this.#random() * list.length)];
    if (item === undefined) throw new Error('the list is empty');
    return item;
  }

  #shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, at: this.#random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  #other({ answers }: Script, [said, value]: Answer): Answer {
    return this.#one(answers.filter((answer) => answer[0] !== said && answer[1] !== value));
  }

  /** The turns about one field, and its value. */
  #exchange(
    script: Script,
    kind: Kind,
    language: 'en' | 'de',
  ): { readonly turns: string[]; readonly value: Value | null } {
    const words = phrases[language];
    const question = this.#one(script.questions);
    const answer = this.#one(script.answers);
    const [said, value] = answer;
    const ask = `A: ${question}`;
    switch (kind) {
      case 'plain':
        return { turns: [ask, `U: ${said}`], value };
      case 'corrected': {
        const wrong = this.#other(script, answer);
        return { turns: [ask, `U: ${wrong[0]}, ${this.#one(words.repairs)} ${said}`], value };
      }
      case 'refused':
        return { turns: [ask, `U: ${this.#one(words.refusals)}`], value: null };
      case 'unsure':
        return { turns: [ask, `U: ${this.#one(words.doubts)}`], value: null };
      case 'noisy':
        return { turns: [ask, `U: ${this.#one(words.noises)} ${said}`], value };
      case 'confirmed': {
        const yes =
          language === 'en'
            ? this.#one(["Yes, that's right.", 'Correct.', 'Exactly.'])
            : this.#one(['Ja, genau.', 'Richtig.']);
        const readBack = this.#one(script.readBack ?? ['']).replace('…', said);
        return script.readBack === undefined
          ? { turns: [ask, `U: ${said}`], value }
          : { turns: [ask, `U: ${said}`, `A: ${readBack}`, `U: ${yes}`], value };
      }
      case 'rejected': {
        if (script.readBack === undefined) return { turns: [ask, `U: ${said}`], value };
        const heard = this.#other(script, answer);
        const readBack = this.#one(script.readBack).replace('…', heard[0]);
        return {
          turns: [ask, `U: ${said}`, `A: ${readBack}`, `U: ${language === 'en' ? 'No,' : 'Nein,'} ${said}.`],
          value,
        };
      }
      case 'unclear': {
        const [pardon, bridge] = this.#one(words.again);
        return { turns: [ask, `U: ${pardon}`, `A: ${bridge} ${question}`, `U: ${said}`], value };
      }
      case 'redacted':
        return { turns: [ask, `U: ${this.#one(words.removed)}`], value: null };
      case 'unasked':
        return { turns: [], value: null };
    }
  }

  call(form: string): LabelledCall {
    const language = form === 'tisch' || form === 'stoerung' ? 'de' : 'en';
    const words = phrases[language];
    const kind = this.#one(kinds);
    const turns = [`A: ${this.#one(words.greetings)}`, `U: ${this.#one(words.openings)}`];
    const expected: Record<string, Value | null> = {};
    const fields = this.#shuffled(Object.entries(scripts[form] ?? {}));
    const special = new Set(fields.slice(0, 2).map(([id]) => id));
    for (const [id, script] of this.#shuffled(fields)) {
      const exchange = this.#exchange(
        script,
        special.has(id) ? kind : this.#one(['plain', 'plain', 'noisy']),
        language,
      );
      if (exchange.turns.length > 0 && this.#random() < 0.1) {
        const [aside, reply] = this.#one(words.asides);
        turns.push(`U: ${aside}`, `A: ${reply}`);
      }
      turns.push(...exchange.turns);
      expected[id] = exchange.value;
    }
    turns.push(
      `A: ${language === 'en' ? 'Anything else?' : 'Sonst noch etwas?'}`,
      `U: ${this.#one(words.farewells)}`,
    );
    return { form, kind, by: 'generator', turns, expected };
  }
}

export const generatedCalls = (count: number, seed = 38): readonly LabelledCall[] => {
  const generator = new Generator(seed);
  const forms = Object.keys(scripts);
  return Array.from({ length: count }, (_, index) => generator.call(forms[index % forms.length] ?? 'table'));
};
