// Gathers the changes of the rollups by a batch of events: removed and added contributions, summed up per bucket.
import { type Contribution, type Sums, sumColumns, type TallyKind } from './rollups-contribution.js';
import { bucketOf, type Grain, grains } from './rollups-grains.js';

/** The bucket of an organization in this grain that begins at `at`. */
interface Place {
  readonly organization_id: string;
  readonly grain: Grain;
  /** ISO 8601. */
  readonly at: string;
}

export type SumChange = Place & Sums;
export type AgentChange = SumChange & { readonly agent_id: string };
export type TallyChange = Place & {
  readonly kind: TallyKind;
  readonly value: string;
  readonly calls: number;
};

/** Changes of the number of calls in progress, by the minute since 1970. */
export interface ConcurrencyChange {
  readonly organizationId: string;
  readonly minutes: ReadonlyMap<number, number>;
}

export interface RollupChanges {
  readonly sums: readonly SumChange[];
  readonly agents: readonly AgentChange[];
  readonly tallies: readonly TallyChange[];
  readonly concurrency: readonly ConcurrencyChange[];
}

interface Quarter {
  readonly organizationId: string;
  readonly at: number;
  /** Sums by agent. */
  readonly sums: Map<string, Sums>;
  /** Tallies by kind and value. */
  readonly tallies: Map<string, { readonly kind: TallyKind; readonly value: string; calls: number }>;
}

const nothing = Object.fromEntries(sumColumns.map((column) => [column, 0])) as Sums; // of exactly these columns

const plus = (a: Sums, b: Sums, sign: 1 | -1 = 1): Sums =>
  Object.fromEntries(sumColumns.map((column) => [column, a[column] + sign * b[column]])) as Sums; // as above

const isNothing = (sums: Sums): boolean => sumColumns.every((column) => sums[column] === 0);

const getOrMake = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

const sameContribution = (a: Contribution, b: Contribution): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Everything is gathered by quarters; hours and days follow from them. */
export class RollupLedger {
  readonly #quarters = new Map<string, Quarter>();
  readonly #minutes = new Map<string, Map<number, number>>();

  /** A call that contributed `before` now contributes `after`. */
  replace(before: Contribution | undefined, after: Contribution | undefined): void {
    if (before !== undefined && after !== undefined && sameContribution(before, after)) return;
    if (before !== undefined) this.#add(before, -1);
    if (after !== undefined) this.#add(after, 1);
  }

  /** The sums to add to the rollups, without those of zero. */
  changes(): RollupChanges {
    const sums = new Map<string, SumChange>();
    const agents = new Map<string, AgentChange>();
    const tallies = new Map<string, TallyChange>();
    for (const quarter of this.#quarters.values())
      for (const grain of grains) {
        const at = new Date(bucketOf(grain, quarter.at)).toISOString();
        const place: Place = { organization_id: quarter.organizationId, grain, at };
        const key = `${grain} ${at} ${quarter.organizationId}`;
        for (const [agentId, added] of quarter.sums) {
          sums.set(key, { ...place, ...plus(sums.get(key) ?? nothing, added) });
          const own = `${key} ${agentId}`;
          agents.set(own, { ...place, agent_id: agentId, ...plus(agents.get(own) ?? nothing, added) });
        }
        for (const { kind, value, calls } of quarter.tallies.values()) {
          const own = `${key} ${kind} ${value}`;
          tallies.set(own, { ...place, kind, value, calls: calls + (tallies.get(own)?.calls ?? 0) });
        }
      }
    return {
      sums: [...sums.values()].filter((change) => !isNothing(change)),
      agents: [...agents.values()].filter((change) => !isNothing(change)),
      tallies: [...tallies.values()].filter(({ calls }) => calls !== 0),
      concurrency: this.#concurrency(),
    };
  }

  #concurrency(): ConcurrencyChange[] {
    return [...this.#minutes].flatMap(([organizationId, all]) => {
      const minutes = new Map([...all].filter(([, change]) => change !== 0));
      return minutes.size === 0 ? [] : [{ organizationId, minutes }];
    });
  }

  #add({ organizationId, agentId, startedAt, sums, tallies, talking }: Contribution, sign: 1 | -1): void {
    const at = bucketOf(15, startedAt);
    const quarter = getOrMake(this.#quarters, `${at} ${organizationId}`, () => ({
      organizationId,
      at,
      sums: new Map(),
      tallies: new Map(),
    }));
    quarter.sums.set(agentId, plus(quarter.sums.get(agentId) ?? nothing, sums, sign));
    for (const [kind, value] of tallies)
      getOrMake(quarter.tallies, `${kind} ${value}`, () => ({ kind, value, calls: 0 })).calls += sign;
    if (talking === undefined) return;
    const minutes = getOrMake(this.#minutes, organizationId, () => new Map<number, number>());
    minutes.set(talking.from, (minutes.get(talking.from) ?? 0) + sign);
    minutes.set(talking.to, (minutes.get(talking.to) ?? 0) - sign);
  }
}
