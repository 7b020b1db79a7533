// Marks the lines that were cut off, by the transcript of the call: captions do not say it. Pure.
import type { Transcript as Turn } from '@parlance/client';
import type { Line } from './lines.js';

type Said = Pick<Turn, 'role' | 'text' | 'spokenText' | 'interrupted'>;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The caption of an interrupted turn may have fewer words than its text. */
const isLineOf = ({ text }: Said, line: string): boolean => {
  const [said, shown] = [lettersOf(text), lettersOf(line)];
  return shown !== '' && (said.startsWith(shown) || shown.startsWith(said));
};

export const withInterruptions = (lines: readonly Line[], turns: readonly Said[]): readonly Line[] => {
  const ofAgent = turns.filter(({ role, text }) => role === 'agent' && text !== '');
  let next = 0;
  return lines.map((line) => {
    if (line.kind !== 'agent') return line;
    const at = ofAgent.findIndex((turn, index) => index >= next && isLineOf(turn, line.text));
    const turn = ofAgent[at];
    if (turn === undefined) return line;
    next = at + 1;
    return turn.interrupted ? { ...line, heard: turn.spokenText ?? turn.text } : line;
  });
};
