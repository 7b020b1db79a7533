// Files that are sent while they are made. The texts of a streamed answer go out one after the other, no faster than they are read.
import type { Operation } from '@parlance/contracts';
import type { EventStream } from '@parlance/rpc';
import type { Response } from 'express';
import { toAppError } from './error-response.js';
import { type EventStreamOptions, taken } from './event-stream.js';
import { setDataHeaders } from './security-headers.js';

const begin = (response: Response, { contentType, fileName }: NonNullable<Operation['download']>): void => {
  response.statusCode = 200;
  setDataHeaders(response);
  response.setHeader('Content-Type', `${contentType}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  // nginx would collect the file, and the reader would wait for all of it.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
};

const textIn = (data: unknown): string => {
  const text: unknown = Reflect.get(Object(data), 'text');
  if (typeof text !== 'string') throw new TypeError('a file is made of texts');
  return text;
};

/**
 * Resolves when the file is written, or its reader has gone. The status has been sent when a file fails, so the connection is
 * broken. Then no reader takes a part of a file for the whole.
 */
export const sendDownload = async (
  response: Response,
  download: NonNullable<Operation['download']>,
  stream: EventStream,
  { dataOf, onFailure }: EventStreamOptions,
): Promise<void> => {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    stream.cancel();
  });
  // The reader may have gone while the stream was opened.
  if (response.closed) return stream.cancel();
  begin(response, download);
  try {
    for await (const event of stream) {
      if (gone.signal.aborted) break;
      if (!response.write(textIn(dataOf(event)))) await taken(response, gone.signal);
    }
    response.end();
  } catch (thrown) {
    onFailure(toAppError(thrown));
    response.destroy();
  }
};
