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

/** A row of a list that is ordered by creation, then by id. */
interface CreatedRow {
  readonly id: string;
  readonly created_at: Date;
}

/** What a query of such a list compares `(created_at, id)` with, and how many rows it reads. */
export interface Keyset {
  readonly createdAt: string;
  readonly id: string;
  readonly limit: number;
}

interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Spread into the options of an answer. */
  readonly next: { readonly nextCursor?: string };
}

/** The page of a request without a limit. Lists had no pages once, so it is more than most organizations have. */
const mostWithoutLimit = 1_000;

// Bounds beyond every row, so that a first page is the same statement, with the same plan, as any other.
type ListOrder = 'newest first' | 'oldest first';

const beginnings: Readonly<Record<ListOrder, Omit<Keyset, 'limit'>>> = {
  'newest first': { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  'oldest first': { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' },
};

/** For a reader within the service that takes a whole list. */
export const wholeList = (order: ListOrder = 'newest first'): Keyset => ({
  ...beginnings[order],
  limit: 2_147_483_647, // the largest integer of Postgres
});

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

  /**
   * One page of a list that is ordered by creation, then by id.
   * @param read the rows after the keyset, in the order of the list
   * @throws AppError INVALID_CURSOR
   */
  async page<Row extends CreatedRow>(
    scope: CursorScope,
    { cursor, limit = mostWithoutLimit }: PageRequest,
    read: (keyset: Keyset) => Promise<readonly Row[]>,
    order: ListOrder = 'newest first',
  ): Promise<ListPage<Row>> {
    const [createdAt, id] = this.decode(scope, cursor) ?? [];
    const after =
      createdAt === undefined ? beginnings[order] : { createdAt: String(createdAt), id: String(id) };
    // One row more than the page tells whether there is a next page.
    const found = await read({ ...after, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1] : undefined;
    if (last === undefined) return { rows: found, next: {} };
    const nextCursor = this.encode(scope, [last.created_at.toISOString(), last.id]);
    return { rows: found.slice(0, limit), next: { nextCursor } };
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
