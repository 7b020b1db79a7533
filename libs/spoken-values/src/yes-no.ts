import { type Candidate, correctionsIn } from './candidates.js';
import { primary } from './field.js';

export type Answer = 'yes' | 'no';

interface Words {
  readonly unsure: RegExp;
  /** In order: the first that matches at a place decides it. */
  readonly answers: readonly (readonly [Answer, RegExp])[];
}

const languages: Readonly<Record<string, Words>> = {
  en: {
    unsure:
      /\b(?:(?:i )?(?:do not|don'?t|dont|wouldn'?t) (?:really )?know|not (?:really |quite |so |too |entirely )?(?:sure|certain)|no idea|can(?:no|')?t (?:say|tell|remember)|couldn'?t (?:say|tell)|maybe|perhaps|possibly|it depends|hard to say)\b/iu,
    answers: [
      ['yes', /\b(?:no problem|no worries|why not|can'?t complain|no doubt|don'?t mind|wouldn'?t mind)\b/giu],
      [
        'no',
        /\b(?:(?:of course|absolutely|definitely|certainly|probably|rather|sure|better|still|do|am|is|are|was|were|will|would|have|has|i'm|it's|that's) not|not (?:really|at all|yet|correct|right|true|okay|exactly|today|now|interested|any ?more|this time|quite)|(?:do|does|did|is|are|was|were|have|has|had|would|could|wo|ca|can)n'?t|cannot|no|nope|nah|never|negative|wrong|incorrect|neither|(?:rather|prefer)(?: to)? not|not)\b/giu,
      ],
      [
        'yes',
        /\b(?:yes|yeah|yep|yup|ya|aye|sure|correct|right|exactly|absolutely|definitely|certainly|of course|indeed|affirmative|ok|okay|fine|agreed|please do|go ahead|sounds (?:good|great|right)|that works|(?:i|we) (?:do|am|are|have|did|would|will|can)|i already (?:have|do|did)|i'?d (?:love|like) (?:to|that)|uh-?huh|mm-?hm+|mhm+)\b/giu,
      ],
    ],
  },
  de: {
    unsure:
      /(?<!\p{L})(?:weiß (?:ich |es )?(?:noch |gerade |jetzt )?nicht|weiss (?:ich )?nicht|nicht (?:ganz |so )?sicher|keine ahnung|kann ich (?:\p{L}+ )?nicht sagen|vielleicht|eventuell|kommt darauf an|kommt drauf an|schwer zu sagen)(?!\p{L})/iu,
    answers: [
      ['yes', /(?<!\p{L})(?:kein problem|warum nicht|nichts dagegen)(?!\p{L})/giu],
      [
        'no',
        /(?<!\p{L})(?:(?:natürlich|sicher|bestimmt|gar|leider|lieber|eher|stimmt|überhaupt|noch|besser) nicht|auf keinen fall|nein|nee|nö|ne|nicht|kein(?:e[rnms]?)?|niemals|nie|falsch)(?!\p{L})/giu,
      ],
      [
        'yes',
        /(?<!\p{L})(?:ja|jawohl|jap|jepp|jo|genau|richtig|stimmt|klar|sicher|gern|gerne|natürlich|selbstverständlich|korrekt|okay|ok|auf jeden fall|passt|doch|in ordnung|einverstanden|mhm+)(?!\p{L})/giu,
      ],
    ],
  },
  es: {
    unsure: /(?<!\p{L})(?:no (?:lo )?sé|no estoy segur[oa]|quizás?|tal vez|a lo mejor|depende)(?!\p{L})/iu,
    answers: [
      ['yes', /(?<!\p{L})(?:cómo no|por qué no|no hay problema|sin problema)(?!\p{L})/giu],
      ['no', /(?<!\p{L})(?:no|nunca|jamás|tampoco|de ninguna manera)(?!\p{L})/giu],
      [
        'yes',
        /(?<!\p{L})(?:sí|si|claro|vale|de acuerdo|por supuesto|correcto|exacto|bueno|okay|ok)(?!\p{L})/giu,
      ],
    ],
  },
  fr: {
    unsure: /(?<!\p{L})(?:(?:je )?ne sais pas|je sais pas|peut-être|pas sûre?|ça dépend)(?!\p{L})/iu,
    answers: [
      ['yes', /(?<!\p{L})(?:pourquoi pas|pas de problème|pas de souci|sans problème)(?!\p{L})/giu],
      ['no', /(?<!\p{L})(?:non|pas|jamais|surtout pas)(?!\p{L})/giu],
      ['yes', /(?<!\p{L})(?:oui|ouais|d['’]accord|bien sûr|volontiers|exactement|okay|ok)(?!\p{L})/giu],
    ],
  },
};

interface Found extends Candidate<Answer> {}

const answersIn = (text: string, { answers }: Words): readonly Found[] => {
  const found: Found[] = [];
  for (const [value, pattern] of answers)
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (!found.some((other) => start < other.end && other.start < end)) found.push({ value, start, end });
    }
  return found.sort((a, b) => a.start - b.start);
};

/** Words that take back what was said before; a mere "no" does not, because it is an answer itself. */
const takesBack =
  /^(?:sorry|wait|hang on|i mean|i meant|actually|correction|scratch that|instead|rather|entschuldigung|verzeihung|ich mein(?:e|te)|quatsch|moment|warte(?:n sie)?|korrektur|vielmehr|doch lieber)/iu;

/** "Yeah, no" is a no, and what follows "sorry, I mean" replaces what came before. */
const decided = (text: string, found: readonly Found[], language: string): Found | undefined => {
  const starts = correctionsIn(text, language).filter((at) => at === 0 || takesBack.test(text.slice(at)));
  for (const start of starts.toReversed()) {
    const part = found.filter((candidate) => candidate.start >= start);
    const [first, second] = part;
    if (first === undefined) continue;
    const isMerely = second !== undefined && /^[\s,.]*$/.test(text.slice(first.end, second.start));
    return isMerely && first.value === 'yes' && second.value === 'no' ? second : first;
  }
  return undefined;
};

const backChannel = /^(?:uh-?huh|mm-?hm+|mhm+)$/i;

/** Sentences that ask; the text keeps its places. */
const withoutQuestions = (text: string): string =>
  text.replaceAll(/[^.!?]*\?/g, (question) => ' '.repeat(question.length));

export const answerIn = (text: string, language: string): Found | undefined => {
  const words = languages[primary(language)] ?? languages.en;
  if (words === undefined || words.unsure.test(text)) return undefined;
  // "Do I sound like I would? No."
  const answers = answersIn(withoutQuestions(text), words);
  const found = answers.length > 0 ? answers : answersIn(text, words);
  // "mm-hm" answers only where nothing else does.
  const strong = found.filter(({ start, end }) => !backChannel.test(text.slice(start, end)));
  return decided(text, strong.length > 0 ? strong : found, language);
};

/** Undefined for a text that is neither, or in doubt. */
export const yesOrNo = (text: string, language: string): Answer | undefined =>
  answerIn(text, language)?.value;
