// One record per Idempotency-Key: claimed before the work, finished after it, free again when its owner died.
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import { type Database, deleteInPieces, type Tx } from '@parlance/postgres';

const keptHours = 24;

export interface RecordId {
  readonly organizationId: string;
  /** Id of the operation. */
  readonly route: string;
  /** The key as the caller sent it. */
  readonly key: string;
}

/** The right, and the duty, to do the work. */
export interface Claim {
  readonly id: RecordId;
  readonly owner: string;
  /** The command id, the same for every claim of one record. */
  readonly commandId: string;
}

export interface StoredAnswer {
  readonly status: number;
  /** JSON text, exactly as it was sent the first time. */
  readonly body: string;
}

/**
 * The columns of a kept answer. `sealed` is encrypted. `plain` is as it was given: encrypted where an answer holds a credential,
 * and else a record of the release before, which keeps answers there.
 */
export type AnswerPlace = 'sealed' | 'plain';

export type Outcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer; readonly place: AnswerPlace }
  /** Another request works on it. */
  | { readonly kind: 'running' }
  /** The key belongs to a different request. */
  | { readonly kind: 'reused' };

interface Row {
  readonly requestHash: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly sealedStatus: number | null;
  readonly sealedBody: string | null;
}

// Takes the record if it is new, expired, or unfinished with its lease run out. A record that ran out but did not expire
// keeps its command id. Its first owner may have done the work before it died.
const claim = {
  name: 'gateway_idempotency_claim',
  text: `insert into idempotency_records as r
           (organization_id, route, key, request_hash, command_id, owner, lease_until, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), now() + make_interval(hours => $8))
         on conflict (organization_id, route, key) do update
            set request_hash = excluded.request_hash, owner = excluded.owner, lease_until = excluded.lease_until,
                command_id = case when r.expires_at <= now() then excluded.command_id else r.command_id end,
                expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end,
                status = null, body = null, sealed_status = null, sealed_body = null
          where r.expires_at <= now()
             or (r.status is null and r.sealed_status is null and r.lease_until <= now()
                 and r.request_hash = excluded.request_hash)
         returning command_id as "commandId"`,
};

const read = {
  name: 'gateway_idempotency_read',
  text: `select request_hash as "requestHash", status, body, sealed_status as "sealedStatus", sealed_body as "sealedBody"
           from idempotency_records where organization_id = $1 and route = $2 and key = $3`,
};

const unfinished = 'status is null and sealed_status is null';

// A gateway of the release before takes a record without `status` over when its lease ends: so the lease lasts as long as the
// record.
const finish = {
  plain: {
    name: 'gateway_idempotency_finish',
    text: `update idempotency_records set status = $5, body = $6
            where organization_id = $1 and route = $2 and key = $3 and owner = $4 and ${unfinished}`,
  },
  sealed: {
    name: 'gateway_idempotency_finish_sealed',
    text: `update idempotency_records set sealed_status = $5, sealed_body = $6, lease_until = expires_at
            where organization_id = $1 and route = $2 and key = $3 and owner = $4 and ${unfinished}`,
  },
} as const satisfies Record<AnswerPlace, { readonly name: string; readonly text: string }>;

// The row stays, so that the key keeps its request and its command id; only the claim ends.
const release = {
  name: 'gateway_idempotency_release',
  text: `update idempotency_records set lease_until = now()
          where organization_id = $1 and route = $2 and key = $3 and owner = $4 and ${unfinished}`,
};

const values = ({ organizationId, route, key }: RecordId): readonly [string, string, string] => [
  organizationId,
  route,
  key,
];

export class IdempotencyStore {
  readonly #db: Database;
  readonly #ids: Ids;
  readonly #leaseSeconds: number;

  /**
   * @param leaseSeconds the lifetime of a claim; longer than the work may take. Should an owner outlive its lease all
   *   the same, the command id keeps the second try from doing the work again.
   */
  constructor(db: Database, ids: Ids, leaseSeconds: number) {
    this.#db = db;
    this.#ids = ids;
    this.#leaseSeconds = leaseSeconds;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when the records cannot be reached */
  async begin(id: RecordId, requestHash: string): Promise<Outcome> {
    const owner = this.#ids.next();
    const parameters = [...values(id), requestHash, this.#ids.next(), owner, this.#leaseSeconds, keptHours];
    const { rows } = await this.#db.query<{ commandId: string }>(claim, parameters);
    if (rows[0] !== undefined) return { kind: 'claimed', claim: { id, owner, commandId: rows[0].commandId } };
    return this.#existing(id, requestHash);
  }

  /** Keeps the answer for a day. */
  async finish({ id, owner }: Claim, { status, body }: StoredAnswer, place: AnswerPlace): Promise<void> {
    await this.#db.query(finish[place], [...values(id), owner, status, body]);
  }

  /**
   * Keeps the answer in the transaction of the work, so that a process that dies leaves both or neither.
   * @throws AppError IDEMPOTENCY_IN_PROGRESS when the claim ran out and another request has it; the work must not count then
   */
  async finishWithin(
    tx: Tx,
    { id, owner }: Claim,
    { status, body }: StoredAnswer,
    place: AnswerPlace,
  ): Promise<void> {
    const { rowCount } = await tx.query(finish[place], [...values(id), owner, status, body]);
    if (rowCount !== 1) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  }

  /** Lets the next request with this key try again. */
  async release({ id, owner }: Claim): Promise<void> {
    await this.#db.query(release, [...values(id), owner]);
  }

  /** Deletes records older than a day. */
  sweep(): Promise<number> {
    return deleteInPieces(this.#db, { table: 'idempotency_records', where: 'expires_at <= now()' });
  }

  async #existing(id: RecordId, requestHash: string): Promise<Outcome> {
    const { rows } = await this.#db.query<Row>(read, values(id));
    const row = rows[0];
    // swept between the two statements: the caller may simply try again
    if (row === undefined) return { kind: 'running' };
    if (row.requestHash !== requestHash) return { kind: 'reused' };
    const { status, body, sealedStatus, sealedBody } = row;
    if (sealedStatus !== null && sealedBody !== null)
      return { kind: 'answered', answer: { status: sealedStatus, body: sealedBody }, place: 'sealed' };
    if (status === null || body === null) return { kind: 'running' };
    return { kind: 'answered', answer: { status, body }, place: 'plain' };
  }
}
