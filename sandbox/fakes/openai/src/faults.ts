// The operations that can fail on demand, and the wording of the failures.
import { type FaultAnswers, FaultSwitches } from '@parlance/fake-kit';
import { OpenAiError, sendError } from './errors.js';

export type OpenAiTarget = 'models' | 'chat' | 'transcriptions' | 'speech';

/** Answers that begin with status 200 and then go wrong. */
const answerModes = ['html', 'invalid-json', 'hang-mid', 'reset-mid', 'endless'] as const;
/** What a language model itself does wrong. */
const chatModes = [...answerModes, 'endless-text', 'invalid-arguments', 'ten-tools', 'unknown-tool'] as const;
type AnswerMode = (typeof chatModes)[number];
export type OpenAiFaults = FaultSwitches<AnswerMode>;

/**
 * The targets are the paths, and what is answered on them: `chat` fails as a request, and `chat-answer` in the middle of its
 * answer.
 */
export const createOpenAiFaults = (): OpenAiFaults => {
  const targets: readonly OpenAiTarget[] = ['models', 'chat', 'transcriptions', 'speech'];
  return new FaultSwitches<AnswerMode>(targets, {
    'chat-answer': chatModes,
    'transcriptions-answer': answerModes,
    'speech-answer': answerModes,
  });
};

export const faultAnswers: FaultAnswers = {
  clientError: (response) =>
    sendError(response, new OpenAiError(400, 'invalid_request_error', 'Refused on demand.')),
  rateLimited: (response, seconds) =>
    sendError(
      response.set('retry-after', String(seconds)),
      new OpenAiError(429, 'requests', 'Rate limit reached for requests.', 'rate_limit_exceeded'),
    ),
  serverError: (response) =>
    sendError(
      response,
      new OpenAiError(500, 'server_error', 'The server had an error while processing your request.'),
    ),
};
