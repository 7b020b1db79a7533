// The form of answers: one way to write JSON, one envelope.
import type { Response } from 'express';
import { setDataHeaders } from './security-headers.js';

/** Writes a JSON text that is ready to go, as a string or as UTF-8. */
export const sendJson = (response: Response, status: number, text: string | Buffer): void => {
  response.statusCode = status;
  setDataHeaders(response);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

export interface Envelope {
  readonly message: string;
  /** JSON text in UTF-8; left out, or empty, where an operation answers only a message. */
  readonly json?: Uint8Array;
  readonly nextCursor?: string;
}

/** The text of a successful answer around data that is JSON already. */
export const envelope = ({ message, json, nextCursor }: Envelope): Buffer => {
  const head = `{"success":true,"message":${JSON.stringify(message)}`;
  const tail = nextCursor === undefined ? '}' : `,"nextCursor":${JSON.stringify(nextCursor)}}`;
  if (json === undefined || json.length === 0) return Buffer.from(head + tail);
  return Buffer.concat([Buffer.from(`${head},"data":`), json, Buffer.from(tail)]);
};
