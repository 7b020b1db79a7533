// Which fields a turn of the agent asks for.
import { kindOf, type ValueKind } from '@parlance/spoken-values';
import type { Field } from '../subject.js';
import { shared, stemsOf } from './terms.js';

/** Questions of a kind that need not name the field. */
const cues: Partial<Record<ValueKind, RegExp>> = {
  name: /\bnames?\b|who am i (?:speaking|talking)|who(?:'s| is) (?:calling|this|it for)|who (?:do i|should i)|\bnamens?\b|wie heißen|mit wem|wer ist (?:dran|am apparat)|vorname|nachname/iu,
  telephone:
    /\b(?:phone|telephone|mobile|cell)\b|(?:call|ring|reach|contact) you(?: back)?|call ?back number|\bnumber (?:to|for|can|should|where)\b|best number|telefon|handy|rufnummer|zurückrufen|erreichen|\bnummer\b/iu,
  mail: /e-?mail|\bmail\b|where (?:can|should|shall) (?:i|we) (?:send|mail)/iu,
  date: /\b(?:what|which) (?:day|date)\b|\bwhen\b|\bdate\b|\bdays?\b|\bwann\b|welche[mnr]? tag|\bdatum\b|\btag\b|geboren|geburtsdatum/iu,
  time: /\b(?:what|which) time\b|\bwhen\b|\btime\b|\bo'clock\b|uhrzeit|wie viel uhr|um wie viel|\bwann\b|welche zeit/iu,
  'date-time':
    /\bwhen\b|\b(?:what|which) (?:day|date|time)\b|\bdate\b|\btime\b|\bwann\b|termin|uhrzeit|welche[mnr]? tag/iu,
  address:
    /address|where (?:do you live|should|shall|do we|are you located|to\b)|where(?:'s| is) (?:it|that|this) going|street|adresse|anschrift|wo wohnen|wohin|straße/iu,
  number: /\bhow (?:many|much|old|long|big|large)\b|wie ?viele?(?! uhr)|wie (?:alt|groß|lange)|\bfür wie\b/iu,
};

const questionWords =
  /\?|\b(?:may i|can i|could i|can you|could you|would you|tell me|give me|let me have|i(?:'ll| will)? (?:just )?need|please (?:give|tell|spell|say|confirm)|what|which|when|where|who|how)\b|können sie|könnten sie|dürfte ich|darf ich|nennen sie|sagen sie|geben sie|buchstabieren|ich (?:brauche|bräuchte|benötige)|welche|wann|wie |wo /iu;

/** Repeats the last question: "Sorry?", "Could you say that again?" */
const repeats =
  /\b(?:(?:say|repeat|spell) (?:that|it|this)|again|didn'?t (?:catch|get|hear)|come again|pardon|once more|slowly|one more time|missed)\b|noch ?(?:ein)?mal|wiederholen|nicht verstanden|wie bitte/iu;

const confirms =
  /\b(?:is that|that'?s|right|correct|did i get|have i got|to confirm|so you|just to|let me (?:read|repeat|confirm)|(?<!(?:may|can|could) )i have|i'?ve got|so (?:that|it)'?s|did you (?:say|mean)|you said|you mean)\b|richtig|korrekt|stimmt|habe ich|also|bestätige|wiederhole/iu;

export const isQuestion = (text: string): boolean => questionWords.test(text);
export const isRepeat = (text: string): boolean => repeats.test(text);
export const isReadBack = (text: string): boolean => confirms.test(text);

/** Other words for what fields are about. */
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/\bmoney back\b|\bgeld zurück\b/giu, ' refund '],
  [/\b(?:zurück(?:zu)?rufen|zurückgerufen)\b/giu, ' Rückruf '],
];

const withSynonyms = (text: string): string =>
  synonyms.reduce(
    (changed, [pattern, word]) => changed.replaceAll(pattern, (said) => `${said}${word}`),
    text,
  );

/** "And a contact number", without anything that asks. */
const longestFragment = 6;
const isFragment = (text: string): boolean =>
  !isReadBack(text) && (text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0) <= longestFragment;

/** "Who's the appointment for?" asks for a name, whatever it is for. */
const whoFor = /\bwho(?:'s| is|m)? (?:is )?(?:the|this|that) \p{L}+ for\b/iu;

interface Asked {
  readonly field: Field;
  readonly score: number;
}

const birthCue = /birth|born|\bdob\b|how old|geburt|geboren/iu;
export const isBirth = ({ id, description }: Field): boolean => birthCue.test(`${id} ${description}`);

const cueOf = (field: Field): RegExp | undefined => (isBirth(field) ? birthCue : cues[kindOf(field)]);

const scoreOf = (field: Field, text: string, stems: ReadonlySet<string>): number => {
  const kind = kindOf(field);
  const isWho = kind === 'name' && whoFor.test(text);
  const cue = isWho ? 4 : cueOf(field)?.test(text) === true ? 2 : 0;
  // The words of the id are few and chosen; those of the description are many.
  const named = 2 * shared(stemsOf(field.id), stems);
  const described = shared(stemsOf(field.description), stems);
  const listed =
    kind === 'choice'
      ? 2 * (field.enumValues ?? []).filter((value) => shared(stemsOf(value), stems) > 0).length
      : 0;
  return cue + named + described + listed;
};

/** True for a field whose value is a day. */
export const isDay = (field: Field): boolean => ['date', 'date-time'].includes(kindOf(field));

/** The part of a turn that asks: its last question with what belongs to it. */
const askingPart = (text: string): string => {
  const sentences = text.match(/[^.!?]+[.!?]*/gu) ?? [text];
  const asking = sentences.filter((sentence) => isQuestion(sentence));
  return asking.length > 0 ? asking.join(' ') : text;
};

/** The fields that the turn asks for; none for a turn that asks for nothing. */
export const askedIn = (text: string, fields: readonly Field[]): readonly Field[] => {
  if (!isQuestion(text) && !isFragment(text)) return [];
  const part = withSynonyms(askingPart(text));
  const stems = stemsOf(part);
  const asksBirth = birthCue.test(part);
  const scored: Asked[] = fields
    .filter((field) => !asksBirth || isBirth(field) || !isDay(field))
    .map((field) => ({ field, score: scoreOf(field, part, stems) }))
    .filter(({ score }) => score >= 2);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const joint = /\p{L}.*\b(?:and|plus|as well as|und|sowie)\b/iu.test(part);
  // One question asks for one field, unless it names several.
  const least = joint ? Math.max(2, best / 2) : best;
  return scored.filter(({ score }) => score >= least).map(({ field }) => field);
};

const people = /\b(?:people|guests|persons|party|adults|diners)\b|personen|gäste|leute/iu;
const countsPeople =
  /\b(?:people|guests|persons|adults|party of|of us|table for)\b|personen|gästen?|leut(?:en?)?(?!\p{L})|erwachsene|tisch für/iu;

const quantity = /\bhow many\b|\bquantity\b|\bmenge\b|\banzahl\b/iu;
const orders = /\b(?:get|have|take|order|send|bring)(?: me| us)?\b|\bnehmen?\b|\bbestellen?\b/iu;

/** True where a text that nobody asked for names the field, as in "for four people". */
export const names = (field: Field, text: string): boolean => {
  const stems = stemsOf(text);
  if (people.test(`${field.id} ${field.description}`) && countsPeople.test(text)) return true;
  if (quantity.test(`${field.id} ${field.description}`) && orders.test(text)) return true;
  return shared(stemsOf(field.id), stems) > 0 || shared(stemsOf(field.description), stems) > 0;
};
