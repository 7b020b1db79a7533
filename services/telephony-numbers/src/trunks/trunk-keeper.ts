// Makes the trunk of each provider account, and keeps it. To it belong the provider's side that takes our calls,
// credentials that both sides know, and the trunk at the media server. Every step may be repeated, by any process.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { OutboundTrunk, OutboundTrunks, TrunkRoute } from '@parlance/media-rooms';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Lock } from '@parlance/postgres';
import {
  type NumberProvider,
  newSipCredential,
  ProviderFailure,
  type Termination,
} from '@parlance/telephony';
import type { Providers } from '../providers.js';
import type { CrashPoints } from '../purchase/crash-points.js';
import { placeOf, type SipPlaces } from './sip-place.js';
import { fittingTrunk, isAsRecorded } from './trunk-plan.js';
import {
  connectedNumbers,
  forgetTrunk,
  recordInOrder,
  recordTrouble,
  recordTrunk,
  type TrunkRow,
  trunkRow,
  trunkRows,
} from './trunk-rows.js';
import { troubleOf } from './trunk-trouble.js';

export interface KeeperParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly providers: Providers;
  readonly trunks: OutboundTrunks;
  readonly crash: CrashPoints;
  readonly installation: string;
  /** Undefined: numbers are not called. */
  readonly sipHost: string | undefined;
  readonly places: SipPlaces;
}

/** The media server is looked at all the time. After the loss of its Redis it has no trunks, and does not say so. */
const everyMs = 3_000;
const lockName = 'outbound-trunks';
const hourMs = 3_600_000;
const againMs = { forPeople: 60_000, else: 5_000 };
/** The longest that a purchase waits for the process that makes the trunk. */
const patienceMs = 4_000;
const lookEveryMs = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const isGone = (error: unknown): boolean => error instanceof ProviderFailure && error.answeredWith === 404;

