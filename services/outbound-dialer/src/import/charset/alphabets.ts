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
/** The two dots of ë and ï part two vowels. */
const catalan = language('àçèéíïòóúü', /[àò](?=[aeiou])|(?<![aeou])ï/);
const french = language('àâæçèéêëîïôœùûüÿ', /[aeiou]œ|[àù](?!$)|(?<![aeiouyé])[ëï]/);
const italian = language('àèéìíòóù', /[àèìòù](?!$)/);
const portuguese = language('áâãàçéêíóôõúü', /õ(?!e)|ã(?![oes]|$)/);
const danish = language('æøåéäöü');
const swedish = language('äöåéüàšž');
const icelandic = language('áéíóúýþæðö', /þ$|þ(?=[bcdfghklmnpst])|[ðþ](?=[ðþ])/);
const dutch = language('áéèëïíóöúü', /(?<![aeiouyé])[ëï]/);
/** What the encoding has of Czech and Slovak, in the same bytes as theirs. */
const westernSlavic = language('áéíóúýšž');
const estonian = language('äöõüšž');

const polish = language('ąćęłńóśźż', /[ńśźć](?=[aeouyó])/);
const czech = language('áčďéěíňóřšťúůýž', /ď(?=[bcdfghjlmprstvz])|ů(?=[aeiou])|^ů/);
/** ĺ and ŕ are the vowels of their syllables. */
const slovak = language(
  'áäčďéíĺľňóôŕšťúýž',
  /ď(?=[bcdfghjlmprstvz])|[ĺŕ](?=[aeiouyáéíóúýäô])|[aeiouyáéíóúýäô][ĺŕ]/,
);
const hungarian = language('áéíóöőúüű');
const romanian = language('ăâîşţ', /[ăâî](?=[oăâî])|ţ(?=[bdgkn])/);
const croatian = language('čćđšž');
const turkish = language('çğıöşüâîû');
const lithuanian = language('ąčęėįšųūž', /[aou]ė|ų(?!$)|(?<!^)į(?!$|s)|([bcdfghjklmnprstvz])\1/);
const latvian = language(
  'āčēģīķļņšūž',
  /[āēīū](?=[aeiou])|[aeou][āēīū]|[ļņķģ](?=[bcdfghjklmnpqrstvz])|[ķģ](?=[aouāū])/,
);

const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const noFirstLetter = /^[ьъы]/;
const cyrillicLanguages = [
  language(`${cyrillic}ё`, noFirstLetter),
  language('абвгґдеєжзиіїйклмнопрстуфхцчшщьюя', noFirstLetter),
  language('абвгдеёжзійклмнопрстуўфхцчшыьэюя', noFirstLetter),
  language('абвгдђежзијклљмнњопрстћуфхцчџшѓѕќ', /([бвгдзклмнпрст])\1/),
];
const greek = language('αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ', /ς(?!$)|σ$|^[ϊϋΐΰ]/);
/** Without vowel points; five letters have a form for the end of a word. */
const hebrew = language('אבגדהוזחטיךכלםמןנסעףפץצקרשת', /[ךםןףץ](?!$)|[כמנצ]$/);
const arabic = language('ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگکی', /[ةى](?!$)|^[ؤئءى]/);
/** Letters and vowel signs; a tone mark never stands twice, and a vowel sign never first. */
const thai = language(
  Array.from({ length: 76 }, (_, index) => String.fromCharCode(0x0e01 + index)).join(''),
  /[\u0e47-\u0e4c]{2}|^[\u0e30-\u0e3a\u0e45-\u0e4c]/,
);

/** A character set with one script besides Latin, or with Latin languages. */
export interface Charset {
  /** As TextDecoder knows it. */
  readonly encoding: string;
  readonly script: 'Latin' | 'Cyrillic' | 'Greek' | 'Hebrew' | 'Arabic' | 'Thai';
  readonly languages: readonly Language[];
}

const western = [
  ...[german, spanish, catalan, french, italian, portuguese],
  ...[danish, swedish, icelandic, dutch, westernSlavic],
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
  { encoding: 'windows-1255', script: 'Hebrew', languages: [hebrew] },
  { encoding: 'windows-1256', script: 'Arabic', languages: [arabic] },
  { encoding: 'windows-874', script: 'Thai', languages: [thai] },
];
