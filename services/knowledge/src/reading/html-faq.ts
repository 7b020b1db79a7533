// Questions and answers that a page states as JSON-LD (schema.org FAQPage and QAPage).
import type { Document } from './html-dom.js';
import { htmlToMarkdown } from './html-markdown.js';
import { ReadFailure } from './read-failure.js';

export interface Faq {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
}

const mostQuestions = 500;
const mostNodes = 20_000;
const mostBytes = 1_000_000;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The text may be HTML. Text that cannot be read is left out, and the page is read without it. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  try {
    return htmlToMarkdown(value);
  } catch (error) {
    if (error instanceof ReadFailure) return '';
    throw error;
  }
};

const isQuestion = (node: Json): boolean => listOf(node['@type']).includes('Question');

const faqIn = (node: Json): Faq | undefined => {
  const question = (textOf(node.name) || textOf(node.text)).replaceAll(/\s+/g, ' ');
  const answers = [...listOf(node.acceptedAnswer), ...listOf(node.suggestedAnswer)].filter(isObject);
  const answer = textOf(answers[0]?.text);
  return question === '' || answer === '' ? undefined : { question, answer };
};

/** Walks without recursion: the depth of the data is not known. */
const questionsIn = (data: unknown): Faq[] => {
  const found: Faq[] = [];
  const stack: unknown[] = [data];
  for (let seen = 0; stack.length > 0 && seen < mostNodes && found.length < mostQuestions; seen += 1) {
    const node = stack.pop();
    const faq = isObject(node) && isQuestion(node) ? faqIn(node) : undefined;
    if (faq !== undefined) found.push(faq);
    else if (typeof node === 'object' && node !== null)
      for (const value of Object.values(node).reverse()) if (typeof value === 'object') stack.push(value);
  }
  return found;
};

export const faqOf = (document: Document): Faq[] =>
  [...document.querySelectorAll('script[type="application/ld+json" i]')]
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => text.length <= mostBytes && text.includes('Question'))
    .flatMap((text) => questionsIn(parsed(text)))
    .slice(0, mostQuestions);

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
/** The part of an answer that is looked for in the text. */
const compared = 80;

/** The questions and answers that the text does not have yet, as sections. */
export const missingFaq = (faq: readonly Faq[], text: string): string => {
  if (faq.length === 0) return '';
  const letters = lettersOf(text);
  const isThere = ({ question, answer }: Faq): boolean =>
    letters.includes(lettersOf(question)) && letters.includes(lettersOf(answer).slice(0, compared));
  return faq
    .filter((one) => !isThere(one))
    .map(({ question, answer }) => `## ${question}\n\n${answer}`)
    .join('\n\n');
};
