// The own question set: the manual of pino (MIT), as its npm package brings it, cut at its headings.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { questions } from './pino-questions.js';
import type { QuestionSet, Section } from './question-set.js';

const charactersInChunk = 1_400;

/** Whole paragraphs, as many as fit. */
const pieces = (text: string): string[] => {
  const found: string[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    const last = found.at(-1);
    if (last !== undefined && last.length + paragraph.length < charactersInChunk)
      found[found.length - 1] = `${last}\n\n${paragraph}`;
    else found.push(paragraph);
  }
  return found;
};

const plainHeading = (line: string): string => line.replaceAll(/^#+\s*|<[^>]*>|`/g, '').trim();

const sectionsOf = (file: string, markdown: string): Section[] => {
  const sections: Section[] = [];
  const path: string[] = [];
  // A line that begins with # inside a block of code is a comment.
  const parts = markdown
    .replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/^#/gm, ' #'))
    .split(/^(?=#+ )/m);
  for (const part of parts) {
    const [first = '', ...rest] = part.split('\n');
    const level = first.match(/^#+/)?.[0].length;
    if (level === undefined) continue;
    path.length = Math.min(path.length, level - 1);
    path.push(plainHeading(first));
    const body = rest.join('\n').trim();
    if (body === '') continue;
    const key = `${file}#${path.at(-1)}`;
    for (const text of pieces(body)) sections.push({ key, headings: [...path], text });
  }
  return sections;
};

const readSections = (): Section[] => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('pino/package.json')), 'docs');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => sectionsOf(name.replace('.md', ''), readFileSync(join(folder, name), 'utf8')));
};

export const pinoManual = (): QuestionSet => {
  const sections = readSections();
  const keys = [...new Set(sections.map(({ key }) => key))];
  return {
    name: "pino's manual (own)",
    language: 'english',
    sections,
    questions: questions.map(({ question, relevant }) => ({
      question,
      relevant: keys.filter((key) =>
        relevant.some(
          (beginning) => key.startsWith(beginning) && !/^[A-Za-z]/.test(key.slice(beginning.length)),
        ),
      ),
    })),
  };
};
