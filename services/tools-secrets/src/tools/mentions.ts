// Finds the secrets that a tool mentions, and refuses mentions in the wrong places.
import { originOfUrl, type SecretUses, type ToolInput } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type SecretMentions, secretMentionsIn } from '@parlance/webhooks';

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

/** A request as it was given, or as it is stored. */
export interface Sent {
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly bodyTemplate: unknown;
  };
}

/** The secrets that the request mentions. */
export const mentionsOf = ({ request }: Sent): SecretMentions => {
  const { url, headers, bodyTemplate } = request;
  return secretMentionsIn([url, headers, bodyTemplate]);
};

/** The uses of the request's secrets: all go to the origin of its address, which is literal in every tool. */
export const usesOf = (tool: Sent): SecretUses => [
  { origin: originOfUrl(tool.request.url) ?? '', ...mentionsOf(tool) },
];
