// The number of agents that an organization may have. It bounds what one tenant stores and is not a price, so a count is believed
// for a moment: counting for each new agent would cost an organization with many agents more for each of them.
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { countAgents } from './agents-repository.js';

const believedMs = 1_000;

export class AgentLimit {
  readonly #most: number;
  readonly #clock: Clock;
  /** The agents of organizations, with those that this replica has created since they were counted. */
  #counted = new Map<string, number>();
  #believedUntil = 0;

  /** @param most agents of one organization */
  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Counts one more agent where the last count leaves room. False where `refuseOver` has to count. */
  takesOneMore(organizationId: string): boolean {
    this.#forgetOld();
    const known = this.#counted.get(organizationId);
    if (known === undefined || known >= this.#most) return false;
    this.#counted.set(organizationId, known + 1);
    return true;
  }

  /**
   * To be called after an insert. Commands that run within the same second may each find room for one more.
   * @throws AppError CONFLICT with the limit
   */
  async refuseOver(tx: Tx, organizationId: string): Promise<void> {
    if (this.takesOneMore(organizationId)) return;
    const count = await countAgents(tx, organizationId, this.#most + 1);
    if (count > this.#most) throw new AppError('CONFLICT', { details: { maxAgents: this.#most } });
    this.#counted.set(organizationId, count);
  }

  #forgetOld(): void {
    const now = this.#clock.now().getTime();
    if (now < this.#believedUntil) return;
    this.#counted = new Map();
    this.#believedUntil = now + believedMs;
  }
}
