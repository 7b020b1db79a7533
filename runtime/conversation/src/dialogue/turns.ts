// The turns of a conversation as the engine keeps them.
import type { AnsweredTurn, TranscriptTurn } from '@parlance/contracts';

/** A turn of the history. The engine needs no numbers and times; a transcript of the platform has them too. */
export type Turn = Pick<TranscriptTurn, 'role' | 'text'> &
  Partial<Pick<TranscriptTurn, 'spokenText' | 'interrupted' | 'toolCall' | 'sources' | 'createdAt'>>;

export type ToolCall = NonNullable<AnsweredTurn['toolCall']>;
export type Sources = AnsweredTurn['sources'];

/** What reached the other party: of an interrupted turn, the words that were spoken before. */
export const heardText = ({ text, spokenText, interrupted }: Turn): string =>
  interrupted === true ? (spokenText ?? text) : text;

/** Whether an interruption cut words off. */
export const isCutOff = (turn: Turn): boolean =>
  turn.interrupted === true && heardText(turn).trim() !== turn.text.trim();

/** The text of a turn in which a voice was heard and no words were recognized. */
export const unintelligible = '…';
