// A table of jobs, of which replicas lease the due ones. All times are those of the database: a replica whose clock is wrong neither
// keeps a job too long nor takes one too early. Statements use `statement_timestamp()`, which an index can be searched by and which
// does not lag behind in a long transaction.
import type { jobQueues } from '@parlance/metrics';
import { type FairTurns, lockedRows, type Tx } from '@parlance/postgres';
import { type BackOff, backOffMs, backOffSql } from './back-off.js';
import { type FairSlots, fairlyPicked } from './fair-share.js';

/** The columns of a table of jobs. Tables of earlier releases have different names for the same things. */
export interface JobTable {
  /** Names the queue in metrics and logs. */
  readonly name: (typeof jobQueues)[number];
  readonly table: string;
  /** The primary key. */
  readonly key: readonly [string, ...string[]];
  /** SQL of what a leased job consists of. */
  readonly columns: string;
  /** The instant from which a job is due; null for one that is done. */
  readonly dueAt: string;
  /** The end of the lease. Without such a column, leasing a job moves its due time to the end of the lease. */
  readonly leasedUntil?: string;
  /** A column that changes with each lease, and SQL of its next value. Without one, the end of the lease is the fence. */
  readonly fence?: { readonly column: string; readonly next: string };
  /** Counts the leases of a job. */
  readonly attempts?: string;
  /** Further conditions of a due job. */
  readonly where?: string;
  /** Further assignments of the statement that leases. */
  readonly set?: string;
  /**
   * Longer than a job takes. As a back-off the lease is also the pause before the next attempt, even if a job kills its process; it
   * needs `attempts`.
   */
  readonly leaseMs: number | BackOff;
  /** The pause after a failed attempt; without it, a failed job is due when its lease ends. */
  readonly retry?: BackOff;
  /** Organizations take turns; needs a column organization_id. */
  readonly fair?: {
    readonly turns: FairTurns;
    /** SQL over alias q, by name: columns of a leased job that are read before it changes. */
    readonly facts?: Readonly<Record<string, string>>;
  };
}

/** A right to a job until it expires or another worker has a later one. */
export interface Lease {
  readonly key: readonly string[];
  readonly fence: string;
  /** Leases of this job so far, this one included; 0 where the table does not count. */
  readonly attempts: number;
}

export type Leased<Job> = Job & { readonly lease: Lease };
export type LeaseHolder = Pick<Leased<unknown>, 'lease'>;

/** Assignments of an update. `$1` and so on are `values`. */
export interface Change {
  readonly set: string;
  readonly values?: readonly unknown[];
}

type LeasedRow<Job> = Job & {
  readonly lease_key: readonly string[];
  readonly lease_fence: string;
  readonly lease_attempts: number;
};

const now = 'statement_timestamp()';
const later = (ms: number | string): string => `${now} + ${ms} * interval '1 millisecond'`;
const slotValues = { limit: '$1::int', share: '$2::int', holders: '$3::text[]' };

export class JobQueue<Job extends object> {
  readonly name: JobTable['name'];
  readonly #table: JobTable;
  readonly #leaseEnd: string;
  readonly #fence: string;
  readonly #isDue: string;
  readonly #leaseStatement: string;

