// For tests: the ledger in Postgres, as the model of it is asked.
import type { Database } from '@parlance/postgres';
import { settleFromStreams } from '../integration/spend-follower.js';
import {
  release,
  reserveAll,
  type Settlement,
  type Spending,
  settle,
  type Wanted,
} from '../ledger/ledger.js';
import { letThrough } from '../ledger/let-through.js';
import { reserving } from '../ledger/operator-spend.js';
import type { CallEvent, OpenCall } from '../ledger/settling.js';
import type { TotalsRow } from '../ledger/totals.js';
import { organizationId } from './histories.js';
import type { LedgerPort, LedgerRow } from './memory-ledger.js';
import { recordedAt } from './recipient-books.js';

type Row = Omit<LedgerRow, 'call'> & Omit<OpenCall, 'micros'>;

export class PostgresLedger implements LedgerPort {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async reserve(spending: Spending, wanted: readonly Wanted[], now: Date): Promise<ReadonlySet<string>> {
    return (await reserving(this.#db, (tx, shares) => reserveAll(tx, spending, wanted, now, shares))).granted;
  }

  async letThrough(outboundCallId: string, attempt: number): Promise<number | null> {
    const toDial = { organizationId, outboundCallId, attempt, numberHash: outboundCallId };
    const answer = await letThrough(this.#db, toDial);
    return answer.kind === 'through' ? answer.seconds : null;
  }

  release(subjects: readonly string[], unusedSince?: Date): Promise<void> {
    return this.#db.transaction((tx) => release(tx, organizationId, subjects, unusedSince));
  }

  settle(settlement: Settlement, now: Date): Promise<void> {
    return this.#db.transaction((tx) => settle(tx, organizationId, settlement, now));
  }

  follow(events: readonly CallEvent[], now: Date): Promise<void> {
    const recorded = events.map(({ entityId, event }) => recordedAt(entityId, event, 0n));
    return this.#db.transaction((tx) => settleFromStreams(tx, recorded, now));
  }

  async rows(): Promise<readonly LedgerRow[]> {
    const { rows } = await this.#db.query<Row>(
      `select subject, kind, campaign_id as "campaignId", is_quick as "isQuick", day::text as day,
         micros::float8 as micros, settled_micros::float8 as "settledMicros", reserved_at as "reservedAt",
         organization_id as "organizationId", outbound_call_id as "outboundCallId", attempt,
         is_renewed as "isRenewed", rate_micros::float8 as "rateMicros", seconds,
         dialled_attempt as "dialledAttempt",
         to_char(answered_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "answeredAt"
       from spend_reservations where organization_id = $1`,
      [organizationId],
    );
    return rows.map((row) => {
      const { subject, kind, campaignId, isQuick, day, micros, settledMicros, reservedAt } = row;
      const { outboundCallId, attempt, isRenewed, rateMicros, seconds, dialledAttempt, answeredAt } = row;
      const open = {
        subject,
        organizationId,
        outboundCallId,
        attempt,
        isRenewed,
        micros,
        rateMicros,
        seconds,
      };
      return {
        ...{ kind, campaignId, isQuick, day, subject, micros, settledMicros, reservedAt },
        call: { ...open, dialledAttempt, answeredAt },
      };
    });
  }

  async totals(): Promise<readonly TotalsRow[]> {
    const { rows } = await this.#db.query<TotalsRow>(
      `select period, key, calls_spent::float8 as calls_spent, calls_reserved::float8 as calls_reserved,
         numbers_spent::float8 as numbers_spent, numbers_reserved::float8 as numbers_reserved,
         first_day::text as first_day, last_day::text as last_day
       from spend_totals where organization_id = $1`,
      [organizationId],
    );
    return rows;
  }
}
