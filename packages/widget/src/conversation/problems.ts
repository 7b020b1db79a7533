// The reasons why a conversation did not begin, in the few kinds that make a difference to a visitor.
import { Refusal } from '../wire/refusal.js';

export type Problem =
  | 'microphone-blocked'
  | 'microphone-missing'
  | 'microphone-busy'
  | 'microphone-unsupported'
  | 'offline'
  | 'busy'
  | 'limit'
  | 'budget'
  | 'not-available'
  | 'consent-changed'
  | 'visitor-token'
  | 'media'
  | 'no-agent'
  | 'unknown';

const byCode: Readonly<Record<string, Problem>> = {
  NETWORK: 'offline',
  CONCURRENCY_LIMIT: 'busy',
  RATE_LIMITED: 'limit',
  WIDGET_BUDGET_EXCEEDED: 'budget',
  WIDGET_NOT_FOUND: 'not-available',
  ORIGIN_NOT_ALLOWED: 'not-available',
  MODE_NOT_OFFERED: 'not-available',
  CONSENT_REQUIRED: 'consent-changed',
  INVALID_VISITOR_TOKEN: 'visitor-token',
  SERVICE_UNAVAILABLE: 'not-available',
  PROVIDER_UNAVAILABLE: 'not-available',
  UPSTREAM_TIMEOUT: 'not-available',
  RUNTIME_UNAVAILABLE: 'not-available',
  RUNTIME_ERROR: 'not-available',
};

/** The problems by the name of the DOMException of getUserMedia. */
const byName: Readonly<Record<string, Problem>> = {
  NotAllowedError: 'microphone-blocked',
  SecurityError: 'microphone-blocked',
  NotFoundError: 'microphone-missing',
  OverconstrainedError: 'microphone-missing',
  NotReadableError: 'microphone-busy',
  AbortError: 'microphone-busy',
};

export const problemOfRefusal = ({ code }: Refusal): Problem => byCode[code] ?? 'unknown';

export const problemOfMicrophone = (name: string): Problem => byName[name] ?? 'microphone-missing';

/** A failure that has a kind already. */
export class Trouble extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

// By its member and not by its class: voice.js is a file of its own, with a class of its own.
const isTrouble = (error: unknown): error is Trouble => error instanceof Error && 'problem' in error;

/** The detail of an `error` event: the platform's code, or that of the problem, and a sentence for developers. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly problem: Problem;
}

export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refusal)
    return { code: error.code, message: error.message, problem: problemOfRefusal(error) };
  const problem = isTrouble(error) ? error.problem : 'unknown';
  const message = error instanceof Error ? error.message : String(error);
  return { code: problem.toUpperCase().replaceAll('-', '_'), message, problem };
};
