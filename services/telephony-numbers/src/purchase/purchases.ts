// Buying a number, in steps that are each on record before the next one begins. The steps are: ordering, bought,
// configured at the provider, routed at the media server, active. The process that made the row sends the request to
// buy, once. Every other process only looks for the marker, as evidence that the provider heard the request.
import type { BegunPurchase, NumberPurchaseFacts } from '@parlance/contracts';
import { AppError, type ErrorCode, isErrorCode } from '@parlance/errors';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type BuyOutcome, markerOf, type NumberProvider, type OwnedNumber } from '@parlance/telephony';
import type { InboundRules } from '../inbound-addresses.js';
import { type Actor, announceNumber, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';
import { accountAt, type Providers } from '../providers.js';
import { claimantOf, currentRow, letGo, recordStatus, recordStep, takeBegun } from './claims.js';
import type { CrashPoints } from './crash-points.js';
import { monthOf, type ReserveMonth } from './money-of-numbers.js';
import { type InsertedNumber, insertNumber, type NewNumber } from './new-number.js';

export interface PurchaseParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly providers: Providers;
  readonly rooms: Pick<MediaRooms, 'routeInbound' | 'unrouteInbound' | 'routedNumbers'>;
  /** Puts a month of the number aside before it is ordered, where the gateway is of 0.2.0. */
  readonly reserveMonth: ReserveMonth;
  readonly crash: CrashPoints;
  /** This process. */
  readonly holder: string;
  readonly installation: string;
  /** Undefined: numbers are not called. */
  readonly sipHost: string | undefined;
  readonly inboundRules: InboundRules;
  /** Undefined where the operator set up a trunk: then the platform makes none. */
  readonly trunks: { ready(account: NumberProvider): Promise<void> } | undefined;
  /** The time for which a process works on a number before another one may, in milliseconds. */
  readonly claimMs: number;
  /** The time after which a purchase without a trace at the provider counts as not made, in milliseconds. */
  readonly doubtMs: number;
  /** The time after which a number that cannot be made to work is given back, in milliseconds. */
  readonly patienceMs: number;
}

/** The state of a purchase, and its obstacle. */
interface Standing {
  readonly row: NumberRow;
  readonly waitingFor?: 'provider' | AppError;
}

/** The request of a row that is older than this is not sent at all. Others may have given the row up by then. */
const freshMs = 5_000;
/** The wait of a buyer for the delivery of an order, and for the evidence of an unanswered one. */
const deliveryPatienceMs = 8_000;
const doubtPatienceMs = 1_500;
const lookEveryMs = 150;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (text: string | null): ErrorCode => (isErrorCode(text) ? text : 'PROVIDER_ERROR');

