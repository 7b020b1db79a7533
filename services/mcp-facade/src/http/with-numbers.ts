// The protocol's library writes numbers as doubles. Numbers that a double would change pass through it as tokens, which
// become numbers again in the bytes of the answer.
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { numbersForTokens } from '@parlance/json';

/** The library writes each message in one piece, so no token is cut in two. */
const numbers = (): TransformStream<Uint8Array, Uint8Array> =>
  new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(Buffer.from(numbersForTokens(Buffer.from(chunk).toString('utf8'))));
    },
  });

export const withNumbers = (handler: McpHttpHandler): Pick<McpHttpHandler, 'fetch'> => ({
  fetch: async (request, options) => {
    const response = await handler.fetch(request, options);
    const { body, status, headers } = response;
    return body === null ? response : new Response(body.pipeThrough(numbers()), { status, headers });
  },
});
