// The lines of both sides, as they grow. Pure: each function gives a new list.

export type Side = 'agent' | 'visitor';

export interface Line {
  readonly id: string;
  readonly side: Side;
  readonly text: string;
  /** False while it is still being said. */
  readonly final: boolean;
  /** True for a message that did not reach the platform. */
  readonly undelivered?: boolean;
}

export type Transcript = readonly Line[];

/** Lines that a page keeps; the platform keeps all. */
const longest = 500;

/** Puts the line in the place of the one with its id, or at the end. */
export const withLine = (lines: Transcript, line: Line): Transcript => {
  const at = lines.findIndex(({ id }) => id === line.id);
  return at < 0 ? [...lines, line].slice(-longest) : lines.with(at, line);
};
