// Server-sent events of an answer, and the ways in which a stream goes wrong.
import { once } from 'node:events';
import type { Response } from 'express';

/** Waits for slow readers; resolves to false when the reader is gone. */
const write = async (response: Response, text: string): Promise<boolean> => {
  if (response.destroyed) return false;
  if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  return !response.destroyed;
};

const sendHtml = (response: Response): void => {
  response
    .status(200)
    .type('html')
    .send('<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>');
};

const endless = async (response: Response, text: string): Promise<void> => {
  while (await write(response, text)) await new Promise((resolve) => setImmediate(resolve));
};

export interface StreamedAnswer {
  /** Each is the data of one event. */
  readonly events: readonly unknown[];
  /** The event that an endless stream repeats, without content and with some. */
  readonly empty: unknown;
  readonly more?: unknown;
}

const eventOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** Sends an answer as events with `[DONE]` at its end, or what its fault makes of it. */
export const sendStream = async (
  response: Response,
  { events, empty, more = empty }: StreamedAnswer,
  mode: string,
): Promise<void> => {
  if (mode === 'html') return sendHtml(response);
  response.status(200).set({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': 'req_fake',
  });
  response.flushHeaders();
  if (mode === 'endless') return endless(response, eventOf(empty));
  if (mode === 'endless-text') return endless(response, eventOf(more));
  const middle = Math.ceil(events.length / 2);
  for (const [position, event] of events.entries()) {
    if (position === middle && mode === 'hang-mid') return;
    if (position === middle && mode === 'reset-mid') {
      response.socket?.resetAndDestroy();
      return;
    }
    const text = eventOf(event);
    const isBroken = mode === 'invalid-json' && position === Math.min(1, events.length - 1);
    if (!(await write(response, isBroken ? `${text.slice(0, text.length / 2)}\n\n` : text))) return;
  }
  response.end('data: [DONE]\n\n');
};

/** Sends a whole body, or what its fault makes of it. */
export const sendWhole = async (
  response: Response,
  body: Buffer,
  type: string,
  mode: string,
): Promise<void> => {
  if (mode === 'html') return sendHtml(response);
  response.status(200).set({ 'content-type': type, 'x-request-id': 'req_fake' });
  const half = body.subarray(0, Math.ceil(body.length / 2));
  switch (mode) {
    case 'endless':
    case 'endless-text':
      return endless(response, ' '.repeat(1_024));
    case 'invalid-json':
      response.end(half);
      return;
    case 'hang-mid':
      response.write(half);
      return;
    case 'reset-mid':
      response.write(half, () => response.socket?.resetAndDestroy());
      return;
    default:
      response.end(body);
  }
};
