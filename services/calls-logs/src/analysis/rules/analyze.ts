// The analysis by rules: the same for the same transcript, and without any model.
import type { Analysis, Collected, Evaluation, Subject } from '../subject.js';
import { collectData } from './collect-data.js';
import { evaluate } from './evaluate.js';
import { summarize } from './summarize.js';

/** A goal that failed or a required field that is missing is a failure; without any goal or field nothing is known. */
export const successOf = (
  { dataNeeded }: Pick<Subject, 'dataNeeded'>,
  collected: Readonly<Record<string, Collected>>,
  evaluation: readonly Evaluation[],
): Analysis['successful'] => {
  const required = dataNeeded.filter((field) => field.required === true);
  const isMissing = required.some(({ id }) => (collected[id]?.value ?? null) === null);
  if (isMissing || evaluation.some(({ result }) => result === 'failure')) return 'failure';
  const hasProof = required.length > 0 || evaluation.some(({ result }) => result === 'success');
  return hasProof ? 'success' : 'unknown';
};

export const analyzeByRules = (subject: Subject): Analysis => {
  const dataCollected = collectData(subject);
  const evaluation = [...evaluate(subject)];
  const hasSpoken = subject.turns.some(({ role, text }) => role === 'user' && text.trim() !== '');
  return {
    dataCollected,
    evaluation,
    summary: summarize(subject),
    successful: hasSpoken ? successOf(subject, dataCollected, evaluation) : 'unknown',
  };
};
