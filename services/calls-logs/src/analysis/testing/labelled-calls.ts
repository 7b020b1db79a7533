// Transcripts with the values that a person found in them: those in calls-by-hand.jsonl were written turn by turn, those in
// calls-generated.jsonl by generate.ts. One JSON object a line.
import { readFileSync } from 'node:fs';
import type { Subject } from '../subject.js';

export interface LabelledCall {
  readonly form: string;
  /** What is special about the call. */
  readonly kind: string;
  readonly by: 'hand' | 'generator';
  /** "A: " before the words of the agent, "U: " before those of the person. */
  readonly turns: readonly string[];
  /** Null: not asked, or asked and not answered. A field that is absent is not judged. */
  readonly expected: Readonly<Record<string, string | number | boolean | null>>;
}

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export type CallsFile =
  | 'calls-by-hand.jsonl'
  | 'calls-generated.jsonl'
  /** Written after the rules; the rules were improved on them. */
  | 'calls-for-work.jsonl'
  /** Written at the same time in the same styles, and read by nobody while the rules were improved. */
  | 'calls-held-out.jsonl';

export const labelledCalls = (file: CallsFile): readonly LabelledCall[] =>
  textOf(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledCall);

const forms = JSON.parse(textOf('forms.json')) as Record<string, Subject['dataNeeded']>;
const german = new Set(['tisch', 'praxis', 'stoerung']);

export const fieldsOf = (form: string): Subject['dataNeeded'] => forms[form] ?? [];

export const subjectOf = (
  { form, turns }: Pick<LabelledCall, 'form' | 'turns'>,
  change: Partial<Subject> = {},
): Subject => ({
  language: german.has(form) ? 'de' : 'en',
  timezone: german.has(form) ? 'Europe/Berlin' : 'America/New_York',
  startedAt: '2026-11-27T15:00:00.000Z',
  dataNeeded: fieldsOf(form),
  dataEvaluation: [],
  turns: turns.map((line, seq) => ({
    seq,
    role: line.startsWith('A: ') ? 'agent' : 'user',
    text: line.slice(3),
    spokenText: null,
  })),
  ...change,
});
