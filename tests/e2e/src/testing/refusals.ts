// Requests as strangers send them, and the answers to them; every refusal in the one envelope that there is.
import { expect } from '@jest/globals';
import { ErrorBody } from '@parlance/contracts';
import type { Refusal } from './bad-inputs.js';

export const json = { 'content-type': 'application/json' };

/** A request without its address. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The body as it came. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Any answer is taken; a refusal must look like one. */
export const send = async (url: string, { method = 'GET', headers = {}, body }: Sent): Promise<Reply> => {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (response.status >= 400) {
    // Every service refuses in the same envelope.
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(ErrorBody.parse(JSON.parse(text)).error.requestId).toBe(response.headers.get('x-request-id'));
  }
  return { status: response.status, text };
};

/** Status and code; the body instead of a code where there is none. */
export const toRefusal = ({ status, text }: Reply): Refusal => {
  const parsed = ErrorBody.safeParse(JSON.parse(text));
  return [status, parsed.success ? parsed.data.error.code : text];
};
