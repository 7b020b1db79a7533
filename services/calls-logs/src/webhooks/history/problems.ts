// The public problem of a failed try: a code for programs and a sentence for people. No word of the receiver is in it.
import type { WebhookProblem, WebhookProblemCode } from '@parlance/contracts';
import { EgressFailure } from '@parlance/egress';
import { AppError } from '@parlance/errors';

const sentences: Readonly<Record<Exclude<WebhookProblemCode, 'status'>, string>> = {
  redirect:
    'The receiver answered with a redirect. Redirects are not followed: save the address that it leads to.',
  timeout: 'The receiver did not answer within the time limit of the webhook.',
  unreachable: 'No connection to the receiver came about, or it broke off.',
  unresolved: 'The name in the address of the receiver is not known.',
  tls: 'The certificate of the receiver is not valid for its name, or nobody that we trust has signed it.',
  bad_response: 'The receiver answered with something that is not HTTP.',
  url_not_allowed:
    'The address is not one that messages may be sent to, or a secret of the webhook is not allowed for its origin.',
  secret_not_found: 'The webhook mentions a secret that does not exist.',
  call_deleted: 'The call was deleted before the message was sent.',
  endpoint_disabled: 'The address is closed: it answered 410, or failed for five days.',
  cannot_open: 'The stored webhook cannot be opened with the keys of this installation.',
  internal: 'Something went wrong on our side.',
};

/** Words of attempts as they are stored, where the code is another. */
const codes: Readonly<Record<string, WebhookProblemCode>> = {
  URL_NOT_ALLOWED: 'url_not_allowed',
  SECRET_NOT_FOUND: 'secret_not_found',
  SECRET_ORIGIN_NOT_ALLOWED: 'url_not_allowed',
  too_large: 'bad_response',
  too_many_redirects: 'redirect',
};

const isSentence = (word: string): word is keyof typeof sentences => Object.hasOwn(sentences, word);

const codeOf = (word: string): WebhookProblemCode => {
  if (word === 'status' || isSentence(word)) return word;
  return codes[word] ?? 'internal';
};

/** @param word the `error` of an attempt */
export const problemOf = (word: string | null, statusCode: number | null): WebhookProblem | null => {
  if (word === null) return null;
  const code = codeOf(word);
  const text = code === 'status' ? `The receiver answered with the status ${statusCode}.` : sentences[code];
  return { code, text };
};

/** The word for the error of a try; undefined for an unexpected error. */
export const wordFor = (error: unknown): string | undefined => {
  if (error instanceof EgressFailure) return error.reason;
  return error instanceof AppError ? error.code : undefined;
};

/** The word for the status of an answer; null for a receiver that took the message. */
export const wordForStatus = (status: number): 'redirect' | 'status' | null => {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
};
