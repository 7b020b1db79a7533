// How the rules ask for a value: the question, its repetitions, and the read-back.
import type { SpokenValue } from '@parlance/spoken-values';
import { type PhraseName, phrase } from '../dialogue/phrases.js';
import { exampleFor, otherWayFor, questionFor } from './expected.js';
import { keyedValues } from './keyed.js';
import { readBack } from './read-back.js';
import type { Slot } from './slots.js';
import type { Act, OpenQuestion } from './state.js';

/** Attempts at a value that can only be said. */
export const mostTries = 2;
/** The same for what can be spelled or keyed in. */
const mostSpokenTries = 4;
/** The same for a choice, and for a yes or no: the last question can be answered with a key. */
export const mostSpokenChoices = 3;

export class Wording {
  readonly #language: string;
  readonly #isSpoken: boolean;

  constructor(language: string, isSpoken: boolean) {
    this.#language = language;
    this.#isSpoken = isSpoken;
  }

  say(name: PhraseName, values: Readonly<Record<string, string>> = {}): Act {
    return { type: 'say', text: phrase(this.#language, name, values) };
  }

  question(slot: Slot, { said }: OpenQuestion): Act {
    if (said !== undefined) return this.say('askTimeAgain');
    return { type: 'say', text: questionFor(slot, this.#language) };
  }

  /** The question after an answer that was not understood. */
  again(slot: Slot, { tries, said, firstName }: OpenQuestion): Act {
    const { field, label } = slot;
    if (said !== undefined) return this.say(this.#isSpoken && tries > 1 ? 'keyInTime' : 'askTimeAgain');
    const language = this.#language;
    const values = keyedValues(field);
    if (this.#isSpoken && tries > 1 && values.length > 0) {
      const named = values.map((value) =>
        typeof value === 'boolean' ? phrase(language, value ? 'yes' : 'no') : value,
      );
      const choices = named.map((value, index) => phrase(language, 'keyFor', { key: `${index + 1}`, value }));
      return this.say('chooseByKeys', { field: label, choices: choices.join(', ') });
    }
    if (field.type === 'boolean') return this.say('askYesNo', { field: label });
    if (firstName !== undefined) return this.say('spellLastName');
    return this.say(this.otherWay(slot, tries) ?? 'askAgain', { field: label });
  }

  confirmation(slot: Slot, value: SpokenValue, namesField = false): Act {
    const language = this.#language;
    const read = readBack(value, language);
    return namesField
      ? this.say('readBackField', { value: read, field: slot.label })
      : this.say('readBack', { value: read });
  }

  /** "Is that right?" once more, and with keys in the end. */
  confirmationAgain(value: SpokenValue, unclear: number): Act {
    const byKeys = this.#isSpoken && unclear > 1;
    return this.say(byKeys ? 'confirmByKeys' : 'yesOrNo', { value: readBack(value, this.#language) });
  }

  /** How a value is given that was misheard; undefined where it is only asked for again. */
  otherWay(slot: Slot, tries: number): PhraseName | undefined {
    return this.#isSpoken ? otherWayFor(slot, tries) : undefined;
  }

  asksToSpell(slot: Slot, { tries }: OpenQuestion): boolean {
    return tries > 0 && this.otherWay(slot, tries)?.startsWith('spell') === true;
  }

  /** After this many attempts the conversation continues without the value. */
  mostTries(slot: Slot): number {
    if (this.otherWay(slot, mostTries) !== undefined) return mostSpokenTries;
    return this.#isSpoken ? mostSpokenChoices : mostTries;
  }

  /** Words that an answer to the open question is likely to have. */
  hint(slot: Slot | undefined, open: OpenQuestion): string | undefined {
    const language = this.#language;
    if (open.phase === 'confirm' || slot?.field.type === 'boolean')
      return phrase(language, 'expectedAnswers');
    // Recognition writes the words of an alphabet rightly where it has read all of them.
    if (slot !== undefined && this.asksToSpell(slot, open))
      return phrase(
        language,
        this.otherWay(slot, open.tries) === 'spell' ? 'expectedLetters' : 'expectedAlphabet',
      );
    const choices = slot?.field.enumValues ?? [];
    if (choices.length > 0) return choices.map((choice) => `${choice}.`).join(' ');
    const example = slot && exampleFor(slot, open.said !== undefined);
    return example === undefined ? slot?.label : phrase(language, example);
  }
}
