// The languages that are written in each of the older encodings, by the letters that they have besides A to Z. A word
// that no single language of an encoding can spell was not written in that encoding.

export interface Language {
  /** Lower-case letters outside ASCII. */
  readonly letters: ReadonlySet<string>;
  /** Spellings that the language does not have, and that other encodings of its bytes do. */
  readonly never?: RegExp;
}

const language = (letters: string, never?: RegExp): Language => ({
  letters: new Set(letters),
  ...(never === undefined ? {} : { never }),
});

const german = language('äöüßé');
const spanish = language('áéíñóúü', /ñ(?![aeiouáéíóú])/);
const catalan = language('àçèéíïòóúü', /[àò](?=[aeiou])/);
const french = language('àâæçèéêëîïôœùûüÿ', /[aeiou]œ|[àù](?!$)/);
const italian = language('àèéìíòóù', /[àèìòù](?!$)/);
const portuguese = language('áâãàçéêíóôõúü', /õ(?!e)|ã(?![oes]|$)/);
const danish = language('æøåéäöü');
const swedish = language('äöåéüàšž');
const icelandic = language('áéíóúýþæðö', /þ$|þ(?=[bcdfghklmnpst])|[ðþ](?=[ðþ])/);
const dutch = language('áéèëïíóöúü');
const estonian = language('äöõüšž');

const polish = language('ąćęłńóśźż', /[ńśźć](?=[aeouyąęó])/);
const czech = language('áčďéěíňóřšťúůýž', /ď(?=[bcdfghjlmprstvz])|ů(?=[aeiou])|^ů/);
const slovak = language('áäčďéíĺľňóôŕšťúýž', /ď(?=[bcdfghjlmprstvz])/);
const hungarian = language('áéíóöőúüű');
const romanian = language('ăâîşţ', /[ăâî](?=[oăâî])|ţ(?=[bdgkn])/);
const croatian = language('čćđšž');
const turkish = language('çğıöşüâîû');
const lithuanian = language('ąčęėįšųūž', /[aou]ė|ų(?!$)|([bcdfghjklmnprstvz])\1/);
const latvian = language('āčēģīķļņšūž', /[āēīū](?=[aeiou])|[aeou][āēīū]|[ļņķģ](?=[bcdfghjklmnpqrstvz])/);

const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const cyrillicLanguages = [
  language(`${cyrillic}ё`),
  language('абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'),
  language('абвгдеёжзійклмнопрстуўфхцчшыьэюя'),
  language('абвгдђежзијклљмнњопрстћуфхцчџшѓѕќ'),
];
const greek = language('αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ');

/** A character set with one script besides Latin, or with Latin languages. */
export interface Charset {
  /** As TextDecoder knows it. */
  readonly encoding: string;
  readonly script: 'Latin' | 'Cyrillic' | 'Greek' | 'Hebrew' | 'Arabic' | 'Thai';
  /** Absent where every letter of the script is good. */
  readonly languages?: readonly Language[];
}

const western = [
  ...[german, spanish, catalan, french, italian, portuguese],
  ...[danish, swedish, icelandic, dutch],
];

/** Those that spreadsheets write, and those that are mistaken for them. The first of several equal ones is taken. */
export const charsets: readonly Charset[] = [
  { encoding: 'windows-1252', script: 'Latin', languages: western },
  {
    encoding: 'windows-1250',
    script: 'Latin',
    languages: [german, polish, czech, slovak, hungarian, romanian, croatian],
  },
  { encoding: 'windows-1254', script: 'Latin', languages: [turkish, german, french, spanish] },
  { encoding: 'windows-1257', script: 'Latin', languages: [lithuanian, latvian, estonian, german] },
  { encoding: 'macintosh', script: 'Latin', languages: western },
  { encoding: 'windows-1251', script: 'Cyrillic', languages: cyrillicLanguages },
  { encoding: 'koi8-u', script: 'Cyrillic', languages: cyrillicLanguages },
  { encoding: 'ibm866', script: 'Cyrillic', languages: cyrillicLanguages },
  { encoding: 'x-mac-cyrillic', script: 'Cyrillic', languages: cyrillicLanguages },
  { encoding: 'windows-1253', script: 'Greek', languages: [greek] },
  { encoding: 'windows-1255', script: 'Hebrew' },
  { encoding: 'windows-1256', script: 'Arabic' },
  { encoding: 'windows-874', script: 'Thai' },
];
