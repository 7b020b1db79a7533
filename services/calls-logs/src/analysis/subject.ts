// What an analysis reads and what it finds.
import type { AgentConfiguration, CallLog } from '@parlance/contracts';
import type { RecordedTurn } from '../call/call-events.js';

/** The part of the configuration that a call ran with. */
export interface AnalysisSettings {
  readonly language: string;
  readonly timezone: string;
  readonly dataNeeded: AgentConfiguration['data_needed'];
  readonly dataEvaluation: AgentConfiguration['data_evaluation'];
}

export type AnalyzedTurn = Pick<RecordedTurn, 'seq' | 'role' | 'text' | 'spokenText'>;

export interface Subject extends AnalysisSettings {
  readonly startedAt: string;
  /** In order. */
  readonly turns: readonly AnalyzedTurn[];
}

export type Field = AnalysisSettings['dataNeeded'][number];
export type Criterion = AnalysisSettings['dataEvaluation'][number];
export type Collected = CallLog['dataCollected'][string];
export type Evaluation = CallLog['evaluation'][number];

export interface Analysis {
  readonly dataCollected: CallLog['dataCollected'];
  readonly evaluation: CallLog['evaluation'];
  readonly summary: string | null;
  readonly successful: NonNullable<CallLog['successful']>;
}

/** Marks that stand for words which were removed from a transcript. */
const removed = /\[[^\]\n]{1,60}\]|<[^>\n]{1,60}>|•{2,}|\*{2,}|█+/gu;

/** The words of a turn as they were heard; removed words leave spaces, so that places stay the same. */
export const wordsOf = ({ role, text, spokenText }: AnalyzedTurn): string =>
  (role === 'agent' ? (spokenText ?? text) : text).replaceAll(removed, (mark) => ' '.repeat(mark.length));

export const isRedacted = ({ text }: AnalyzedTurn): boolean => text.search(removed) >= 0;
