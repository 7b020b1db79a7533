// For tests: an installation with several people, as maps, made of the same pure decisions as the ledger in Postgres.
import fc from 'fast-check';
import { type Bound, grantInOrder, ownBound } from '../ledger/envelope.js';
import { shareOut, stripeCount } from '../ledger/installation-shares.js';
import { monthOf } from '../ledger/totals.js';
import { type DayClock, dayOf, dayZoneOf, utcDayOf, withTimezone } from '../rules/calendar.js';

const zones = ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/New_York', 'Europe/Madrid'] as const;
const kinds = [
  'make',
  'delete',
  'zone',
  'invite',
  'call',
  'call',
  'call',
  'end',
  'end',
  'tick',
  'limit',
] as const;

export interface InstallationStep {
  readonly what: (typeof kinds)[number];
  readonly which: number;
  readonly amount: number;
}

export const installationStep: fc.Arbitrary<InstallationStep> = fc.record({
  what: fc.constantFrom(...kinds),
  which: fc.nat(99),
  amount: fc.integer({ min: 1, max: 40 }),
});

interface Organization {
  readonly id: number;
  readonly owner: number;
  clock: DayClock;
  readonly dayMicros: number;
  isGone: boolean;
}

interface OpenCall {
  readonly organization: Organization;
  readonly micros: number;
  readonly utcDay: string;
}

type Period = 'calls' | 'day' | 'month';
const periods: readonly Period[] = ['calls', 'day', 'month'];

interface Stripe {
  used: number;
  share: number;
  sharedLimit: number | null;
}

/** The limits of an organization that is funded, and of its own budget for quick calls. */
const fundedDay = 100;
const quickDay = 60;

export class InstallationWorld {
  granted = 0;
  refusedByInstallation = 0;
  moves = 0;
  #now = new Date('2026-10-31T09:30:00.000Z');
  #people = 1;
  #limits: Record<Period, number> = { calls: 6, day: 150, month: 400 };
  /** The highest limit that was in force in a period: a limit that is lowered takes nothing back. */
  readonly #highest = new Map<string, number>();
  readonly #organizations: Organization[] = [];
  readonly #open: OpenCall[] = [];
  readonly #stripes = new Map<string, Stripe[]>();
  readonly #ofOrganizations = new Map<string, number>();
  readonly #ofQuick = new Map<string, number>();

