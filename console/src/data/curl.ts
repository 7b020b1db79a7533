// The same request for a terminal, so that everything that the console does can be done by a program.
import { type Parts, request } from '@parlance/client';
import { baseUrl } from './client.js';
import type { OperationId, RequestOf } from './types.js';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const capture = async (id: OperationId, parts: Parts): Promise<{ url: string; init: RequestInit }> => {
  let captured = { url: '', init: {} as RequestInit };
  const options = {
    baseUrl,
    retries: 0,
    fetch: async (url: RequestInfo | URL, init: RequestInit = {}) => {
      captured = { url: String(url), init };
      return Response.json({ success: true, message: '', data: null });
    },
  };
  await request(options, id, parts);
  return captured;
};

/** A command for curl with the API key as $PARLANCE_API_KEY. Nothing is sent. */
export const curlOf = async <Id extends OperationId>(id: Id, parts: RequestOf<Id>): Promise<string> => {
  const { url, init } = await capture(id, parts as Parts);
  const method = init.method === 'GET' ? '' : ` -X ${init.method}`;
  const body =
    typeof init.body === 'string'
      ? ` \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(init.body)}`
      : '';
  return `curl -s${method} ${quoted(url)} \\\n  -H "x-api-key: $PARLANCE_API_KEY"${body}`;
};
