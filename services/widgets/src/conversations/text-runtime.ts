// The voice runtime, asked for the next turn of a conversation in text. The address is the operator's, as that of the media
// server is. A runtime keeps nothing between two questions, so any copy of it can answer.
import {
  type AnsweredTurn,
  type CallContext,
  type EndedReason,
  type TranscriptTurn,
  textTurnEvents,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { z } from 'zod';

export interface TextRuntimeOptions {
  readonly url: string;
  readonly internalKey: string;
}

/** A question: the conversation so far, with the message last. */
export interface TextQuestion {
  readonly context: CallContext;
  readonly turns: readonly TranscriptTurn[];
}

/** A part of an answer. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'turn'; readonly turn: AnsweredTurn }
  | { readonly kind: 'end'; readonly reason: EndedReason };

/** The largest size of one answer, in bytes. */
const maxBytes = 256 * 1024;
const maxParts = 10_000;

const failed = (cause: unknown): AppError => new AppError('RUNTIME_ERROR', { cause });
const unavailable = (cause: unknown): AppError =>
  new AppError('RUNTIME_UNAVAILABLE', { retryAfterSeconds: 5, cause });

const parsed = <T extends z.ZodType>(schema: T, data: string): z.output<T> => {
  try {
    return schema.parse(JSON.parse(data));
  } catch (error) {
    throw failed(error);
  }
};

/** Events with names of a later release are passed over. */
const partOf = ({ event, data }: EventSourceMessage): AnswerPart | undefined => {
  switch (event) {
    case 'text':
      return { kind: 'text', ...parsed(textTurnEvents.text, data) };
    case 'turn':
      return { kind: 'turn', ...parsed(textTurnEvents.turn, data) };
    case 'end':
      return { kind: 'end', ...parsed(textTurnEvents.end, data) };
    case 'error':
      throw failed(new Error(`the runtime says: ${parsed(textTurnEvents.error, data).message}`));
    default:
      return undefined;
  }
};

async function* partsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [bytes, parts] = [0, 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      parser.feed(decoder.decode(value, { stream: true }));
      parts += arrived.length;
      if (bytes > maxBytes || parts > maxParts) throw failed(new Error('the answer is too long'));
      for (const message of arrived.splice(0)) {
        const part = partOf(message);
        if (part !== undefined) yield part;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export class TextRuntime {
  readonly #options: TextRuntimeOptions;

  constructor(options: TextRuntimeOptions) {
    this.#options = options;
  }

  /** @throws AppError RUNTIME_UNAVAILABLE, RUNTIME_ERROR */
  async *ask(question: TextQuestion, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    const response = await this.#post(question, signal);
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      throw unavailable(new Error(`the runtime answers ${response.status}`));
    }
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw failed(new Error(`the runtime answers ${response.status}`));
    }
    try {
      yield* partsIn(response.body);
    } catch (error) {
      // The connection broke in the middle of the answer.
      throw error instanceof AppError ? error : failed(error);
    }
  }

  async #post(question: TextQuestion, signal: AbortSignal): Promise<Response> {
    const { url, internalKey } = this.#options;
    try {
      return await fetch(`${url}/text-turns`, {
        method: 'POST',
        headers: {
          'x-internal-key': internalKey,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: stringifyJson(question),
        redirect: 'error',
        signal,
      });
    } catch (error) {
      throw unavailable(error);
    }
  }
}
