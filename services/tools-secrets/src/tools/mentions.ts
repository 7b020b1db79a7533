// Finds the secrets that a tool mentions, and refuses mentions in the wrong places.
import type { ToolInput } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { secretMentionsIn } from '@parlance/webhooks';
import type { Mentions } from '../secrets/references.js';

/** The fields of a tool that may hold a text like a mention of a secret. Only the request may mention one. */
export type Mentioning = Pick<
  ToolInput,
  'description' | 'fillerMessage' | 'parameters' | 'request' | 'response'
>;

const reference = /\{\{\s*secrets\b/i;
/** `begun` finds the beginning of every reference, `whole` only complete references. */
const begun = /\{\{\s*secrets\b/gi;
const whole = /\{\{\s*secrets\.[A-Z][A-Z0-9_]{0,63}\s*(?:\|[^{}]*)?\}\}/g;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const keysIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
};

/**
 * Refuses references to secrets outside the request, because a model, a caller or a reader sees the other fields.
 * @throws AppError SECRET_REFERENCE_NOT_ALLOWED
 */
export const refuseMisplacedReferences = (tool: Mentioning): void => {
  const { description, fillerMessage, parameters, response, request } = tool;
  const told = { description, fillerMessage, parameters, response };
  const misplaced = Object.entries(told).find(([, value]) => reference.test(JSON.stringify(value)));
  if (misplaced) {
    throw new AppError('SECRET_REFERENCE_NOT_ALLOWED', { details: { path: misplaced[0] } });
  }
  // A reference that is not complete would be sent as it is written.
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
