// Giving a number back, for good: on record first, then no more calls to it, then the provider. Every step may be repeated,
// and is, until the provider does not have it any more.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import { outsideTransactionScope } from '@parlance/observability';
import { type Actor, announceNumber, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import { lockNumber } from '../numbers/numbers-repository.js';
import { accountAt } from '../providers.js';
import { claimantOf, letGo, recordStatus } from '../purchase/claims.js';
import type { PurchaseParts } from '../purchase/purchases.js';
import type { CampaignFrom } from './campaigns-of-numbers.js';

export interface ReleaseParts
  extends Omit<
    PurchaseParts,
    'reserveMonth' | 'installation' | 'sipHost' | 'trunks' | 'doubtMs' | 'patienceMs'
  > {
  /**
   * An unfinished campaign that calls from the number, if there is one.
   * @throws AppError SERVICE_UNAVAILABLE when the dialer does not answer in time
   */
  readonly campaignFrom: CampaignFrom;
  /** Milliseconds for which a dialer may act on the answer that a number may be used. */
  readonly dialGraceMs: number;
}

/** The moment from which the answer is that the number may not be used. */
const refusedSince = ({ updated_at: updatedAt }: NumberRow): number => updatedAt.getTime();

export class Releases {
  readonly #parts: ReleaseParts;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
  }

  /**
   * From here on the number cannot be used, even after a failure. Once this is answered, no dial from it begins any
   * more. Asked again before it is gone, answers without waiting for the provider.
   * @throws AppError NUMBER_NOT_FOUND; CONFLICT while it is being bought; NUMBER_IN_USE by a campaign;
   *   SERVICE_UNAVAILABLE while the dialer does not answer; the error of the provider, and then the release is tried
   *   again
   */
  async release(organizationId: string, id: string, by: Actor): Promise<void> {
    const { row, isBegunHere } = await this.#begin(organizationId, id, by);
    if (!isBegunHere) return this.#letDialsPass(row);
    this.#parts.crash.at('release.afterRow');
    await this.resume(row);
  }

  /** Only the holder of the claim may call this. @throws AppError the error of the provider or the media server */
  async resume(row: NumberRow): Promise<void> {
    try {
      await this.#giveBack(row);
    } catch (error) {
      await letGo(this.#parts.db, claimantOf(this.#parts), row);
      throw error;
    }
  }

  /**
   * The number stays locked while the dialer is asked about it, so that `numbers.forDialing` waits for the outcome. A campaign is put down before its number is asked for: either
   * the campaign is seen here, or it finds no number.
   */
  #begin(
    organizationId: string,
    id: string,
    by: Actor,
  ): Promise<{ readonly row: NumberRow; readonly isBegunHere: boolean }> {
    const { db, clock, holder, claimMs, campaignFrom } = this.#parts;
    return db.transaction(async (tx) => {
      const locked = await lockNumber(tx, organizationId, id);
      const { status, phone_number: phoneNumber, provider } = locked;
      if (status === 'releasing') return { row: locked, isBegunHere: false };
      if (status === 'provisioning') throw new AppError('CONFLICT', { details: { status } });
      const campaignId = await outsideTransactionScope(() =>
        campaignFrom(organizationId, phoneNumber, by.requestId),
      );
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
      return { row, isBegunHere: true };
    });
  }

  /**
   * A dialer that was told a moment ago that the number may be used may still send its dial. By the end of the grace it has,
   * or asks again. Both clocks count from after the question, so that they need not show the same time.
   */
  async #letDialsPass(row: NumberRow): Promise<void> {
    const { clock, dialGraceMs } = this.#parts;
    const waitMs = refusedSince(row) + dialGraceMs - clock.now().getTime();
    // A clock that was put back must not make the wait longer.
    if (waitMs > 0) await delay(Math.min(waitMs, dialGraceMs));
  }

  async #giveBack(row: NumberRow): Promise<void> {
    const { rooms, crash } = this.#parts;
    await this.#letDialsPass(row);
    await rooms.unrouteInbound(row.phone_number);
    crash.at('release.afterUnroute');
    crash.during('release.duringRequest');
    await accountAt(this.#parts, row.provider).release(row.provider_number_id ?? '');
    crash.at('release.afterRequest');
    await this.#finish(row);
  }

  /** A number that never worked has failed, and counts as no person's release. */
  async #finish(row: NumberRow): Promise<void> {
    const { db, clock } = this.#parts;
    await db.transaction(async (tx) => {
      const status = row.failure_code === null ? 'released' : 'failed';
      const gone = await recordStatus(tx, claimantOf(this.#parts), row, { status });
      if (gone === undefined) return;
      await announceNumber(tx, this.#parts, gone);
      const about = { organizationId: row.organization_id, numberId: row.id };
      await audit(tx, clock.now(), { action: 'release.completed', ...about });
    });
  }
}
