// The set in five languages: texts of a service desk, and questions in other forms of their words. Written for this bench.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { QuestionSet } from './question-set.js';

const data = new URL('../../data/five-languages/', import.meta.url);
const Line = z.tuple([z.string(), z.string()]);

/** The text search configurations are those that the reading of such a document chooses. */
const languages = [
  { code: 'pl', name: 'Polish', configuration: 'simple' },
  { code: 'fi', name: 'Finnish', configuration: 'finnish' },
  { code: 'tr', name: 'Turkish', configuration: 'turkish' },
  { code: 'ko', name: 'Korean', configuration: 'simple' },
  { code: 'he', name: 'Hebrew', configuration: 'simple' },
] as const;

export const fiveLanguages = (): QuestionSet[] =>
  languages.map(({ code, name, configuration }) => {
    const lines = readFileSync(new URL(`${code}.jsonl`, data), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Line.parse(JSON.parse(line)));
    return {
      name: `${name} (own)`,
      language: configuration,
      sections: lines.map(([text]) => ({ key: text, headings: [], text })),
      questions: lines.map(([text, question]) => ({ question, relevant: [text] })),
    };
  });
