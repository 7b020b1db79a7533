// The body of an answer on its way to the protocol's client, with each of its messages rewritten.
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { decodeLoosely } from '@parlance/charsets';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

type Rewrite = (message: string) => string;

const jsonBody = (contentType: string | undefined, rewrite: Rewrite): Transform => {
  const chunks: Buffer[] = [];
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
    flush: (done) => {
      // A tool has done its work by now, so a text of an unknown charset is better than a failure.
      done(null, Buffer.from(rewrite(decodeLoosely(Buffer.concat(chunks), { contentType }))));
    },
  });
};

const fields = ({ event, id, data }: EventSourceMessage): string =>
  [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ].join('\n');

const eventStream = (rewrite: Rewrite): Transform => {
  const decoder = new StringDecoder('utf8');
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      parser.feed(decoder.write(chunk));
      done();
    },
  });
  const parser = createParser({
    onEvent: (message) => {
      const isMessage = message.event === undefined || message.event === 'message';
      const data = isMessage ? rewrite(message.data) : message.data;
      stream.push(`${fields({ ...message, data })}\n\n`);
    },
    onRetry: (ms) => stream.push(`retry: ${ms}\n\n`),
  });
  return stream;
};

/** Undefined for a body that holds no messages of the protocol. */
export const rewriter = (contentType: string | undefined, rewrite: Rewrite): Transform | undefined => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return jsonBody(contentType, rewrite);
  return type === 'text/event-stream' ? eventStream(rewrite) : undefined;
};