/** The same failure, with the number that it is about: its purchase goes on without the buyer. */
const stillOpen = ({ code, retryAfterSeconds, cause }: AppError, row: NumberRow): AppError =>
  new AppError(code, {
    cause,
    details: { numberId: row.id, status: row.status },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

export class Purchases {
  readonly #parts: PurchaseParts;

  constructor(parts: PurchaseParts) {
    this.#parts = parts;
  }

  /**
   * Resolves to the number, active or still on its way there.
   * @throws AppError why it was not bought; with `details.numberId` when that is not certain
   */
  async buy(number: NewNumber, by: Actor): Promise<NumberRow> {
    const { row, owned } = await this.#insert(number, by, { awaits_money: false });
    await this.#reserve(row, owned, by.requestId);
    return this.#order(row);
  }

  /** Puts a purchase on record that orders nothing before `orderBegun`. @throws AppError why it was not begun */
  async begin(number: NewNumber, by: Actor): Promise<BegunPurchase> {
    const { row, owned } = await this.#insert(number, by, { awaits_money: true });
    return { ...monthOf(row), numbersOwned: owned };
  }

  /**
   * Orders the number of a begun purchase once the gateway has reserved its month. Undefined for one that was ordered or is over.
   * @throws AppError as `buy` does, and the refusal of the month
   */
  async orderBegun(
    organizationId: string,
    { numberId, refusal }: NumberPurchaseFacts,
  ): Promise<NumberRow | undefined> {
    const row = await takeBegun(this.#parts.db, claimantOf(this.#parts), organizationId, numberId);
    if (row === undefined) return undefined;
    if (refusal === null) return this.#order(row);
    const { code, details } = refusal;
    await this.#fail(row, code);
    throw new AppError(code, {
      details,
      ...(code === 'SERVICE_UNAVAILABLE' ? { retryAfterSeconds: 2 } : {}),
    });
  }

  async #insert(
    number: NewNumber,
    by: Actor,
    awaiting: Pick<NumberRow, 'awaits_money'>,
  ): Promise<InsertedNumber> {
    const { db, crash } = this.#parts;
    const inserted = await db.transaction((tx) =>
      insertNumber(tx, { ...number, ...awaiting }, by, claimantOf(this.#parts)),
    );
    crash.at('buy.afterRow');
    return inserted;
  }

  /** Sends the request to buy. Its month is reserved. */
  async #order(row: NumberRow): Promise<NumberRow> {
    const { db, crash } = this.#parts;
    crash.at('buy.afterReserve');
    const outcome = await this.#send(row);
    crash.at('buy.afterRequest');
    if (outcome.kind === 'refused') {
      await this.#fail(row, outcome.failure.code);
      throw outcome.failure;
    }
    const patience = outcome.kind === 'inDoubt' ? doubtPatienceMs : deliveryPatienceMs;
    const bought = outcome.kind === 'owned' ? await this.#bought(row, outcome.number) : row;
    const standing = await this.#follow(bought, patience);
    if (standing.waitingFor !== undefined) await letGo(db, claimantOf(this.#parts), standing.row);
    const reached = standing.row;
    if (reached.status === 'failed') throw new AppError(codeOf(reached.failure_code));
    if (outcome.kind === 'inDoubt' && reached.step === 'ordering') throw stillOpen(outcome.failure, reached);
    return reached;
  }

  /**
   * Goes on with a purchase that another process left, as far as possible. Only the holder of its claim may call this.
   */
  async resume(row: NumberRow): Promise<void> {
    const { db, clock, logger } = this.#parts;
    const standing = await this.#advance(row);
    if (standing.waitingFor === undefined) return;
    const age = clock.now().getTime() - standing.row.created_at.getTime();
    if (standing.waitingFor !== 'provider')
      logger.warn({ numberId: row.id, step: standing.row.step, err: standing.waitingFor }, 'purchase waits');
    if (standing.row.step !== 'ordering' && age > this.#parts.patienceMs) await this.#giveUp(standing);
    else await letGo(db, claimantOf(this.#parts), standing.row);
  }

  /**
   * Reserves the month of a new number for a gateway of 0.2.0. The reconciler never does so for a number that was left behind: either its
   * month is reserved, or nothing was ordered.
   * @throws AppError SPEND_LIMIT_REACHED, SERVICE_UNAVAILABLE; nothing is bought then
   */
  async #reserve(row: NumberRow, owned: number, requestId: string): Promise<void> {
    try {
      await this.#parts.reserveMonth(row, owned, requestId);
    } catch (error) {
      await this.#fail(row, error instanceof AppError ? error.code : 'SERVICE_UNAVAILABLE');
      throw error;
    }
  }

  async #send(row: NumberRow): Promise<BuyOutcome> {
    const { clock, crash, installation } = this.#parts;
    const provider = accountAt(this.#parts, row.provider);
    if (clock.now().getTime() - row.created_at.getTime() > freshMs) {
      await this.#fail(row, 'PROVIDER_UNAVAILABLE');
      throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 1 });
    }
    crash.during('buy.duringRequest');
    return provider.buy({ phoneNumber: row.phone_number, marker: markerOf(installation, row.id) });
  }

  /** Advances again and again while all that is missing is the provider's delivery. */
  async #follow(row: NumberRow, patienceMs: number): Promise<Standing> {
    const deadline = performance.now() + patienceMs;
    let standing = await this.#advance(row);
    while (standing.waitingFor === 'provider' && performance.now() < deadline) {
      await pause(lookEveryMs);
      standing = await this.#advance(standing.row);
    }
    return standing;
  }

  async #advance(from: NumberRow): Promise<Standing> {
    let row = from;
    try {
      while (row.status === 'provisioning') {
        const next = await this.#step(row);
        if (next === 'provider') return { row, waitingFor: next };
        const hasStayed = next.step === row.step && next.status === row.status;
        row = next;
        // Another process holds the claim by now, and goes on.
        if (hasStayed) return { row, waitingFor: 'provider' };
      }
      return { row };
    } catch (error) {
      if (error instanceof AppError) return { row, waitingFor: error };
      throw error;
    }
  }

  async #step(row: NumberRow): Promise<NumberRow | 'provider'> {
    switch (row.step) {
      case 'ordering':
        return this.#look(row);
      case 'bought':
        return this.#configure(row);
      case 'configured':
        return this.#route(row);
      default:
        return this.#activate(row);
    }
  }

  async #look(row: NumberRow): Promise<NumberRow | 'provider'> {
    const { clock, installation, doubtMs } = this.#parts;
    const purchase = await accountAt(this.#parts, row.provider).findByMarker(markerOf(installation, row.id));
    switch (purchase.kind) {
      case 'owned':
        return this.#bought(row, purchase.number);
      case 'failed':
        return this.#fail(row, 'NUMBER_UNAVAILABLE');
      case 'pending':
        return 'provider';
      case 'absent': {
        const age = clock.now().getTime() - row.created_at.getTime();
        return age > doubtMs ? this.#fail(row, 'PROVIDER_ERROR') : 'provider';
      }
    }
  }

  async #bought(row: NumberRow, number: OwnedNumber): Promise<NumberRow> {
    const { db, clock, crash } = this.#parts;
    const { providerNumberId } = number;
    const progress = { step: 'bought', providerNumberId, purchasedAt: clock.now() } as const;
    const recorded = await recordStep(db, claimantOf(this.#parts), row, progress);
    crash.at('buy.afterRecord');
    return recorded ?? this.#afterLosing(row, number);
  }

  /** Another process went on meanwhile. */
  async #afterLosing(row: NumberRow, number: OwnedNumber): Promise<NumberRow> {
    const current = await this.#current(row);
    if (current.status === 'failed') {
      const { logger } = this.#parts;
      logger.warn(
        { numberId: row.id },
        'a purchase that had been given up went through; the number goes back',
      );
      await accountAt(this.#parts, row.provider).release(number.providerNumberId);
    }
    return current;
  }

  async #configure(row: NumberRow): Promise<NumberRow> {
    const { installation, sipHost, trunks, crash } = this.#parts;
    const account = accountAt(this.#parts, row.provider);
    await trunks?.ready(account);
    if (sipHost !== undefined || trunks !== undefined) {
      const target = { name: `parlance:${installation}`, host: sipHost };
      await account.configureForSip(row.provider_number_id ?? '', target);
    }
    crash.at('buy.afterConfigure');
    return this.#recorded(row, 'configured');
  }

  async #route(row: NumberRow): Promise<NumberRow> {
    const { rooms, installation, inboundRules, crash } = this.#parts;
    const name = markerOf(installation, row.id);
    await rooms.routeInbound({ phoneNumber: row.phone_number, name, ...inboundRules });
    crash.at('buy.afterRoute');
    return this.#recorded(row, 'routed');
  }

  async #recorded(row: NumberRow, step: NumberRow['step']): Promise<NumberRow> {
    const { db } = this.#parts;
    return (await recordStep(db, claimantOf(this.#parts), row, { step })) ?? this.#current(row);
  }

  async #activate(row: NumberRow): Promise<NumberRow> {
    const active = await this.#settle(row, { status: 'active' }, 'purchase.completed');
    return active ?? this.#current(row);
  }

  /** Certainly not bought: the number is free for others, and the quote for another try. */
  async #fail(row: NumberRow, code: ErrorCode): Promise<NumberRow> {
    const failed = await this.#settle(row, { status: 'failed', failureCode: code }, 'purchase.failed');
    return failed ?? this.#current(row);
  }

  async #giveUp({ row, waitingFor }: Standing): Promise<void> {
    const failureCode = waitingFor instanceof AppError ? waitingFor.code : 'PROVIDER_ERROR';
    this.#parts.logger.error({ numberId: row.id, step: row.step, failureCode }, 'a number is given back');
    await this.#settle(row, { status: 'releasing', failureCode }, 'purchase.givenUp');
  }

  #settle(
    row: NumberRow,
    settled: { readonly status: 'active' | 'failed' | 'releasing'; readonly failureCode?: ErrorCode },
    action: 'purchase.completed' | 'purchase.failed' | 'purchase.givenUp',
  ): Promise<NumberRow | undefined> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const changed = await recordStatus(tx, claimantOf(this.#parts), row, settled);
      if (changed === undefined) return undefined;
      if (settled.status === 'failed')
        await tx.query('delete from used_quotes where number_id = $1', [row.id]);
      await announceNumber(tx, this.#parts, changed);
      const { failureCode } = settled;
      const about = { organizationId: row.organization_id, numberId: row.id };
      await audit(tx, clock.now(), { action, ...about, details: failureCode ? { failureCode } : {} });
      return changed;
    });
  }

  async #current(row: NumberRow): Promise<NumberRow> {
    return (await currentRow(this.#parts.db, row.id)) ?? row;
  }
}