  take({ what, which, amount }: InstallationStep): void {
    const alive = this.#organizations.filter(({ isGone }) => !isGone);
    const organization = alive[which % Math.max(1, alive.length)];
    switch (what) {
      case 'make':
        this.#make(which % this.#people);
        return;
      case 'invite':
        this.#people += 1;
        this.#make(this.#people - 1);
        return;
      case 'delete':
        if (organization !== undefined) organization.isGone = true;
        return;
      case 'zone': {
        const zone = zones[amount % zones.length] ?? 'UTC';
        if (organization !== undefined)
          organization.clock = withTimezone(organization.clock, zone, this.#now);
        return;
      }
      case 'call':
        if (organization !== undefined) this.#call(organization, amount);
        return;
      case 'end':
        this.#end(which, amount);
        return;
      case 'tick':
        this.#now = new Date(this.#now.getTime() + amount * 20 * 60_000);
        return;
      case 'limit':
        this.#limits = { ...this.#limits, day: 100 + amount * 3, calls: 3 + (which % 5) };
    }
  }

  faults(): readonly string[] {
    const over = [...this.#stripes].flatMap(([key, stripes]) => {
      const used = stripes.reduce((sum, stripe) => sum + stripe.used, 0);
      return used > (this.#highest.get(key) ?? 0)
        ? [`${key} of the installation is over its limit: ${used}`]
        : [];
    });
    const each = [...this.#ofOrganizations].flatMap(([key, used]) =>
      used > fundedDay ? [`${key} is over the limit of its organization: ${used}`] : [],
    );
    const own = [...this.#ofQuick].flatMap(([key, used]) =>
      used > quickDay ? [`${key} is over its own budget: ${used}`] : [],
    );
    return [...over, ...each, ...own];
  }

  /** A further organization of a person begins without money. */
  #make(owner: number): void {
    const isFirst = !this.#organizations.some((one) => one.owner === owner);
    this.#organizations.push({
      id: this.#organizations.length,
      owner,
      clock: { timezone: 'UTC', heldZone: null, heldUntil: null },
      dayMicros: isFirst ? fundedDay : 0,
      isGone: false,
    });
  }

  #keyOf(period: Period, utcDay: string): string {
    if (period === 'calls') return 'calls';
    return `${period} ${period === 'day' ? utcDay : monthOf(utcDay)}`;
  }

  #stripesOf(key: string): Stripe[] {
    const known = this.#stripes.get(key);
    if (known !== undefined) return known;
    const fresh = Array.from({ length: stripeCount }, () => ({ used: 0, share: 0, sharedLimit: null }));
    this.#stripes.set(key, fresh);
    return fresh;
  }

  #call(organization: Organization, micros: number): void {
    const { id, clock, dayMicros } = organization;
    const utcDay = utcDayOf(this.#now);
    const quickKey = `${id} ${dayOf(dayZoneOf(clock, this.#now), this.#now)}`;
    const dayKey = `${id} ${utcDay}`;
    const stripe = (id * 7) % stripeCount;
    for (let isLast = false; ; isLast = true) {
      const { granted, refusal } = grantInOrder(
        [
          ownBound('day', quickDay, reservedAs(this.#ofQuick.get(quickKey))),
          ownBound('day', dayMicros, reservedAs(this.#ofOrganizations.get(dayKey))),
          ...periods.map((period) => this.#shareBound(period, utcDay, stripe)),
        ],
        [{ micros }],
      );
      if (refusal?.scope === 'installation' && !isLast) {
        this.#moveShares(utcDay, stripe, micros);
        continue;
      }
      if (refusal?.scope === 'installation') this.refusedByInstallation += 1;
      if (granted.length === 0) return;
      break;
    }
    this.granted += 1;
    this.#open.push({ organization, micros, utcDay });
    this.#ofQuick.set(quickKey, (this.#ofQuick.get(quickKey) ?? 0) + micros);
    this.#ofOrganizations.set(dayKey, (this.#ofOrganizations.get(dayKey) ?? 0) + micros);
    for (const period of periods) this.#use(period, utcDay, stripe, period === 'calls' ? 1 : micros);
  }

  /** A call costs what was put aside for it, or less. */
  #end(which: number, amount: number): void {
    const [call] = this.#open.splice(which % Math.max(1, this.#open.length), 1);
    if (call === undefined) return;
    const stripe = (call.organization.id * 7) % stripeCount;
    const unused = Math.max(0, call.micros - amount);
    this.#use('calls', call.utcDay, stripe, -1);
    this.#use('day', call.utcDay, stripe, -unused);
    this.#use('month', call.utcDay, stripe, -unused);
    const dayKey = `${call.organization.id} ${call.utcDay}`;
    this.#ofOrganizations.set(dayKey, (this.#ofOrganizations.get(dayKey) ?? 0) - unused);
  }

  #use(period: Period, utcDay: string, stripe: number, amount: number): void {
    const row = this.#stripesOf(this.#keyOf(period, utcDay))[stripe];
    if (row !== undefined) row.used += amount;
  }

  #shareBound(period: Period, utcDay: string, stripe: number): Bound {
    const row = this.#stripesOf(this.#keyOf(period, utcDay))[stripe];
    const used = row?.used ?? 0;
    const most = row?.sharedLimit === this.#limits[period] ? row.share : used;
    if (period === 'calls')
      return { limit: 'calls', scope: 'installation', mostCalls: most, usedCalls: used };
    return { ...ownBound(period, most, reservedAs(used)), scope: 'installation' };
  }

  #moveShares(utcDay: string, favoured: number, micros: number): void {
    this.moves += 1;
    for (const period of periods) {
      const key = this.#keyOf(period, utcDay);
      const stripes = this.#stripesOf(key);
      const limit = this.#limits[period];
      this.#highest.set(key, Math.max(limit, this.#highest.get(key) ?? 0));
      const used = stripes.map((row) => row.used);
      const shares = shareOut(limit, used, { favoured, wanted: period === 'calls' ? 1 : micros });
      for (const [index, row] of stripes.entries()) {
        row.share = shares[index] ?? row.used;
        row.sharedLimit = limit;
      }
    }
  }
}

const reservedAs = (micros = 0) => ({ spentMicros: 0, reservedMicros: micros });
