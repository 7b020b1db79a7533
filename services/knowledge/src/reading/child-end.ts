// The reason for the end of a reading process that gave no answer.
import { ReadFailure } from './read-failure.js';

export interface ChildEnd {
  readonly signal: NodeJS.Signals | null;
  /** True when the reader ended the process, because its time was over. */
  readonly isLate: boolean;
}

/**
 * Two signals mean too much memory: SIGKILL comes from the watch of the process and from the kernel, and SIGABRT from the
 * limit of the heap. Any other end is a fault of a library that met a broken document.
 */
export const failureOfEnd = ({ signal, isLate }: ChildEnd): ReadFailure => {
  if (isLate) return new ReadFailure('PARSE_FAILED', 'Reading the document takes too long.');
  if (signal === 'SIGKILL' || signal === 'SIGABRT')
    return new ReadFailure('TOO_LARGE', 'Reading the document takes too much memory.');
  return new ReadFailure('PARSE_FAILED', 'The document cannot be read.');
};
