// The one way from the console to the platform: the published client, with the session of the person at the browser.
import { type ClientOptions, isApiError, type Parts, request } from '@parlance/client';
import { watchedFetch } from './outage.js';
import { sessionRestored } from './session-loss.js';
import { announce } from './tabs.js';
import type { DataOf, OperationId, RequestOf } from './types.js';

/** Where the interface is, for addresses that people copy. */
export const baseUrl = `${globalThis.location?.origin ?? 'http://localhost'}/api/v1`;

export const clientOptions: ClientOptions = { baseUrl, session: true, fetch: watchedFetch };

export interface Ask {
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
  /** Further tries after one that proves nothing; the client's own number unless said. */
  readonly retries?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer<Id extends OperationId> {
  readonly data: DataOf<Id>;
  readonly message: string;
  readonly nextCursor?: string;
}

const send = async (id: OperationId, parts: Parts, { headers, ...call }: Ask) => {
  const options = headers === undefined ? clientOptions : { ...clientOptions, headers };
  const answer = await request(options, id, parts, call);
  announce(id, parts);
  return answer;
};

/**
 * Asks one operation. When the session has ended, it waits for the person to sign in again and asks once more.
 * @throws ApiError
 */
export const ask = async <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  call: Ask = {},
): Promise<Answer<Id>> => {
  try {
    return (await send(id, parts as Parts, call)) as Answer<Id>; // the generated types and the table are of one document
  } catch (error) {
    const restored = isApiError(error, 'UNAUTHENTICATED') ? sessionRestored() : undefined;
    if (restored === undefined) throw error;
    await restored;
    return (await send(id, parts as Parts, call)) as Answer<Id>; // as above
  }
};
