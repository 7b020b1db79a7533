// The failures of an execution, and the messages that the model gets about them.
import { UnknownCharset } from '@parlance/charsets';
import type { ToolRun } from '@parlance/contracts';
import { EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import type { ToolDocument } from '../tools/tool-record.js';
import { type Json, UnfitArguments } from './arguments.js';
import { cutText, type ReadAnswer } from './read-answer.js';

export type RunError = NonNullable<ToolRun['error']>;

const neutral = 'This did not work. Go on without it.';

export const timedOut: RunError = { code: 'TIMEOUT', message: 'The other system did not answer in time.' };
export const tooLarge: RunError = {
  code: 'TOO_LARGE',
  message: 'The answer of the other system is too large.',
};

const network = (message: string): RunError => ({ code: 'NETWORK', message });

const ofEgress = ({ reason }: EgressFailure): RunError => {
  switch (reason) {
    case 'timeout':
    case 'aborted':
      return timedOut;
    case 'too_large':
      return tooLarge;
    case 'unresolved':
      return network('The name of the other system has no address.');
    case 'tls':
      return network('The certificate of the other system is not valid.');
    case 'bad_response':
      return network('The other system gave an answer that cannot be read.');
    case 'too_many_redirects':
      return network('The other system redirects too often.');
    case 'unreachable':
      return network('The other system cannot be reached.');
  }
};

/** The error of the run that a thrown error stands for. Undefined for an error that the tool did not cause. */
export const runErrorOf = (error: unknown): RunError | undefined => {
  if (error instanceof UnfitArguments) return { code: 'INVALID_ARGUMENTS', message: error.message };
  if (error instanceof EgressFailure) return ofEgress(error);
  if (error instanceof UnknownCharset)
    return network(
      'The answer of the other system is no UTF-8, and its Content-Type names no charset in which it can be read.',
    );
  if (error instanceof AppError && error.code === 'URL_NOT_ALLOWED') {
    return { code: 'URL_NOT_ALLOWED', message: 'The address is not allowed.' };
  }
  if (error instanceof AppError && error.code === 'SECRET_ORIGIN_NOT_ALLOWED') {
    return {
      code: 'URL_NOT_ALLOWED',
      message:
        'A secret of this tool is not allowed for the origin of its address. An owner or admin can allow it.',
    };
  }
  return undefined;
};

export const badStatus = (status: number): RunError => ({
  code: 'BAD_STATUS',
  message: `The other system answered with status ${status}.`,
});

/** The text that the model gets about a failure. It always gets its own mistakes, because it can correct them. */
export const resultOfFailure = (
  { onError, response }: ToolDocument,
  error: RunError,
  answer: ReadAnswer | undefined,
): Json => {
  if (error.code === 'INVALID_ARGUMENTS') return `The arguments do not fit: ${error.message}.`;
  if (onError === 'hide') return neutral;
  if (onError === 'summarize' || answer === undefined) return error.message;
  return { status: answer.status, body: cutText(answer.text, response.maxChars) };
};
