// HTTP statuses of a model's server, as reasons of a failure.
import type { ChatFailure } from './events.js';

type StatusFailure = Extract<
  ChatFailure,
  'unauthorized' | 'unknownModel' | 'timeout' | 'rateLimited' | 'serverError' | 'invalidResponse' | 'rejected'
>;

const reasons: Readonly<Record<number, StatusFailure>> = {
  401: 'unauthorized',
  402: 'unauthorized',
  403: 'unauthorized',
  404: 'unknownModel',
  408: 'timeout',
  429: 'rateLimited',
};

export const reasonOfStatus = (status: number): StatusFailure => {
  if (status >= 500) return 'serverError';
  if (status < 400) return 'invalidResponse';
  return reasons[status] ?? 'rejected';
};