  constructor(table: JobTable) {
    const { dueAt, leasedUntil, fence, where } = table;
    this.#table = table;
    this.name = table.name;
    this.#leaseEnd = leasedUntil ?? dueAt;
    this.#fence = fence?.column ?? this.#leaseEnd;
    this.#isDue = [
      `${dueAt} <= ${now}`,
      ...(leasedUntil === undefined ? [] : [`(${leasedUntil} is null or ${leasedUntil} <= ${now})`]),
      ...(where === undefined ? [] : [`(${where})`]),
    ].join(' and ');
    this.#leaseStatement = table.fair === undefined ? this.#leaseDue() : this.#leaseDueFairly(table.fair);
  }

  /** Leases the jobs that have been due longest. */
  async lease(tx: Tx, limit: number): Promise<Leased<Job>[]> {
    return this.#leased(tx, [limit]);
  }

  /** Leases the longest due jobs of each organization, within its share of the free slots. */
  async leaseFairly(
    tx: Tx,
    { free, share, holders }: Pick<FairSlots, 'free' | 'share' | 'holders'>,
  ): Promise<Leased<Job>[]> {
    return this.#leased(tx, [free, share, holders]);
  }

  /**
   * Extends the lease by its first length. In a transaction no other worker gets the job until its end, so that what the transaction
   * writes is written by the holder.
   * @param only SQL of a further condition under which the job still counts
   * @returns undefined when the lease is lost
   */
  async renew(tx: Tx, { lease }: LeaseHolder, only = 'true'): Promise<Lease | undefined> {
    const { leaseMs } = this.#table;
    const { rows } = await tx.query<{ fence: string }>(
      `update ${this.#table.table} set ${this.#leaseEnd} = ${later(typeof leaseMs === 'number' ? leaseMs : leaseMs.firstMs)}
       where ${this.#isHeld(0)} and ${only} returning ${this.#fence}::text as fence`,
      [...lease.key, lease.fence],
    );
    return rows[0] && { ...lease, fence: rows[0].fence };
  }

  /** Changes the job if the lease is still the latest. @returns false when another worker has the job, or it is gone */
  async update(tx: Tx, { lease }: LeaseHolder, { set, values = [] }: Change): Promise<boolean> {
    const { rowCount } = await tx.query(
      `update ${this.#table.table} set ${set} where ${this.#isHeld(values.length)}`,
      [...values, ...lease.key, lease.fence],
    );
    return rowCount > 0;
  }

  /** Deletes a job that is done. @returns as `update` */
  async remove(tx: Tx, { lease }: LeaseHolder): Promise<boolean> {
    const { rowCount } = await tx.query(`delete from ${this.#table.table} where ${this.#isHeld(0)}`, [
      ...lease.key,
      lease.fence,
    ]);
    return rowCount > 0;
  }

  /** Ends the lease; the job is due after the pause. @returns as `update` */
  async defer(
    tx: Tx,
    job: LeaseHolder,
    afterMs: number,
    { set, values = [] }: Partial<Change> = {},
  ): Promise<boolean> {
    const { dueAt, leasedUntil } = this.#table;
    const assignments = [
      `${dueAt} = ${later(`$${values.length + 1}::float8`)}`,
      ...(leasedUntil === undefined ? [] : [`${leasedUntil} = null`]),
      ...(set === undefined ? [] : [set]),
    ];
    return this.update(tx, job, { set: assignments.join(', '), values: [...values, afterMs] });
  }

  /** Defers a job whose attempt failed, each time for longer. @returns as `update` */
  async retry(tx: Tx, job: LeaseHolder): Promise<boolean> {
    const { retry } = this.#table;
    return retry === undefined || this.defer(tx, job, backOffMs(retry, Math.max(1, job.lease.attempts)));
  }

  /** Gives back a job that was not begun: it is due at once, and the lease counts as no attempt. @returns as `update` */
  async release(tx: Tx, job: LeaseHolder): Promise<boolean> {
    const { attempts } = this.#table;
    return this.defer(tx, job, 0, attempts === undefined ? {} : { set: `${attempts} = ${attempts} - 1` });
  }

  /** Seconds since the oldest job that no worker has leased was due; 0 when there is none. */
  async lagSeconds(tx: Tx): Promise<number> {
    const { table, dueAt } = this.#table;
    const { rows } = await tx.query<{ seconds: number }>({
      name: `lag_of_${table}`,
      text: `select greatest(0, extract(epoch from ${now} - ${dueAt}))::float8 as seconds from ${table}
             where ${this.#isDue} order by ${dueAt} limit 1`,
    });
    return rows[0]?.seconds ?? 0;
  }

  async #leased(tx: Tx, values: readonly unknown[]): Promise<Leased<Job>[]> {
    const { rows } = await tx.query<LeasedRow<Job>>({
      name: `lease_${this.#table.table}_${this.#table.name}`,
      text: this.#leaseStatement,
      values,
    });
    return rows.map(({ lease_key: key, lease_fence: fence, lease_attempts: attempts, ...job }) => ({
      ...(job as unknown as Job),
      lease: { key, fence, attempts },
    }));
  }

  #isHeld(valuesBefore: number): string {
    return [...this.#table.key, this.#fence]
      .map((column, index) => `${column} = $${valuesBefore + index + 1}`)
      .join(' and ');
  }

  /** The common table expression `due` with the keys of the locked jobs. */
  #leaseDue(): string {
    const { table, key, dueAt } = this.#table;
    const columns = key.map((column, index) => `${column} as lease_key_${index}`).join(', ');
    const due = lockedRows({ table, where: this.#isDue, order: dueAt, columns }, '$1::int');
    return this.#leaseStatementOf(
      `with due as materialized (${due})`,
      key.map((column, index) => `j.${column} = due.lease_key_${index}`),
    );
  }

  #leaseDueFairly({ turns, facts = {} }: NonNullable<JobTable['fair']>): string {
    const { table, key, dueAt } = this.#table;
    const id = key.find((column) => column !== 'organization_id');
    if (id === undefined) throw new Error(`jobs of ${table} have no key within an organization`);
    const picked = fairlyPicked({ turns, table, id, isDue: this.#isDue, order: dueAt, facts }, slotValues);
    const names = Object.keys(facts).map((name) => `, ${name}`);
    return this.#leaseStatementOf(
      `${picked},
       due as (select id as lease_key_0, organization_id as lease_organization${names.join('')} from picked)`,
      [`j.${id} = due.lease_key_0`, 'j.organization_id = due.lease_organization'],
    );
  }

  #leaseStatementOf(due: string, joins: readonly string[]): string {
    const { table, key, columns, fence, attempts, set, leaseMs } = this.#table;
    if (typeof leaseMs !== 'number' && attempts === undefined)
      throw new Error(`leases of ${table} grow, and no column counts them`);
    const length = typeof leaseMs === 'number' ? leaseMs : backOffSql(leaseMs, `j.${attempts}`);
    const assignments = [
      `${this.#leaseEnd} = ${later(length)}`,
      ...(fence === undefined ? [] : [`${fence.column} = ${fence.next}`]),
      ...(attempts === undefined ? [] : [`${attempts} = j.${attempts} + 1`]),
      ...(set === undefined ? [] : [set]),
    ];
    return `${due}
      update ${table} j set ${assignments.join(', ')} from due where ${joins.join(' and ')}
      returning ${columns}, array[${key.map((column) => `j.${column}::text`).join(', ')}] as lease_key,
        j.${this.#fence}::text as lease_fence, ${attempts === undefined ? '0' : `j.${attempts}`} as lease_attempts`;
  }
}
