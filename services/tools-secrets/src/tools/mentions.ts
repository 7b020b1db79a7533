// Which secrets a tool mentions, and where it may.
import type { ToolInput } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { secretMentionsIn } from '@parlance/webhooks';
import type { Mentions } from '../secrets/references.js';

/** What of a tool can mention a secret or must not. */
export type Mentioning = Pick<
  ToolInput,
  'description' | 'fillerMessage' | 'parameters' | 'request' | 'response'
>;

const reference = /\{\{\s*secrets\b/i;
/** Everything that begins like a reference, and all that is one. */
const begun = /\{\{\s*secrets\b/gi;
const whole = /\{\{\s*secrets\.[A-Z][A-Z0-9_]{0,63}\s*(?:\|[^{}]*)?\}\}/g;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const keysIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
};

/**
 * A model, a caller or a reader of the tool is told everything but the request.
 * @throws AppError SECRET_REFERENCE_NOT_ALLOWED
 */
export const refuseMisplacedReferences = (tool: Mentioning): void => {
  const { description, fillerMessage, parameters, response, request } = tool;
  const told = { description, fillerMessage, parameters, response };
  const misplaced = Object.entries(told).find(([, value]) => reference.test(JSON.stringify(value)));
  if (misplaced) {
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { path: misplaced[0] } });
  }
  // One that names no secret would be sent as it is written.
  const sent = JSON.stringify([request.url, request.headers, request.bodyTemplate]);
  if (countOf(sent, begun) !== countOf(sent, whole)) {
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { path: 'request' } });
  }
  // A key is sent as it is written.
  if (keysIn(request.bodyTemplate).some((key) => reference.test(key))) {
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { path: 'request.bodyTemplate' } });
  }
};

/** The secrets that the request mentions. */
export const mentionsOf = ({ request }: Pick<Mentioning, 'request'>): Mentions => {
  const { url, headers, bodyTemplate } = request;
  return secretMentionsIn([url, headers, bodyTemplate]);
};