export class TrunkKeeper {
  readonly #parts: KeeperParts;
  #troubles: readonly string[] = [];

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Keeps the trunk of every account, except where another process does so now. */
  async round(): Promise<void> {
    const { db, providers } = this.#parts;
    const lock = await db.tryLock(lockName);
    if (lock !== undefined)
      await this.#under(lock, async () => {
        for (const account of providers.values()) await this.#keep(account);
      });
    const rows = await trunkRows(db);
    this.#troubles = rows.flatMap(({ provider, trouble }) =>
      trouble !== null && providers.has(provider) ? [trouble] : [],
    );
  }

  /** The reason why calls through a provider are impossible or uncertain. */
  trouble(): string | undefined {
    return this.#troubles.length === 0 ? undefined : this.#troubles.join('; ');
  }

  /**
   * Resolves when calls can leave through the provider, and its numbers can be connected.
   * @throws AppError PROVIDER_UNAVAILABLE when that is not so now
   */
  async ready(account: NumberProvider): Promise<void> {
    const { db, clock } = this.#parts;
    const deadline = performance.now() + patienceMs;
    do {
      const row = await trunkRow(db, account.provider, clock.now());
      if (row.trunk_id !== null && row.termination_id !== null) return;
      if (row.trouble !== null && row.next_check_at > clock.now()) break;
      const lock = await db.tryLock(lockName);
      if (lock === undefined) await pause(lookEveryMs);
      else await this.#under(lock, () => this.#keep(account));
    } while (performance.now() < deadline);
    throw new AppError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5 });
  }

  async #under(lock: Lock, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } finally {
      await lock.release();
    }
  }

  /** One account that is in trouble must not keep the others from their trunks. */
  async #keep(account: NumberProvider): Promise<void> {
    const { db, clock, logger } = this.#parts;
    const { provider } = account;
    const row = await trunkRow(db, provider, clock.now());
    try {
      await this.#keepAt(account, row);
    } catch (err) {
      const told = troubleOf(provider, err);
      if (told === undefined) throw err;
      const { trouble, advice, isForPeople } = told;
      if (trouble !== row.trouble) logger.error({ err, provider }, advice);
      const now = clock.now();
      const waitMs = isForPeople ? againMs.forPeople : againMs.else;
      await recordTrouble(db, provider, { trouble, now, nextCheckAt: new Date(now.getTime() + waitMs) });
    }
  }

  async #keepAt(account: NumberProvider, found: TrunkRow): Promise<void> {
    const { db, clock, trunks, installation, logger } = this.#parts;
    const { provider } = account;
    const isDue = found.next_check_at <= clock.now();
    if (found.trunk_id === null && !isDue) return;
    const seen = (await trunks.list(installation)).filter((trunk) => trunk.provider === provider);
    const isKept = isAsRecorded(found, seen);
    if (isKept && !isDue) return;
    if (found.trunk_id !== null && !isKept) {
      logger.warn({ provider }, 'the trunk at the media server is gone or changed, and is made again');
      await forgetTrunk(db, provider, clock.now());
    }
    await this.#mend(account, found, seen);
  }

  async #mend(account: NumberProvider, row: TrunkRow, seen: readonly OutboundTrunk[]): Promise<void> {
    const { db, clock, crash, places, trunks } = this.#parts;
    const { provider } = account;
    const termination = await account.openTermination(this.#target());
    crash.at('trunk.afterTermination');
    const place = placeOf(places, provider, termination.host);
    // Where the provider does not tell of a new password, a call that was turned away is the only sign of it.
    const isDoubted = row.suspected_at !== null && !termination.tellsOfPasswords;
    const fitting = isDoubted ? undefined : fittingTrunk(seen, place, termination, row.trunk_id);
    const kept = fitting ?? (await this.#renew(account, place, seen));
    await recordTrunk(db, provider, kept, clock.now());
    for (const { trunkId } of seen) if (trunkId !== kept.trunkId) await trunks.remove(trunkId);
    await account.dropCredentials(this.#target(), kept.credential);
    await this.#connectNumbers(account, row, termination);
    const now = clock.now();
    const nextCheckAt = new Date(now.getTime() + hourMs);
    await recordInOrder(db, row, { terminationId: termination.id, now, nextCheckAt });
  }

  /** New credentials, at the provider first: a trunk that it turns away is seen as such, whenever this process dies. */
  async #renew(
    account: NumberProvider,
    place: Pick<TrunkRoute, 'address' | 'transport'>,
    seen: readonly OutboundTrunk[],
  ): Promise<TrunkRoute & { readonly trunkId: string }> {
    const { crash, trunks, installation, logger } = this.#parts;
    const { provider } = account;
    const { username, password } = newSipCredential();
    const credential = await account.addCredential(this.#target(), { username, password });
    crash.at('trunk.afterCredential');
    const route = { ...place, username, credential };
    const trunkId = await trunks.put({ ...route, installation, provider, password }, seen[0]?.trunkId);
    crash.at('trunk.afterPut');
    logger.info({ provider, trunkId, address: place.address }, 'the trunk of a provider has new credentials');
    return { ...route, trunkId };
  }

  /** Connects the numbers again when the provider's side was made anew: the new side has none of them. */
  async #connectNumbers(account: NumberProvider, row: TrunkRow, { id }: Termination): Promise<void> {
    if (row.termination_id === id) return;
    for (const providerNumberId of await connectedNumbers(this.#parts.db, row.provider)) {
      try {
        await account.configureForSip(providerNumberId, this.#target());
      } catch (error) {
        // The inventory reports a number that the provider does not have.
        if (!isGone(error)) throw error;
      }
    }
  }

  #target() {
    const { installation, sipHost } = this.#parts;
    return { name: `parlance:${installation}`, host: sipHost };
  }
}

export const startTrunkKeeping = (
  keeper: TrunkKeeper,
  { db, logger }: Pick<KeeperParts, 'db' | 'logger'>,
): RunningPart => {
  const { activity } = db;
  const rounds = startRounds({
    ...{ name: 'outbound trunks', everyMs, activity, logger },
    round: () => keeper.round(),
  });
  return { ...rounds, trouble: () => keeper.trouble() ?? rounds.trouble?.() };
};

/** The view of the trunks for the dial and for a purchase. */
export interface Trunks {
  /** The media server's trunk for calls through the provider; null while there is none. */
  idFor(provider: Provider): Promise<string | null>;
  /** @throws AppError PROVIDER_UNAVAILABLE while numbers of the account cannot be connected */
  ready(account: NumberProvider): Promise<void>;
}
