// The part of a text that a person is told: results of tools, and passages of documents.
import { sharedWords, subjectWords } from './sentences.js';

/** Longer than this nobody listens to. */
const longest = 300;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** At most so long, and with an end, because the agent may say more after it. */
const cut = (text: string): string => {
  if (text.length > longest) return `${text.slice(0, longest).replace(/\s+\S*$/, '')}…`;
  return /[.!?…]["”“]?$/.test(text) ? text : `${text}.`;
};

/** Headings of Markdown are for the eye. A text of nothing else loses their signs alone. */
const spokenText = (text: string): string => {
  const rest = text.replaceAll(/^\s*#{1,6} .*$/gm, '').trim();
  return rest === '' ? text.replaceAll(/^\s*#{1,6} /gm, '') : rest;
};

/** The sentences of a text around the one that shares most words with the question. */
export const excerpt = (text: string, question: string, language: string): string => {
  const line = oneLine(spokenText(text));
  if (line.length <= longest) return cut(line);
  const asked = subjectWords(question, language);
  const sentences = line.match(/[^.!?]+[.!?]*\s*/g) ?? [line];
  const scores = sentences.map((sentence) => sharedWords(asked, subjectWords(sentence, language)));
  let first = scores.indexOf(Math.max(...scores));
  let spoken = '';
  while (first < sentences.length && (spoken === '' || (spoken + sentences[first]).length <= longest)) {
    spoken += sentences[first];
    first += 1;
  }
  return cut(spoken.trim());
};

/** The paragraph of a text in the prompt that answers a question; undefined where none shares a word with it. */
export const paragraphFor = (text: string, question: string, language: string): string | undefined => {
  const asked = subjectWords(question, language);
  let heading = '';
  let best = { paragraph: '', score: 0 };
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (/^\s*#+ [^\n]*$/.test(paragraph)) {
      heading = paragraph;
      continue;
    }
    const score = sharedWords(asked, subjectWords(`${heading} ${paragraph}`, language));
    if (paragraph.trim() !== '' && score > best.score) best = { paragraph, score };
  }
  return best.score === 0 ? undefined : best.paragraph;
};

/** `order_id` and `orderId` are both "order id". */
export const inWords = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();

const textMembers = ['message', 'text', 'summary', 'answer', 'description'] as const;

const spokenMember = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The result of a tool as a sentence; undefined where it says nothing. */
export const spokenResult = (result: unknown): string | undefined => {
  if (result === null || result === undefined || result === '') return undefined;
  if (typeof result !== 'object') return cut(oneLine(String(result)));
  for (const name of textMembers) {
    const value: unknown = Reflect.get(result, name);
    if (typeof value === 'string' && value.trim() !== '') return cut(oneLine(value));
  }
  if (Array.isArray(result))
    return result.length === 0 ? undefined : cut(result.map(spokenMember).join('; '));
  const members = Object.entries(result).filter(([, value]) => value !== null && value !== '');
  if (members.length === 0) return undefined;
  return cut(members.map(([name, value]) => `${inWords(name)} ${spokenMember(value)}`).join(', '));
};
