// The public question set: questions of Python's FAQ, to be found among the FAQ's answers and the sections of the tutorial.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { QuestionSet } from './question-set.js';

const data = new URL('../../data/python-faq/', import.meta.url);
const Question = z.strictObject({
  question: z.string(),
  headings: z.array(z.string()),
  answer: z.array(z.string()).min(1),
});
const Other = z.strictObject({ headings: z.array(z.string()), text: z.array(z.string()).min(1) });

const read = <T>(file: string, schema: z.ZodType<T>): T[] =>
  readFileSync(new URL(file, data), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

export const pythonFaq = (): QuestionSet => {
  const asked = read('questions.jsonl', Question);
  const others = read('other-sections.jsonl', Other);
  // The heading of an answer is the question itself, and is not indexed.
  const answers = asked.flatMap(({ question, headings, answer }) =>
    answer.map((text) => ({ key: question, headings, text })),
  );
  const distractors = others.flatMap(({ headings, text }) =>
    text.map((piece) => ({ key: headings.join(' > '), headings, text: piece })),
  );
  return {
    name: "Python's FAQ (public)",
    language: 'english',
    sections: [...answers, ...distractors],
    questions: asked.map(({ question }) => ({ question, relevant: [question] })),
  };
};
