// Giving a number back, for good: on record first, then no more calls to it, then the provider. Every step may be repeated,
// and is, until the provider does not have it any more.
import { AppError } from '@parlance/errors';
import type { NumberProvider } from '@parlance/telephony';
import { type Actor, announceNumber, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import { lockNumber } from '../numbers/numbers-repository.js';
import { type Claimant, letGo, recordStatus } from '../purchase/claims.js';
import type { PurchaseParts } from '../purchase/purchases.js';
import type { CampaignFrom } from './campaigns-of-numbers.js';

export interface ReleaseParts
  extends Omit<PurchaseParts, 'installation' | 'sipHost' | 'doubtMs' | 'patienceMs'> {
  /**
   * An unfinished campaign that calls from the number, if there is one.
   * @throws AppError SERVICE_UNAVAILABLE when nobody can say
   */
  readonly campaignFrom: CampaignFrom;
}

export class Releases {
  readonly #parts: ReleaseParts;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
  }

  /**
   * From here on the number is nobody's to use, whatever happens. Asked again before it is gone, answers at once.
   * @throws AppError NUMBER_NOT_FOUND; CONFLICT while it is being bought; NUMBER_IN_USE by a campaign;
   *   SERVICE_UNAVAILABLE when nobody can say whether it is; what the provider answers, and then it is tried again
   */
  async release(organizationId: string, id: string, by: Actor): Promise<void> {
    const row = await this.#begin(organizationId, id, by);
    if (row === undefined) return;
    this.#parts.crash.at('release.afterRow');
    await this.resume(row);
  }

  /** For who holds the claim. @throws AppError what the provider or the media server answers */
  async resume(row: NumberRow): Promise<void> {
    try {
      await this.#giveBack(row);
    } catch (error) {
      await letGo(this.#parts.db, this.#claimant(), row);
      throw error;
    }
  }

  /**
   * Undefined when it is being released already. The number stays locked while it is asked about, and whoever creates a
   * campaign of it puts that down before asking for the number: either the campaign is seen here, or it finds no number.
   */
  #begin(organizationId: string, id: string, by: Actor): Promise<NumberRow | undefined> {
    const { db, clock, holder, claimMs, campaignFrom } = this.#parts;
    return db.transaction(async (tx) => {
      const { status, phone_number: phoneNumber, provider } = await lockNumber(tx, organizationId, id);
      if (status === 'releasing') return undefined;
      if (status === 'provisioning') throw new AppError('CONFLICT', { details: { status } });
      const campaignId = await campaignFrom(organizationId, phoneNumber, by.requestId);
      if (campaignId !== null) throw new AppError('NUMBER_IN_USE', { details: { campaignId } });
      const now = clock.now();
      const { rows } = await tx.query<NumberRow>(
        `update numbers set status = 'releasing', agent_id = null, agent_name = null, agent_named_at = null,
           version = version + 1, updated_at = $2, tries = 0, next_try_at = $2, claimed_by = $3, claimed_until = $4
         where id = $1 returning *`,
        [id, now, holder, new Date(now.getTime() + claimMs)],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('a locked number is gone');
      await announceNumber(tx, this.#parts, row);
      const details = { phoneNumber, provider };
      await audit(tx, now, { action: 'release.requested', organizationId, numberId: id, by, details });
      return row;
    });
  }

  async #giveBack(row: NumberRow): Promise<void> {
    const { rooms, crash } = this.#parts;
    await rooms.unrouteInbound(row.phone_number);
    crash.at('release.afterUnroute');
    crash.during('release.duringRequest');
    await this.#providerOf(row).release(row.provider_number_id ?? '');
    crash.at('release.afterRequest');
    await this.#finish(row);
  }

  /** One that never worked has failed, and was not released by anybody. */
  async #finish(row: NumberRow): Promise<void> {
    const { db, clock } = this.#parts;
    await db.transaction(async (tx) => {
      const status = row.failure_code === null ? 'released' : 'failed';
      const gone = await recordStatus(tx, this.#claimant(), row, { status });
      if (gone === undefined) return;
      await announceNumber(tx, this.#parts, gone);
      const about = { organizationId: row.organization_id, numberId: row.id };
      await audit(tx, clock.now(), { action: 'release.completed', ...about });
    });
  }

  #providerOf({ provider }: NumberRow): NumberProvider {
    const account = this.#parts.providers.get(provider);
    if (account === undefined) throw new AppError('PROVIDER_UNAVAILABLE');
    return account;
  }

  #claimant(): Claimant {
    const { clock, holder, claimMs } = this.#parts;
    return { holder, now: clock.now(), forMs: claimMs };
  }
}
