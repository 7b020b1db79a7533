// Errors in Telnyx's shape.
import type { Response } from 'express';

export class TelnyxError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    /** Which part of the request is at fault, as a JSON pointer. */
    readonly pointer?: string,
  ) {
    super(detail);
  }
}

export const notFound = (): TelnyxError =>
  new TelnyxError(404, '10005', 'Resource not found', 'The requested resource or URL could not be found.');
export const badRequest = (detail: string): TelnyxError =>
  new TelnyxError(400, '10015', 'Bad Request', detail);
export const unprocessable = (code: string, title: string, detail: string, pointer?: string): TelnyxError =>
  new TelnyxError(422, code, title, detail, pointer);

const isParseFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.parse.failed';

export const sendError = (response: Response, error: unknown): void => {
  const fallback = isParseFailure(error)
    ? new TelnyxError(400, '10023', 'Invalid JSON', 'The supplied JSON is invalid.')
    : new TelnyxError(500, '10007', 'Unexpected error', 'An unexpected error occured.');
  const { status, code, title, detail, pointer } = error instanceof TelnyxError ? error : fallback;
  response.status(status).json({
    errors: [
      {
        code,
        title,
        detail,
        ...(pointer ? { source: { pointer } } : {}),
        meta: { url: `https://developers.telnyx.com/docs/overview/errors/${code}` },
      },
    ],
  });
};
