// The HTTP of the library's OAuth functions, through the guarded egress client. Metadata and tokens are small, so an answer is
// read whole.
import type { FetchLike } from '@modelcontextprotocol/client';
import { decodeLoosely } from '@parlance/charsets';
import type { Egress } from '@parlance/egress';

const timeoutMs = 10_000;
const maxBytes = 256 * 1_024;
const withoutBody = new Set([101, 103, 204, 205, 304]);

const bodyOf = (body: RequestInit['body']): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('unexpected body');
};

/** A `fetch` that follows no redirect: one could lead a code or a token elsewhere. */
export const oauthFetch =
  (egress: Pick<Egress, 'fetch'>): FetchLike =>
  async (url, init = {}) => {
    const body = bodyOf(init.body);
    const answer = await egress.fetch(String(url), {
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      maxBytes,
    });
    const { status, headers } = answer;
    const { 'content-type': contentType } = headers;
    const kept = Object.entries(headers).filter(
      ([name]) => name !== 'content-encoding' && name !== 'content-length',
    );
    return new Response(withoutBody.has(status) ? null : decodeLoosely(answer.body, { contentType }), {
      status,
      headers: kept,
    });
  };
