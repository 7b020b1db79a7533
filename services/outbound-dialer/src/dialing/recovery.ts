// Looks after attempts that nobody looks after: left behind by a process that died, in doubt, cancelled while they rang,
// or connected for so long that the news of their end may have got lost. Runs on start and then all the time.
import type { CallFacts } from '@parlance/contracts';
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
import {
  type ConnectedCall,
  claimConnected,
  claimUnattended,
  findHangUps,
  forgetOldClaims,
} from './dial-claims.js';
import type { InDoubtProtocol, ProtocolParts } from './in-doubt-protocol.js';

export interface RecoveryParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
  readonly protocol: Pick<InDoubtProtocol, 'recover' | 'settle'>;
  readonly askCalls: ProtocolParts['askCalls'];
}

const everyMs = 2_000;
const atOnce = 8;
/** Rows of one kind in one round; what is left comes in the next. */
const batch = 200;

export class Recovery implements RunningPart {
  readonly name = 'recovery';
  readonly #parts: RecoveryParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#round = this.#runRound().finally(() => {
      if (this.#isStopping) return;
      this.#timer = setTimeout(() => this.start(), everyMs);
      this.#timer.unref();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #runRound(): Promise<void> {
    const { db, clock, holder, logger } = this.#parts;
    try {
      const claimant = { holder, now: clock.now() };
      await this.#each(await findHangUps(db, batch), (id) => this.#parts.protocol.recover(id));
      const unattended = await claimUnattended(db, claimant, { limit: batch, forMs: everyMs / 2 });
      await this.#each(unattended, (id) => this.#parts.protocol.recover(id));
      await this.#askForEnds(await claimConnected(db, claimant, batch));
      await forgetOldClaims(db, claimant);
    } catch (err) {
      logger.warn({ err }, 'recovery has to wait');
    }
  }

  /** One call that cannot be recovered now must not keep the others from it. */
  async #each<T>(items: readonly T[], recover: (item: T) => Promise<void>): Promise<void> {
    const waiting = [...items];
    const worker = async (): Promise<void> => {
      for (let item = waiting.shift(); item !== undefined && !this.#isStopping; item = waiting.shift()) {
        await recover(item).catch((err: unknown) =>
          this.#parts.logger.warn({ err }, 'recovery of a call has to wait'),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, worker));
  }

  async #askForEnds(connected: readonly ConnectedCall[]): Promise<void> {
    const idOf = new Map(connected.map(({ id, callId }) => [callId, id]));
    for (const organizationId of new Set(connected.map((call) => call.organizationId))) {
      const own = connected.filter((call) => call.organizationId === organizationId);
      await this.#each(await this.#factsOf(organizationId, own), async (facts) => {
        const id = idOf.get(facts.callId);
        if (id !== undefined) await this.#parts.protocol.settle(id, facts);
      });
    }
  }

  async #factsOf(organizationId: string, calls: readonly ConnectedCall[]): Promise<readonly CallFacts[]> {
    try {
      return await this.#parts.askCalls(
        organizationId,
        calls.map(({ callId }) => callId),
      );
    } catch (err) {
      this.#parts.logger.warn({ err }, 'calls-logs could not be asked how calls ended');
      return [];
    }
  }
}
