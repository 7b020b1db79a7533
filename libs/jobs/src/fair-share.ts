// Capacity that organizations share. Each gets a part of it at most, and the one whose last turn is oldest comes first, so that slow
// work of one organization never delays the work of another.
import { type FairTurns, joinedTurns, lockedRows, turnTaken } from '@parlance/postgres';

/** A quarter: work of one organization that hangs leaves three quarters to the others. */
const partOfOne = 4;

/** The capacity of this process. */
export class FairSlots {
  readonly all: number;
  /** The most that one organization gets. */
  readonly share: number;
  readonly #running = new Map<Promise<unknown>, string>();

  constructor(all: number) {
    this.all = all;
    this.share = Math.max(1, Math.floor(all / partOfOne));
  }

  get free(): number {
    return this.all - this.#running.size;
  }

  /** The organization of each slot in use. */
  get holders(): readonly string[] {
    return [...this.#running.values()];
  }

  /** Takes a slot until the work ends. The work handles its own errors. */
  run(organizationId: string, work: () => Promise<unknown>, onFree: () => void = () => undefined): void {
    const running: Promise<unknown> = work().finally(() => {
      this.#running.delete(running);
      onFree();
    });
    this.#running.set(running, organizationId);
  }

  /** Resolves when a slot becomes free; at once when none is in use. */
  async next(): Promise<void> {
    if (this.#running.size > 0) await Promise.race(this.#running.keys());
  }

  /** Resolves when the work under way has ended, with the number of slots that it had. */
  async drained(): Promise<number> {
    return (await Promise.all(this.#running.keys())).length;
  }
}

export interface FairPool {
  readonly turns: FairTurns;
  /** The table of the work; it has a column organization_id. */
  readonly table: string;
  /** Its primary key. */
  readonly id: string;
  /** SQL over alias q for work that may begin now. An index on (organization_id, ...) of exactly this work makes it cheap. */
  readonly isDue: string;
  /** SQL over alias q. */
  readonly order: string;
  /** Further columns of `picked`, by name: SQL over alias q, of the locked row. */
  readonly facts?: Readonly<Record<string, string>>;
}

export interface FairPick {
  /** SQL of the most rows that are picked. */
  readonly limit: string;
  /** SQL of the most capacity of one organization. */
  readonly share: string;
  /** SQL of an array of text with the organization of each slot in use. */
  readonly holders: string;
}

/**
 * CTEs `picked (id, organization_id)` and `turn`, to begin a statement with. Rows are locked. Costs depend on the number of
 * organizations with due work, and not on the amount of their work.
 */
export const fairlyPicked = (
  { turns, table, id, isDue, order, facts = {} }: FairPool,
  { limit, share, holders }: FairPick,
): string => {
  const named = Object.entries(facts).map(([name, sql]) => `, ${sql} as ${name}`);
  const names = Object.keys(facts).map((name) => `, ${name}`);
  const rowsOfOne = lockedRows(
    {
      table: `${table} q`,
      columns: `q.${id} as id${named.join('')}`,
      where: `q.organization_id = e.organization_id and ${isDue}`,
      order,
    },
    'e.places',
  );
  return `with recursive
  waiting as (
    (select q.organization_id from ${table} q where ${isDue} order by q.organization_id limit 1)
    union all
    select (select q.organization_id from ${table} q where q.organization_id > w.organization_id and ${isDue}
            order by q.organization_id limit 1)
    from waiting w where w.organization_id is not null),
  entitled as (
    select w.organization_id, t.last_turn_at,
      ${share} - (select count(*) from unnest(${holders}) h where h = w.organization_id) as places
    from waiting w ${joinedTurns(turns, 'w.organization_id')}
    where w.organization_id is not null),
  candidates as (
    select e.organization_id, e.last_turn_at, of_one.*, row_number() over (partition by e.organization_id) as rank
    from (select * from entitled where places > 0 order by last_turn_at nulls first limit ${limit}) e
    cross join lateral (${rowsOfOne}) of_one),
  picked as materialized (
    select id, organization_id${names.join('')} from candidates order by rank, last_turn_at nulls first limit ${limit}),
  ${turnTaken(turns)}`;
};
