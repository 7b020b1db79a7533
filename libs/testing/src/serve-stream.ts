// Plays a neighbour with a streamed answer, as its service would send it.
import { type Input, type StreamEvent, type StreamingRow, subjectOf } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { NatsConnection } from 'nats';

/** Resolves when the broker knows of it. An AppError refuses the request before the stream begins. */
export const serveStream = async <T extends StreamingRow>(
  nats: NatsConnection,
  row: T,
  answer: (input: Input<T>, signal: AbortSignal) => AsyncIterable<StreamEvent<T>> | AppError,
): Promise<void> => {
  // Brings Nest with it, which most test files do without.
  const { encodeReply, sendStream } = await import('@parlance/rpc');
  const toAppError = (error: unknown): AppError =>
    error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });
  nats.subscribe(subjectOf(row), {
    callback: (_error, message) => {
      const stop = new AbortController();
      const events = answer(message.json<Input<T>>(), stop.signal);
      if (events instanceof AppError) message.respond(encodeReply({ error: events.toWire() }));
      else void sendStream(message, { nats, events, stop, deadline: 0, toAppError });
    },
  });
  await nats.flush();
};
