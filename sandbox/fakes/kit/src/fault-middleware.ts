// Faults around an HTTP handler: before it runs, or between its work and its answer.
import type { Request, RequestHandler, Response } from 'express';
import type { Fault, FaultSwitches } from './fault-switches.js';

/** The engine's own bodies for errors. */
export interface FaultAnswers {
  clientError(response: Response): void;
  rateLimited(response: Response, retryAfterSeconds: number): void;
  serverError(response: Response): void;
}

/** Lets the handler do its work and believe that it answers; `instead` happens when it is done. */
const afterTheWork = (response: Response, instead: () => void): void => {
  const { write, writeHead, end } = response;
  response.write = () => true;
  response.writeHead = () => response;
  response.end = () => {
    Object.assign(response, { write, writeHead, end });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    instead();
    return response;
  };
};

const apply = (
  fault: Fault<string>,
  request: Request,
  response: Response,
  next: () => void,
  answers: FaultAnswers,
): void => {
  switch (fault.mode) {
    case 'slow':
      setTimeout(next, fault.ms);
      return;
    case 'refuse':
      request.socket.destroy();
      return;
    case 'reset-before':
      request.socket.resetAndDestroy();
      return;
    case '4xx':
      answers.clientError(response);
      return;
    case '429':
      answers.rateLimited(response, fault.retryAfterSeconds);
      return;
    case '5xx-before':
      answers.serverError(response);
      return;
    case '5xx-after':
      afterTheWork(response, () => answers.serverError(response));
      break;
    case 'hang-after':
      afterTheWork(response, () => undefined);
      break;
    case 'reset-after':
      afterTheWork(response, () => request.socket.resetAndDestroy());
      break;
    default:
      // All is well, or it is a mode that only the engine itself can make.
      break;
  }
  next();
};

/** Middleware that makes requests fail as the switches say; put it behind the check of credentials. */
export const withFaults =
  <Extra extends string>(
    switches: FaultSwitches<Extra>,
    targetOf: (request: Request) => string | undefined,
    answers: FaultAnswers,
  ): RequestHandler =>
  (request, response, next) => {
    const target = targetOf(request);
    if (target === undefined) next();
    else apply(switches.take(target), request, response, next, answers);
  };
