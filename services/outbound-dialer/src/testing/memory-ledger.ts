// For tests: the ledger as maps, made of the same pure decisions as the one in Postgres. Thousands of histories
// run on it, and some of them on both, which have to agree.
import { grantInOrder, ownBound } from '../ledger/envelope.js';
import type { Settlement, Spending, Wanted } from '../ledger/ledger.js';
import { type CallEvent, followCalls, isLetThrough, type OpenCall } from '../ledger/settling.js';
import {
  addRows,
  type Change,
  monthOf,
  type Period,
  type Placement,
  sumChanges,
  type TotalsRow,
  totalOf,
} from '../ledger/totals.js';

export interface LedgerRow extends Placement {
  readonly subject: string;
  readonly micros: number;
  /** Null while it is open. */
  readonly settledMicros: number | null;
  readonly reservedAt: Date;
  /** The call of the reservation. */
  readonly call: OpenCall;
}

/** The functions that both ledgers have, for one organization. */
export interface LedgerPort {
  /** @returns the subjects that were granted */
  reserve(spending: Spending, wanted: readonly Wanted[], now: Date): Promise<ReadonlySet<string>>;
  letThrough(outboundCallId: string, attempt: number): Promise<number | null>;
  release(subjects: readonly string[], unusedSince?: Date): Promise<void>;
  settle(settlement: Settlement, now: Date): Promise<void>;
  follow(events: readonly CallEvent[], now: Date): Promise<void>;
  rows(): Promise<readonly LedgerRow[]>;
  totals(): Promise<readonly TotalsRow[]>;
}

export class MemoryLedger implements LedgerPort {
  readonly #rows = new Map<string, LedgerRow>();
  readonly #totals = new Map<string, TotalsRow>();

  async reserve(spending: Spending, wanted: readonly Wanted[], now: Date): Promise<ReadonlySet<string>> {
    const { kind, campaignId, isQuick, day, most, organizationId } = spending;
    const known = wanted.filter(({ subject }) => this.#rows.has(subject));
    for (const { subject } of known) {
      const row = this.#rows.get(subject);
      if (row?.settledMicros === null) this.#rows.set(subject, { ...row, reservedAt: now });
    }
    // The days of the world are UTC, so the operator's sums are those of the organization's calendar.
    const bound = (period: Period, key: string, mostMicros: number | null) =>
      ownBound('day', mostMicros, totalOf(this.#totals.get(`${period}/${key}`)));
    const bounds = [
      ...(campaignId === null ? [] : [bound('campaign', campaignId, most.campaignMicros)]),
      ...(isQuick ? [bound('quick', day, most.quickMicros)] : []),
      bound('day', day, most.dayMicros),
      bound('month', monthOf(day), most.monthMicros),
    ];
    const fresh = wanted.filter(({ subject }) => !this.#rows.has(subject));
    const { granted } = grantInOrder(bounds, fresh);
    for (const { subject, micros, call } of granted) {
      if (call === undefined) throw new Error('only calls are reserved here');
      const { outboundCallId, attempt, isRenewed, rateMicros, seconds } = call;
      const about = { subject, organizationId, outboundCallId, attempt, isRenewed, micros };
      const open = { ...about, rateMicros, seconds, dialledAttempt: null, answeredAt: null };
      const placement = { kind, campaignId, isQuick, day };
      this.#rows.set(subject, {
        ...{ ...placement, subject, micros, settledMicros: null, reservedAt: now },
        call: open,
      });
      this.#add({ ...placement, spentMicros: 0, reservedMicros: micros });
    }
    return new Set([...known, ...granted].map(({ subject }) => subject));
  }

  async letThrough(outboundCallId: string, attempt: number): Promise<number | null> {
    const [row] = this.#open()
      .filter(({ call }) => call.outboundCallId === outboundCallId)
      .filter(({ call }) => call.attempt === attempt || (call.isRenewed && call.attempt < attempt))
      .sort((a, b) => b.call.attempt - a.call.attempt);
    if (row === undefined) return null;
    this.#rows.set(row.subject, { ...row, call: { ...row.call, dialledAttempt: attempt } });
    return row.call.seconds;
  }

  async release(subjects: readonly string[], unusedSince?: Date): Promise<void> {
    for (const row of this.#open()) {
      const isMeant = subjects.includes(row.subject) && !isLetThrough(row.call);
      if (!isMeant || (unusedSince !== undefined && row.reservedAt > unusedSince)) continue;
      this.#rows.delete(row.subject);
      this.#add({ ...row, spentMicros: 0, reservedMicros: -row.micros });
    }
  }

  async settle({ subject, micros }: Settlement): Promise<void> {
    const row = this.#rows.get(subject);
    if (row?.settledMicros !== null) return;
    const settledMicros = Math.min(micros, row.micros);
    this.#rows.set(subject, { ...row, settledMicros });
    this.#add({ ...row, spentMicros: settledMicros, reservedMicros: -row.micros });
  }

  async follow(events: readonly CallEvent[]): Promise<void> {
    const { changed, settled } = followCalls(
      this.#open().map(({ call }) => call),
      events,
    );
    for (const call of changed) {
      const row = this.#rows.get(call.subject);
      if (row !== undefined) this.#rows.set(call.subject, { ...row, call });
    }
    for (const settlement of settled) await this.settle(settlement);
  }

  async rows(): Promise<readonly LedgerRow[]> {
    return [...this.#rows.values()];
  }

  async totals(): Promise<readonly TotalsRow[]> {
    return [...this.#totals.values()];
  }

  #open(): LedgerRow[] {
    return [...this.#rows.values()].filter(({ settledMicros }) => settledMicros === null);
  }

  #add(change: Change): void {
    for (const sum of sumChanges([change])) {
      const name = `${sum.period}/${sum.key}`;
      const before = this.#totals.get(name);
      this.#totals.set(name, before === undefined ? sum : addRows(before, sum));
    }
  }
}
