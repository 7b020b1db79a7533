// Words that show how a turn continues, by language: listener's noises, words that ask the agent to stop, and words after which a
// sentence cannot end.

interface Words {
  readonly backChannels: string;
  readonly stops: string;
  readonly hanging: string;
}

/** Speech models write the noises in many ways; `mm-hm` is compared as `mm hm`. */
const noises = 'm mm mmm mhm mmhm mmhmm hm hmm hum uh huh ah aha oh um mm-hm uh-huh mhmm';

const byLanguage: Readonly<Record<string, Words>> = {
  en: {
    backChannels:
      'yes yeah yep yup okay ok right sure alright all good great cool i see got it go on exactly',
    stops:
      'stop wait no nope hold pause hey hello what who why how sorry pardon excuse but listen quiet enough human help bye',
    hanging: 'and or but because so if the a an my is at to of for with um uh',
  },
  de: {
    backChannels: 'ja jo jaja genau okay ok gut klar richtig verstehe stimmt achso aha',
    stops:
      'stopp stop halt warte warten nein nee moment hallo was wer wie warum bitte entschuldigung aber ruhe hilfe tschüss',
    hanging: 'und oder aber weil dass wenn der die das ein eine mein meine ist um am im für mit ähm äh',
  },
  es: {
    backChannels: 'sí si ya vale claro bueno okay ok entiendo exacto ajá',
    stops: 'para pare espera espere no alto hola qué quién cómo perdón disculpe pero ayuda adiós',
    hanging: 'y o pero porque que si el la los las un una mi es a de para con',
  },
  fr: {
    backChannels: "oui ouais d'accord ok okay bien voilà exactement je vois",
    stops: 'stop attends attendez non pause allô quoi qui comment pardon mais aide au revoir',
    hanging: 'et ou mais parce que si le la les un une mon ma est à de pour avec euh',
  },
  it: {
    backChannels: 'sì si va bene okay ok certo giusto esatto capisco ecco',
    stops: 'stop ferma fermo aspetta aspetti no pronto cosa chi come scusi scusa ma aiuto ciao',
    hanging: 'e o ma perché che se il la lo i le un una mio mia è a di per con',
  },
  nl: {
    backChannels: 'ja oké ok okay goed precies juist prima snap ik',
    stops: 'stop wacht nee pauze hallo wat wie hoe sorry pardon maar help dag',
    hanging: 'en of maar omdat dat als de het een mijn is op in voor met',
  },
  pt: {
    backChannels: 'sim é claro certo ok okay tá bom entendi exato pois',
    stops: 'pare espera espere não alô olá quê quem como desculpe mas ajuda tchau',
    hanging: 'e ou mas porque que se o a os as um uma meu minha é de para com',
  },
};

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}']+/gu) ?? [];

const setOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text));

const english = byLanguage.en as Words;
const ofLanguage = (language: string): Words => byLanguage[language.slice(0, 2).toLowerCase()] ?? english;

const mostBackChannelWords = 4;
/** Recognition writes a misheard noise as a short word: "Hi", "Low", "Yar". */
const longestMumble = 5;

/** True for a listener's "mm-hm", "yes, okay" or "ja": it asks for nothing. */
export const isBackChannel = (text: string, language: string): boolean => {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > mostBackChannelWords) return false;
  const allowed = setOf(`${noises} ${ofLanguage(language).backChannels}`);
  return words.every((word) => allowed.has(word));
};

/**
 * True for one short word that is neither a figure nor a reason to stop. Small models of recognition hear such words in a listener's
 * "uh-huh" of half a second.
 */
export const isMumble = (text: string, language: string): boolean => {
  const [word, ...more] = wordsOf(text);
  if (word === undefined || more.length > 0 || word.length > longestMumble || /\p{N}/u.test(word))
    return false;
  return !setOf(ofLanguage(language).stops).has(word);
};

/** True for a sentence that stops in its middle: "my name is", "tomorrow and". */
export const isHanging = (text: string, language: string): boolean => {
  if (/[.!?]\s*$/.test(text)) return false;
  const last = wordsOf(text).at(-1);
  return last !== undefined && setOf(ofLanguage(language).hanging).has(last);
};

/** True for digits that are being dictated: people pause between their groups. */
export const isDictation = (text: string): boolean => /^[\d\s,.+()/-]*\d[\d\s,.+()/-]*$/.test(text);
