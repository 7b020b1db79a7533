// Files: their text as it arrives.

import type { CallOptions, ClientOptions, Parts } from '../method/options.js';
import type { Operation } from './operation.js';
import { patienceOf } from './patience.js';
import { requestTo } from './request.js';
import { type Opened, openBody } from './stream.js';

/** @throws the error of the body when the connection breaks, which it does where a file ends early */
async function* textOf({ body, silence }: Opened): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      silence.start();
      const { done, value } = await reader.read();
      silence.stop();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (text !== '') yield text;
      if (done) return;
    }
  } finally {
    silence.stop();
    // A reader that leaves early lets the platform stop its work.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Sends a request whose answer is a file, and resolves when it begins. `timeoutMs` is the longest silence.
 * @throws ApiError when the platform refuses; the error of `fetch` when the platform is not reached
 */
export const openText = async (
  options: ClientOptions,
  row: Operation,
  parts: Parts,
  call: CallOptions,
): Promise<AsyncIterable<string>> => {
  const { timeoutMs } = patienceOf(options, call);
  const request = requestTo(options, row, parts, {});
  return textOf(await openBody(options, request, { signal: call.signal, timeoutMs }));
};
