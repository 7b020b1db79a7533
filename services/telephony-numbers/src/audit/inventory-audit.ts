// The hourly audit of the inventory compares the numbers at each provider with the numbers on record. It goes by the
// marker on every bought number. Numbers without a marker of this installation are left alone.
import type { Provider } from '@parlance/contracts';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { type NumberProvider, type OwnedNumber, purchaseOf } from '@parlance/telephony';
import { audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import type { Providers } from '../providers.js';

export interface AuditParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly providers: Providers;
  readonly installation: string;
  /** An orphan is given back when it has been one for so long. */
  readonly orphanPatienceMs: number;
}

/** The differences at one provider. */
export interface Findings {
  readonly provider: Provider;
  /** At the provider, bought by this installation, and not on record: the operator pays for it in vain. */
  readonly orphans: readonly OwnedNumber[];
  /** Active on record, and not at the provider: no call can use it. */
  readonly ghosts: readonly OwnedNumber[];
}

type KnownNumber = Pick<NumberRow, 'id' | 'status' | 'phone_number' | 'provider_number_id'>;

/** Pure. A number that is being bought or given back is neither, because its fate is not decided yet. */
export const compare = (
  installation: string,
  owned: readonly OwnedNumber[],
  known: readonly KnownNumber[],
): Omit<Findings, 'provider'> => {
  const rows = new Map(known.map((row) => [row.id, row]));
  const ownedIds = new Set(owned.map(({ providerNumberId }) => providerNumberId));
  const isOrphan = ({ marker, providerNumberId }: OwnedNumber): boolean => {
    const purchaseId = purchaseOf(installation, marker);
    if (purchaseId === undefined) return false;
    const row = rows.get(purchaseId);
    return row === undefined || (row.provider_number_id ?? providerNumberId) !== providerNumberId;
  };
  return {
    orphans: owned.filter(isOrphan),
    ghosts: known.flatMap(({ status, provider_number_id: providerNumberId, phone_number: phoneNumber }) =>
      status === 'active' && providerNumberId !== null && !ownedIds.has(providerNumberId)
        ? [{ providerNumberId, phoneNumber, marker: null }]
        : [],
    ),
  };
};

const record = async (
  tx: Tx,
  provider: Provider,
  kind: 'orphan' | 'ghost',
  found: readonly OwnedNumber[],
  now: Date,
): Promise<void> => {
  for (const { providerNumberId, phoneNumber, marker } of found)
    await tx.query(
      `insert into inventory_findings
         (provider, kind, provider_number_id, phone_number, marker, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (provider, kind, provider_number_id) do update set last_seen_at = excluded.last_seen_at`,
      [provider, kind, providerNumberId, phoneNumber, marker, now],
    );
};

/** Findings of the last audit, for readiness. */
export const countFindings = async (db: Tx): Promise<number> => {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from inventory_findings');
  return rows[0]?.count ?? 0;
};

export class InventoryAudit {
  readonly #parts: AuditParts;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** The findings of every provider. A provider that cannot be asked is left out, and its earlier findings stay. */
  async run(): Promise<readonly Findings[]> {
    const { providers, logger } = this.#parts;
    const all: Findings[] = [];
    for (const provider of providers.values()) {
      try {
        all.push(await this.#auditOf(provider));
      } catch (err) {
        logger.warn({ err, provider: provider.provider }, 'the inventory cannot be audited');
      }
    }
    return all;
  }

  async #auditOf(account: NumberProvider): Promise<Findings> {
    const { db, clock, logger, installation } = this.#parts;
    const { provider } = account;
    // Rows are read before and after: a number that is bought or given back while the provider lists is no finding.
    const before = await this.#known(provider);
    const owned = await account.listOwned();
    const after = await this.#known(provider);
    const earlier = compare(installation, owned, before);
    const later = compare(installation, owned, after);
    const both = (one: readonly OwnedNumber[], other: readonly OwnedNumber[]): OwnedNumber[] =>
      one.filter(({ providerNumberId }) =>
        other.some((number) => number.providerNumberId === providerNumberId),
      );
    const orphans = both(earlier.orphans, later.orphans);
    const ghosts = both(earlier.ghosts, later.ghosts);
    const now = clock.now();
    await db.transaction(async (tx) => {
      await record(tx, provider, 'orphan', orphans, now);
      await record(tx, provider, 'ghost', ghosts, now);
      await tx.query('delete from inventory_findings where provider = $1 and last_seen_at < $2', [
        provider,
        now,
      ]);
    });
    const counts = { provider, owned: owned.length, orphans: orphans.length, ghosts: ghosts.length };
    if (orphans.length + ghosts.length > 0) logger.error(counts, 'the inventory is not as it should be');
    else logger.info(counts, 'the inventory is as it should be');
    await this.#giveBack(account, orphans, now);
    return { provider, orphans, ghosts };
  }

  async #known(provider: Provider): Promise<KnownNumber[]> {
    const { rows } = await this.#parts.db.query<KnownNumber>(
      `select id, status, phone_number, provider_number_id from numbers
       where provider = $1 and status in ('provisioning', 'active', 'releasing')`,
      [provider],
    );
    return rows;
  }

  /** Orphans that were seen by an audit long ago and are still there. */
  async #giveBack(account: NumberProvider, orphans: readonly OwnedNumber[], now: Date): Promise<void> {
    const { db, logger, orphanPatienceMs } = this.#parts;
    for (const { providerNumberId, phoneNumber, marker } of orphans) {
      const { rowCount } = await db.query(
        `select 1 from inventory_findings
         where provider = $1 and kind = 'orphan' and provider_number_id = $2 and first_seen_at <= $3`,
        [account.provider, providerNumberId, new Date(now.getTime() - orphanPatienceMs)],
      );
      if (rowCount === 0) continue;
      await account.release(providerNumberId);
      logger.warn({ provider: account.provider, providerNumberId }, 'an orphan was given back');
      const details = { provider: account.provider, phoneNumber, providerNumberId, marker };
      await audit(db, now, { action: 'orphan.released', organizationId: '', numberId: null, details });
    }
  }
}

const everyMs = 3_600_000;
const firstAfterMs = 60_000;

/** Audits every hour, in one of the copies. */
export const startHourlyAudit = (inventory: InventoryAudit, { db, logger }: AuditParts): RunningPart =>
  startRounds({
    name: 'inventory audit',
    firstAfterMs,
    everyMs,
    logger,
    round: async () => {
      const lock = await db.tryLock('number-inventory-audit');
      if (lock === undefined) return;
      try {
        await inventory.run();
      } finally {
        await lock.release();
      }
    },
  });
