// How answers leave: one way to write JSON, one envelope.
import type { Response } from 'express';
import { setDataHeaders } from './security-headers.js';

/** Writes a JSON text that is ready to go. */
export const sendJson = (response: Response, status: number, text: string): void => {
  response.statusCode = status;
  setDataHeaders(response);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

export interface Envelope {
  readonly message: string;
  /** Left out where an operation answers only a message. */
  readonly data?: unknown;
  readonly nextCursor?: string;
}

/** The text of a successful answer. */
export const envelope = ({ message, data, nextCursor }: Envelope): string =>
  JSON.stringify({ success: true, message, data, nextCursor });
