// Giving a number back, for good: on record first, then no more calls to it, then the provider. Every step may be repeated,
// and is, until the provider does not have it any more.
import { setTimeout as delay } from 'node:timers/promises';
import type { NumberReleaseFacts } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { outsideTransactionScope } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { type Actor, announceNumber, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import { lockNumber } from '../numbers/numbers-repository.js';
import { accountAt } from '../providers.js';
import { claimantOf, letGo, recordStatus } from '../purchase/claims.js';
import type { PurchaseParts } from '../purchase/purchases.js';
import type { CampaignFrom } from './campaigns-of-numbers.js';
import { endHold } from './holds.js';

export interface ReleaseParts
  extends Omit<
    PurchaseParts,
    'reserveMonth' | 'installation' | 'sipHost' | 'trunks' | 'doubtMs' | 'patienceMs'
  > {
  /**
   * An unfinished campaign that calls from the number, if there is one; for a gateway of 0.2.0.
   * @throws AppError SERVICE_UNAVAILABLE when the dialer does not answer in time
   */
  readonly campaignFrom: CampaignFrom;
  /** Milliseconds for which a dialer may act on the answer that a number may be used. */
  readonly dialGraceMs: number;
}

type Begun = { readonly row: NumberRow; readonly isBegunHere: boolean } | { readonly refusal: AppError };

const inUseBy = (campaignId: string): Begun => ({
  refusal: new AppError('NUMBER_IN_USE', { details: { campaignId } }),
});

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
   * @param facts of the gateway, since the number was held; one of 0.2.0 sends none
   * @throws AppError NUMBER_NOT_FOUND; CONFLICT while it is being bought; NUMBER_IN_USE by a campaign;
   *   SERVICE_UNAVAILABLE while the dialer does not answer; the error of the provider, and then the release is tried
   *   again
   */
  async release(
    organizationId: string,
    id: string,
    by: Actor,
    facts: NumberReleaseFacts | undefined,
  ): Promise<void> {
    const begun =
      facts === undefined
        ? await this.#begin(organizationId, id, by)
        : await this.#beginHeld(organizationId, id, by, facts);
    // Thrown here, because the end of a hold is to be committed.
    if ('refusal' in begun) throw begun.refusal;
    const { row, isBegunHere } = begun;
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
   * For a gateway of 0.2.0. The number stays locked while the dialer is requested about it, so that `numbers.forDialing` waits for the
   * outcome.
   */
  #begin(organizationId: string, id: string, by: Actor): Promise<Begun> {
    const { db, campaignFrom } = this.#parts;
    return db.transaction(async (tx) => {
      const locked = await this.#lock(tx, organizationId, id);
      if (locked.status === 'releasing') return { row: locked, isBegunHere: false };
      const campaignId = await outsideTransactionScope(() =>
        campaignFrom(organizationId, locked.phone_number, by.requestId),
      );
      return campaignId === null ? this.#mark(tx, locked, by) : inUseBy(campaignId);
    });
  }

  /** The gateway has looked for campaigns since the number was held. @throws AppError SERVICE_UNAVAILABLE after the hold */
  #beginHeld(
    organizationId: string,
    id: string,
    by: Actor,
    { holdId, campaign }: NumberReleaseFacts,
  ): Promise<Begun> {
    return this.#parts.db.transaction(async (tx) => {
      const locked = await this.#lock(tx, organizationId, id);
      if (locked.status === 'releasing') return { row: locked, isBegunHere: false };
      const isHeld = await endHold(tx, id, holdId);
      if (!isHeld || campaign === null)
        return { refusal: new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 }) };
      return campaign.id === null ? this.#mark(tx, locked, by) : inUseBy(campaign.id);
    });
  }

  async #lock(tx: Tx, organizationId: string, id: string): Promise<NumberRow> {
    const locked = await lockNumber(tx, organizationId, id);
    const { status } = locked;
    if (status === 'provisioning') throw new AppError('CONFLICT', { details: { status } });
    return locked;
  }

  async #mark(tx: Tx, locked: NumberRow, by: Actor): Promise<Begun> {
    const { clock, holder, claimMs } = this.#parts;
    const { id, organization_id: organizationId, phone_number: phoneNumber, provider } = locked;
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
