// Personal data that answers a question: "What is your name?" - "Ada Lovelace.", "And the security code?" - "One two three."
import type { Finding } from './finding.js';
import { nameThatAnswers } from './names.js';

/** Words of the question that are read together with the answer. */
const reach = 120;

const endOf = (question: string): string => question.slice(-reach);

/** The question and the answer as one text, and the place of the answer in it. The mark keeps digits of the two apart. */
export const withQuestion = (
  question: string,
  answer: string,
): { readonly text: string; readonly at: number } => {
  const before = `${endOf(question)}? `;
  return { text: before + answer, at: before.length };
};

export const asksForName = (question: string): boolean =>
  /(?<!\p{L})(?:(?:your|the|full|first|last|family|sur|caller's|whose) ?names?(?! of (?:the|your) (?:company|business|product|street|medication))|who am i (?:speaking|talking)|(?:ihr(?:en|e)?|der|den|vor|nach|familien)[ -]?namen?|wie heißen sie|wie heissen sie|mit wem spreche)(?!\p{L})/iu.test(
    endOf(question),
  );

/** The name that is the answer; none where the question asks for something else. */
export const namesAnswering = (question: string, answer: string): readonly Finding[] =>
  asksForName(question) ? nameThatAnswers(answer) : [];
