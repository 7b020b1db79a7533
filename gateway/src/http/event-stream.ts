// Streamed answers to browsers and programs: server-sent events, written no faster than they are read.
import { once } from 'node:events';
import type { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import type { EventStream, SentEvent } from '@parlance/rpc';
import type { Response } from 'express';
import { toAppError } from './error-response.js';
import { setDataHeaders } from './security-headers.js';

export interface EventStreamOptions {
  /** The data of an event as it leaves. @throws AppError for data that does not fit its schema */
  readonly dataOf: (event: SentEvent) => unknown;
  /** Told of a failure that ended the stream. */
  readonly onFailure: (error: AppError) => void;
  /** The id of a sign of life, for a reader that comes back; undefined while there is none. */
  readonly idleId?: () => string | undefined;
}

/** Proxies close connections that say nothing for a minute. */
const heartbeatMs = 15_000;

/** Readers of a stream with ids come back after so long, and not all at the same moment. */
const retryMs = { least: 1_000, spread: 2_000 } as const;

const textOf = (event: string, data: unknown, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${stringifyJson(data)}\n\n`;

/** Without data no event is dispatched, but the id counts. */
const beatOf = (idleId: string | undefined): string =>
  idleId === undefined ? ':\n\n' : `:\nid: ${idleId}\n\n`;

const begin = (response: Response, status: number): void => {
  response.statusCode = status;
  setDataHeaders(response);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // nginx would collect the events, and send them together.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
};

/** Resolves when the reader has taken all written data, or has gone. */
export const taken = async (response: Response, gone: AbortSignal): Promise<void> => {
  await once(response, 'drain', { signal: gone }).catch(() => undefined);
};

/** Resolves when the last event is written, or the reader has gone; the stream is cancelled then. */
export const sendEventStream = async (
  response: Response,
  status: number,
  stream: EventStream,
  { dataOf, onFailure, idleId }: EventStreamOptions,
): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    stream.cancel();
  });
  // The reader may have gone while the stream was opened.
  if (response.closed) {
    stream.cancel();
    return;
  }
  begin(response, status);
  const { least, spread } = retryMs;
  if (idleId !== undefined) response.write(`retry: ${Math.round(least + spread * Math.random())}\n\n`);
  // A reader that takes nothing needs no sign of life either.
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(beatOf(idleId?.()));
  }, heartbeatMs);
  try {
    for await (const event of stream) {
      if (gone.signal.aborted) break;
      if (!response.write(textOf(event.event, dataOf(event), event.id))) await taken(response, gone.signal);
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    onFailure(error);
    const { requestId } = response.locals;
    response.write(textOf('error', { code: error.code, message: error.message, requestId }));
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
};
