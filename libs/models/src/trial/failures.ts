// The failures of a trial, in words for people.
import type { ModelTestFailure } from '@parlance/contracts';
import type { ChatFailure } from '../chat/events.js';

export const codes: Readonly<Record<ChatFailure | 'noEndpoint', ModelTestFailure>> = {
  timeout: 'TIMEOUT',
  stalled: 'TIMEOUT',
  overallTimeout: 'TIMEOUT',
  rateLimited: 'RATE_LIMITED',
  serverError: 'SERVER_ERROR',
  unauthorized: 'KEY_REFUSED',
  unknownModel: 'UNKNOWN_MODEL',
  rejected: 'REFUSED',
  invalidResponse: 'NOT_THE_PROTOCOL',
  empty: 'EMPTY',
  tooLarge: 'TOO_LARGE',
  unreachable: 'NOT_REACHABLE',
  notAllowed: 'ADDRESS_NOT_ALLOWED',
  breakerOpen: 'NOT_REACHABLE',
  noEndpoint: 'KEY_MISSING',
};

export const messages: Readonly<Record<ModelTestFailure, string>> = {
  KEY_MISSING: 'There is no key for this model: its secret or its variable is missing.',
  KEY_REFUSED: 'The server refused the key.',
  NOT_REACHABLE: 'The address cannot be reached, or the connection broke off.',
  ADDRESS_NOT_ALLOWED: 'The address is not allowed: it is not https, or leads into a private network.',
  TIMEOUT: 'The server gave no answer in time.',
  NOT_THE_PROTOCOL: 'The server does not answer in the OpenAI protocol.',
  EMPTY: 'The answer is empty.',
  TOO_LARGE: 'The answer is too large.',
  UNKNOWN_MODEL: 'The server has no such model, or the base URL is wrong.',
  RATE_LIMITED: 'The server takes no more requests for now.',
  REFUSED: 'The server refused the request.',
  SERVER_ERROR: 'The server failed.',
  NOT_TESTABLE: 'Only the voice runtime reaches this model, by a plugin.',
};
