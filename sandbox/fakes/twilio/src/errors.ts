// Errors in Twilio's shape.
import type { Response } from 'express';

export class TwilioError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const notFound = (path: string): TwilioError =>
  new TwilioError(404, 20404, `The requested resource ${path} was not found`);
/** A parameter that is missing, malformed, or not part of this stand-in. */
export const invalid = (message: string): TwilioError => new TwilioError(400, 20001, message);

export const sendError = (response: Response, error: unknown): void => {
  const known = error instanceof TwilioError ? error : new TwilioError(500, 20500, 'Internal Server Error');
  response.status(known.status).json({
    code: known.code,
    message: known.message,
    more_info: `https://www.twilio.com/docs/errors/${known.code}`,
    status: known.status,
  });
};
