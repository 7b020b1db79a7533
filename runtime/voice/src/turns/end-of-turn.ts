// How long the caller may be silent before the turn is over.
import type { TurnSettings } from './turn-settings.js';
import { isDictation, isHanging } from './words.js';

/** Of the model of the end of turn. Between the two it decides nothing. */
const surelyFinished = 0.9;
const surelyOpen = 0.2;

export interface EndOfTurnOptions {
  /** All words of the turn so far. */
  readonly text: string;
  readonly language: string;
  /** The model's estimate for the last voice; undefined where there is none, or it is late. */
  readonly finished: number | undefined;
  readonly settings: Pick<TurnSettings, 'endOfTurnMs' | 'finishedMs' | 'openMs' | 'unfinishedMs'>;
}

/** @returns milliseconds of silence since the end of the voice */
export const silenceBeforeAnswer = ({ text, language, finished, settings }: EndOfTurnOptions): number => {
  // Words take precedence over intonation: a group of digits often sounds finished.
  if (isHanging(text, language) || isDictation(text)) return settings.unfinishedMs;
  if (finished === undefined) return settings.endOfTurnMs;
  if (finished >= surelyFinished) return settings.finishedMs;
  return finished <= surelyOpen ? settings.openMs : settings.endOfTurnMs;
};
