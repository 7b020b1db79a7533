import { z } from 'zod';
import {
  type Analysis,
  type AnalyzedTurn,
  type Collected,
  type Criterion,
  type Evaluation,
  type Field,
  type Subject,
  wordsOf,
} from '../subject.js';

const maxSummary = 500;
const evidence = { turn: z.int().nullish(), quote: z.string().max(2_000).nullish() };
const verdict = z.enum(['success', 'failure', 'unknown']);
const Answer = z.object({
  data: z
    .record(
      z.string(),
      z.object({ value: z.union([z.string(), z.number(), z.boolean()]).nullable(), ...evidence }),
    )
    .default({}),
  goals: z
    .record(
      z.string(),
      z.object({
        result: verdict,
        score: z.number().nullish(),
        reason: z.string().max(2_000).nullish(),
        ...evidence,
      }),
    )
    .default({}),
  summary: z.string().nullish(),
  successful: verdict.nullish(),
});

/** Models like to put JSON into a fence. */
const jsonIn = (text: string): unknown => {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) throw new Error('the answer of the language model holds no JSON');
  return JSON.parse(text.slice(from, to + 1));
};

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

interface Evidence {
  readonly turn?: number | null | undefined;
  readonly quote?: string | null | undefined;
}

/** The turn, if it exists and holds the quote. */
const provenBy = (
  { turns }: Subject,
  { turn: seq, quote }: Evidence,
  roles: readonly AnalyzedTurn['role'][],
): { readonly turns: number[]; readonly quote: string } | undefined => {
  if (typeof seq !== 'number' || typeof quote !== 'string' || plain(quote) === '') return undefined;
  const turn = turns.find((one) => one.seq === seq && roles.includes(one.role));
  const isThere = turn !== undefined && ` ${plain(wordsOf(turn))} `.includes(` ${plain(quote)} `);
  return isThere ? { turns: [seq], quote } : undefined;
};

const fits = ({ type, enumValues }: Field, value: string | number | boolean): boolean => {
  switch (type) {
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'enum':
      return typeof value === 'string' && (enumValues ?? []).includes(value);
    case 'string':
      return typeof value === 'string' && value.length <= 2_000;
  }
};

const collected = (
  field: Field,
  told: z.infer<typeof Answer>['data'][string] | undefined,
  subject: Subject,
  byRules: Analysis,
): Collected => {
  const otherwise = byRules.dataCollected[field.id] ?? { value: null, rationale: 'Not asked.' };
  if (told === undefined) return otherwise;
  if (told.value === null) return { value: null, rationale: 'The transcript does not say.' };
  const proof = provenBy(subject, told, ['user']);
  if (proof === undefined || !fits(field, told.value))
    return { value: null, rationale: 'The language model gave a value that no turn proves.' };
  return { value: told.value, rationale: `The caller said so in turn ${proof.turns[0]}.`, ...proof };
};

const scoreOf = (
  { scoring, maxScore }: Criterion,
  result: 'success' | 'failure',
  score: number | null | undefined,
): number => {
  if (scoring !== 'numeric' || score === null || score === undefined)
    return result === 'success' ? (maxScore ?? 1) : 0;
  return Math.min(Math.max(score, 0), maxScore ?? 1);
};

const evaluated = (
  criterion: Criterion,
  told: z.infer<typeof Answer>['goals'][string] | undefined,
  subject: Subject,
  byRules: Analysis,
): Evaluation => {
  const { id, name } = criterion;
  const unknown = (rationale: string): Evaluation => ({
    id,
    name,
    result: 'unknown',
    score: null,
    rationale,
  });
  if (told === undefined) return byRules.evaluation.find((one) => one.id === id) ?? unknown('Not judged.');
  if (told.result === 'unknown') return unknown(told.reason ?? 'The transcript does not say.');
  const proof = provenBy(subject, told, ['user', 'agent']);
  if (proof === undefined) return unknown('The language model gave a result that no turn proves.');
  const score = scoreOf(criterion, told.result, told.score);
  return { id, name, result: told.result, score, rationale: told.reason ?? null, ...proof };
};

const cut = (text: string): string =>
  text.length <= maxSummary ? text : `${text.slice(0, maxSummary - 1)}…`;

/** @throws Error for an answer that is not the JSON that was asked for */
export const readAnswer = (
  text: string,
  subject: Subject,
  byRules: Analysis,
): Omit<Analysis, 'successful'> & { readonly successful: Analysis['successful'] | undefined } => {
  const { data, goals, summary, successful } = Answer.parse(jsonIn(text));
  return {
    dataCollected: Object.fromEntries(
      subject.dataNeeded.map((field) => [field.id, collected(field, data[field.id], subject, byRules)]),
    ),
    evaluation: subject.dataEvaluation.map((criterion) =>
      evaluated(criterion, goals[criterion.id], subject, byRules),
    ),
    summary: summary ? cut(summary.trim()) : byRules.summary,
    successful: successful ?? undefined,
  };
};
