// The language of a text, as Postgres names its text search configurations.
import { franc } from 'franc';

const configurations = new Map([
  ['arb', 'arabic'],
  ['hye', 'armenian'],
  ['eus', 'basque'],
  ['cat', 'catalan'],
  ['dan', 'danish'],
  ['nld', 'dutch'],
  ['eng', 'english'],
  ['fin', 'finnish'],
  ['fra', 'french'],
  ['deu', 'german'],
  ['ell', 'greek'],
  ['hin', 'hindi'],
  ['hun', 'hungarian'],
  ['ind', 'indonesian'],
  ['gle', 'irish'],
  ['ita', 'italian'],
  ['lit', 'lithuanian'],
  ['nep', 'nepali'],
  ['nob', 'norwegian'],
  ['nno', 'norwegian'],
  ['por', 'portuguese'],
  ['ron', 'romanian'],
  ['rus', 'russian'],
  ['srp', 'serbian'],
  ['spa', 'spanish'],
  ['swe', 'swedish'],
  ['tam', 'tamil'],
  ['tur', 'turkish'],
  ['ydd', 'yiddish'],
]);

const tags = new Map([
  ['ar', 'arabic'],
  ['hy', 'armenian'],
  ['eu', 'basque'],
  ['ca', 'catalan'],
  ['da', 'danish'],
  ['nl', 'dutch'],
  ['en', 'english'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['de', 'german'],
  ['el', 'greek'],
  ['hi', 'hindi'],
  ['hu', 'hungarian'],
  ['id', 'indonesian'],
  ['ga', 'irish'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['ne', 'nepali'],
  ['nb', 'norwegian'],
  ['nn', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['es', 'spanish'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['yi', 'yiddish'],
]);

/** Statistics of letters say little about a shorter text; the language that the page declares comes first there. */
const shortChars = 300;
const looked = 10_000;

/**
 * @param tag the language that the document declares, such as de-AT
 * @returns simple when the language is unknown
 */
export const languageOf = (text: string, tag?: string): string => {
  const said = tags.get(tag?.split(/[-_]/)[0]?.toLowerCase() ?? '');
  if (said !== undefined && text.length < shortChars) return said;
  const found = franc(text.slice(0, looked), { minLength: 80 });
  // A text that is detected as Scots is nearly always English.
  return configurations.get(found === 'sco' ? 'eng' : found) ?? said ?? 'simple';
};
