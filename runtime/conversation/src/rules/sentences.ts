// What kind of sentence a person said, by words. Languages that are not listed are read as English.
import { primaryLanguage } from '../dialogue/language.js';

interface Words {
  readonly farewell: RegExp;
  /** Thanks alone end a conversation once everything is settled. */
  readonly thanks: RegExp;
  readonly greeting: RegExp;
  /** A sentence that begins like this is a question, also without a question mark. */
  readonly question: RegExp;
  readonly introduction: RegExp;
  /** Words that say nothing about a subject. */
  readonly common: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const english: Words = {
  farewell:
    /\b(?:good ?bye|bye|see you(?=(?: (?:then|later|soon|around|again|tomorrow|next \w+|on \w+))?[\s.!]*$)|have a (?:nice|good|great) (?:day|evening|weekend|one)|hang up|that(?:'s| is| was| will be|'ll be) (?:all|it|everything)|nothing else)\b/i,
  thanks: /^\W*(?:(?:ok|okay|great|perfect|no|well|alright|cool|many)\W+)*(?:thanks|thank you)\b[^?]{0,40}$/i,
  greeting:
    /^\W*(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|yes|yeah|speaking|is anybody there|who is (?:this|there)|there)\W*)+$/i,
  question:
    /^\W*(?:(?:and|but|so|um|uh|er|oh|ok|okay|sorry|wait|well|excuse me|by the way|before (?:that|we go on)|first|one (?:more )?(?:question|thing)|actually|quick question|hello|hi)\W+)*(?:what|what's|when|where|where's|who|who's|which|how|why|do (?:you|i|we|they)|does|did|is (?:there|it|that|this|the|your)|are (?:there|you|they|the|your)|can (?:you|i|we)|could (?:you|i|we)|would you|will (?:you|it|there)|may i|should i|have you|has)\b/i,
  introduction: /\b(?:my name is|my name's|this is|i am|i'm|it's|name is)\b/i,
  common: set(
    'a about after all also am an and any anything are as ask at be been before but by can could did do does for from get give go good had has have hello help hey hi how i if im in is it its just know let like look make may me mean more much my need no not now of ok on one only or our out please question say should so some something take tell than thank thanks that the their them then there these they thing this to too up us use want was we well what when where which who why will wish with would yes you your',
  ),
};

const german: Words = {
  farewell:
    /(?<!\p{L})(?:auf wieder(?:sehen|hören|schauen)|tschüss|tschüs|tschau|ciao|das (?:war|wäre|ist) (?:alles|es)|schönen (?:tag|abend)|legen sie auf|nichts mehr)(?!\p{L})/iu,
  thanks:
    /^\W*(?:(?:ok|okay|gut|super|prima|nein|alles klar|vielen|herzlichen|besten)\W+)*dank(?:e|eschön)?(?!\p{L})[^?]{0,40}$/iu,
  greeting:
    /^\W*(?:(?:hallo|hi|guten (?:morgen|tag|abend)|grüß gott|servus|moin|ja|am apparat|ist da jemand|wer ist (?:da|dort))\W*)+$/iu,
  question:
    /^\W*(?:(?:und|aber|also|äh|ähm|ok|okay|moment|entschuldigung|übrigens|vorher|erst|noch eine frage|eine frage|hallo)\W+)*(?:was|wann|wo|wohin|woher|wer|wen|wem|welche[rsnm]?|wie|wieso|warum|wieviel|haben sie|hat|gibt es|kann (?:ich|man)|können (?:sie|wir)|könnten sie|darf ich|muss (?:ich|man)|ist (?:das|es|die|der|ihr|ihre)|sind (?:sie|die|das|ihre)|wird|werden)(?!\p{L})/iu,
  introduction: /(?<!\p{L})(?:mein name ist|ich heiße|ich bin|hier (?:ist|spricht)|name ist)(?!\p{L})/iu,
  common: set(
    'aber alle alles als also am an auch auf aus bei bin bis bitte brauche da dann das dass dem den der des die dies diese doch du ein eine einem einen einer es etwas für gibt guten habe haben hallo hat hätte ich ihnen ihr ihre im in ist ja kann können könnte könnten man mal mein meine mich mir mit möchte muss nach nein nicht noch nur oder sagen schon sich sie sind so über um und uns von war was wann welche wenn wer werden wie will wir wird wo würde zu zum zur',
  ),
};

const byLanguage: Readonly<Record<string, Words>> = { en: english, de: german };
const wordsFor = (language: string): Words => byLanguage[primaryLanguage(language)] ?? english;

export const isFarewell = (text: string, language: string): boolean => wordsFor(language).farewell.test(text);
export const isThanks = (text: string, language: string): boolean => wordsFor(language).thanks.test(text);
export const isGreeting = (text: string, language: string): boolean => wordsFor(language).greeting.test(text);
export const introducesName = (text: string, language: string): boolean =>
  wordsFor(language).introduction.test(text);

const sentences = (text: string): readonly string[] => text.match(/[^.!?]+[.!?]*/g) ?? [text];

/** The question in a text; undefined where it has none. */
export const questionIn = (text: string, language: string): string | undefined =>
  sentences(text)
    .map((sentence) => sentence.trim())
    .find((sentence) => sentence.endsWith('?') || wordsFor(language).question.test(sentence));

/** "orders" and "order" are one word. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ies|es|s|en|n|e)$/u, '') : word.replace(/(?<=\p{L}{3})s$/u, '');

/** The words of a text that are about something. */
export const subjectWords = (text: string, language: string): ReadonlySet<string> => {
  const { common } = wordsFor(language);
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return new Set(found.filter((word) => !common.has(word) && !english.common.has(word)).map(stem));
};

export const sharedWords = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;
