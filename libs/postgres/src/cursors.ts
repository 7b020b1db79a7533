// Opaque cursors of lists. A cursor is signed together with its organization, route and filters, so it can be neither
// forged nor used for another list. All faults of a cursor give the same answer.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { z } from 'zod';

export interface CursorScope {
  readonly organizationId: string;
  /** Id of the operation that lists. */
  readonly route: string;
  /** Everything but cursor and limit that decides the content of the list. */
  readonly filters: unknown;
}

export type CursorPosition = readonly (string | number)[];

const Position = z
  .array(z.union([z.string(), z.number()]))
  .min(1)
  .max(8);
const macBytes = 16;
const longestCursor = 2_048;

/** JSON with sorted keys and without absent ones: equal filters give equal text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  ) ?? 'null';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export class Cursors {
  readonly #key: Secret;

  constructor(key: Secret) {
    this.#key = key;
  }

  /** The sort key of the last row shown, as an opaque cursor for this list only. */
  encode(scope: CursorScope, position: CursorPosition): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#mac(scope, payload), payload]).toString('base64url');
  }

  /**
   * The sort key to continue after; undefined for the first page.
   * @throws AppError INVALID_CURSOR
   */
  decode(scope: CursorScope, cursor: string | undefined): (string | number)[] | undefined {
    if (cursor === undefined) return undefined;
    const position = cursor.length <= longestCursor ? this.#read(scope, cursor) : undefined;
    if (position === undefined) throw new AppError('INVALID_CURSOR');
    return position;
  }

  #read(scope: CursorScope, cursor: string): (string | number)[] | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // Base64 has several spellings of the same bytes; only the encoder's own is a cursor.
    if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return undefined;
    const payload = bytes.subarray(macBytes);
    if (!timingSafeEqual(bytes.subarray(0, macBytes), this.#mac(scope, payload))) return undefined;
    return Position.safeParse(parseJson(payload.toString('utf8'))).data;
  }

  #mac({ organizationId, route, filters }: CursorScope, payload: Buffer): Buffer {
    const scope = JSON.stringify(['cursor-v1', organizationId, route, canonical(filters)]);
    // JSON holds no raw line feed, so scope and payload cannot run into each other.
    return createHmac('sha256', this.#key.reveal())
      .update(scope)
      .update('\n')
      .update(payload)
      .digest()
      .subarray(0, macBytes);
  }
}
