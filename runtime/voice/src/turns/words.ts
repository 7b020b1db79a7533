// Words that tell how a turn goes on, by language: listener's noises, and words after which a sentence cannot end.

interface Words {
  readonly backChannels: string;
  /** What a listener says, as recognition writes it. */
  readonly listening: string;
  readonly hanging: string;
}

/** Speech models write the noises in many ways; `mm-hm` is compared as `mm hm`. */
const noises = 'm mm mmm mhm mmhm mmhmm hm hmm hum uh huh ah aha oh um mm-hm uh-huh mhmm';

const byLanguage: Readonly<Record<string, Words>> = {
  en: {
    backChannels:
      'yes yeah yep yup okay ok right sure alright all good great cool i see got it go on exactly',
    listening: 'Mm-hm. Uh-huh. Yeah. Okay. Right.',
    hanging: 'and or but because so if the a an my is at to of for with um uh',
  },
  de: {
    backChannels: 'ja jo jaja genau okay ok gut klar richtig verstehe stimmt achso aha',
    listening: 'Mhm. Ja. Genau. Okay.',
    hanging: 'und oder aber weil dass wenn der die das ein eine mein meine ist um am im für mit ähm äh',
  },
  es: {
    backChannels: 'sí si ya vale claro bueno okay ok entiendo exacto ajá',
    listening: 'Ajá. Sí. Vale. Claro.',
    hanging: 'y o pero porque que si el la los las un una mi es a de para con',
  },
  fr: {
    backChannels: "oui ouais d'accord ok okay bien voilà exactement je vois",
    listening: "Hum. Oui. D'accord. OK.",
    hanging: 'et ou mais parce que si le la les un une mon ma est à de pour avec euh',
  },
  it: {
    backChannels: 'sì si va bene okay ok certo giusto esatto capisco ecco',
    listening: 'Mm. Sì. Va bene. Certo.',
    hanging: 'e o ma perché che se il la lo i le un una mio mia è a di per con',
  },
  nl: {
    backChannels: 'ja oké ok okay goed precies juist prima snap ik',
    listening: 'Hm. Ja. Oké. Precies.',
    hanging: 'en of maar omdat dat als de het een mijn is op in voor met',
  },
  pt: {
    backChannels: 'sim é claro certo ok okay tá bom entendi exato pois',
    listening: 'Hum. Sim. Certo. Tá bom.',
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

/** True for a listener's "mm-hm", "yes, okay" or "ja": it asks for nothing. */
export const isBackChannel = (text: string, language: string): boolean => {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > mostBackChannelWords) return false;
  const allowed = setOf(`${noises} ${ofLanguage(language).backChannels}`);
  return words.every((word) => allowed.has(word));
};

/**
 * A hint for recognition. A small model hears words of a conversation in a short noise otherwise: "Mm-hm" becomes "I'm at my time".
 */
export const listeningHint = (language: string): string => ofLanguage(language).listening;

/** True for a sentence that stops in its middle: "my name is", "tomorrow and". */
export const isHanging = (text: string, language: string): boolean => {
  if (/[.!?]\s*$/.test(text)) return false;
  const last = wordsOf(text).at(-1);
  return last !== undefined && setOf(ofLanguage(language).hanging).has(last);
};

/** True for digits that are being dictated: people pause between their groups. */
export const isDictation = (text: string): boolean => /^[\d\s,.+()/-]*\d[\d\s,.+()/-]*$/.test(text);
