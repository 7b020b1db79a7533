// This server's wording of the faults that are asked of it.
import type { FaultAnswers } from '@parlance/fake-kit';
import { sendError, TwirpError } from './twirp.js';

export const twirpFaults: FaultAnswers = {
  clientError: (response) => sendError(response, new TwirpError('invalid_argument', 'refused on demand')),
  rateLimited: (response, seconds) =>
    sendError(
      response,
      new TwirpError('resource_exhausted', 'too many requests', {}, { 'retry-after': String(seconds) }),
    ),
  serverError: (response) => sendError(response, new TwirpError('internal', 'failed on demand')),
};
