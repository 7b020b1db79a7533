// The sentences that rules are certain to say, or likely to, before anybody has said a word. Speech makes them ahead.
import { isBirth, kindOf } from '@parlance/spoken-values';
import { type PhraseName, phrase, phraseTemplate } from '../dialogue/phrases.js';
import type { Slot } from './slots.js';

const withoutField: readonly PhraseName[] = [
  'allCollected',
  'readBack',
  'askAgain',
  'farewell',
  'welcome',
  'documentsSay',
  'documentsSilent',
  'cannotHelp',
  'toolSays',
  'toolDone',
  'toolFailed',
  'yesOrNo',
  'askTimeAgain',
  'keyInTime',
  'comeBack',
  'skipped',
  'corrected',
  'notUnderstood',
  'spellLastName',
];

/** A place for a value that only a call has. */
const hasValue = (sentence: string): boolean => /\{\w+\}/.test(sentence);

/** "I understood {value}. Is that right?" has one sentence that is the same for every value. */
const fixedPartsOf = (template: string): readonly string[] =>
  template.split(/(?<=[.!?:])\s+/).filter((sentence) => !hasValue(sentence));

/** The first question for a slot. A description that is a question already is asked as it is written. */
export const questionFor = ({ field, label }: Slot, language: string): string => {
  if (field.description.trim().endsWith('?')) return field.description.trim();
  const choices = field.enumValues ?? [];
  if (choices.length === 0) return phrase(language, 'askField', { field: label });
  const or = phrase(language, 'or');
  const last = choices.at(-1) ?? '';
  const listed = choices.length === 1 ? last : `${choices.slice(0, -1).join(', ')} ${or} ${last}`;
  return phrase(language, 'askChoice', { field: label, choices: listed });
};

/** "First name" asks for a part; any other name of a person has both. */
const partOfName =
  /\b(?:first|last|given|family|middle)[ _-]?name\b|\bsurname\b|(?:vor|nach|zu|familien)name/i;
const bothParts = /\bfirst and last\b|\bvor- ?und\b/i;

/** A name whose two parts are spelled one after the other: letters alone do not show where the second begins. */
export const isWholeName = ({ field }: Slot): boolean => {
  const words = `${field.id.replaceAll('_', ' ')} ${field.description}`;
  return kindOf(field) === 'name' && (bothParts.test(words) || !partOfName.test(words));
};

/** How a value is given that was misheard: letter by letter, or with the keys of a telephone. */
export const otherWayFor = (slot: Slot, tries: number): PhraseName | undefined => {
  const { field } = slot;
  if (isWholeName(slot)) return 'spellFirstName';
  const kind = kindOf(field);
  switch (kind) {
    case 'name':
    case 'mail':
    case 'code':
      return tries > 1 ? 'spellWithWords' : 'spell';
    case 'telephone':
      return 'keyIn';
    case 'number':
      // "Four" and "for" stay alike however often they are said.
      return field.type === 'integer' && tries > 1 ? 'keyIn' : undefined;
    case 'date':
    case 'date-time':
      return tries > 1 ? (isBirth(field) ? 'keyInBirth' : 'keyInDate') : undefined;
    case 'time':
      return tries > 1 ? 'keyInTime' : undefined;
    default:
      return undefined;
  }
};

/** Words like those of the answer, for recognition. */
export const exampleFor = ({ field }: Slot, isTimeOpen: boolean): PhraseName | undefined => {
  switch (kindOf(field)) {
    case 'date':
      return isBirth(field) ? undefined : 'expectedDates';
    case 'time':
      return 'expectedTimes';
    case 'date-time':
      return isTimeOpen ? 'expectedTimes' : 'expectedMoments';
    case 'mail':
      return 'expectedMails';
    default:
      return undefined;
  }
};

const repeatedFor = (slot: Slot, language: string): string => {
  const again = kindOf(slot.field) === 'boolean' ? 'askYesNo' : 'askAgain';
  return phrase(language, otherWayFor(slot, 0) ?? again, { field: slot.label });
};

/** In the order in which they are likely to be said. */
export const expectedSentences = (slots: readonly Slot[], language: string): readonly string[] => [
  ...slots.map((slot) => questionFor(slot, language)),
  ...withoutField.flatMap((name) => fixedPartsOf(phraseTemplate(language, name))),
  ...slots.map((slot) => repeatedFor(slot, language)),
];
