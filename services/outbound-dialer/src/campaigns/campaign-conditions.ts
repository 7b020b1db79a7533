// The conditions of every call of a campaign: its agent, its number, its organization's rules. The neighbours answer,
// and their answers are remembered for a few seconds.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { AskNumbers } from '../attempt/caller-numbers.js';
import type { PlacingCampaign } from '../dispatch/place-recipient.js';
import type { PauseReason } from '../domain/campaign/campaign-events.js';
import { type AskSettings, type SettingsInForce, settingsOf } from '../limits/organization-settings.js';
import { allowedCountries } from '../rules/destinations.js';
import type { OpenCampaign } from './open-campaigns.js';

export interface ConditionsParts {
  readonly db: Database;
  /** @throws AppError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED; SERVICE_UNAVAILABLE */
  readonly askAgent: (organizationId: string, agentId: string) => Promise<unknown>;
  readonly askSettings: AskSettings;
  readonly askNumbers: AskNumbers;
  readonly everybodys: readonly string[];
  readonly clock: Clock;
}

export type Conditions =
  | {
      readonly kind: 'fit';
      readonly campaign: PlacingCampaign;
      /** Account that owns the caller's number. */
      readonly provider: Provider | null;
      readonly settings: SettingsInForce;
      readonly countries: readonly string[];
    }
  | { readonly kind: 'unfit'; readonly reason: PauseReason };

const freshMs = 5_000;
const unfitCodes: readonly string[] = ['AGENT_NOT_FOUND', 'AGENT_INACTIVE', 'AGENT_NOT_CONFIGURED'];

interface Remembered {
  readonly at: number;
  readonly isFit: boolean;
}

export class CampaignConditions {
  readonly #parts: ConditionsParts;
  readonly #agents = new Map<string, Remembered>();

  constructor(parts: ConditionsParts) {
    this.#parts = parts;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when a neighbour has never answered */
  async of({ id, organizationId, state }: OpenCampaign): Promise<Conditions> {
    const { db, askSettings, askNumbers, everybodys, clock } = this.#parts;
    const { created, personal } = state;
    // The organization was forgotten: there is no number to call from any more.
    if (personal === null) return { kind: 'unfit', reason: 'number_unavailable' };
    const { fromNumber } = personal;
    const [isAgentFit, settings, numbers] = await Promise.all([
      this.#isAgentFit(organizationId, created.agentId),
      settingsOf(db, askSettings, organizationId, clock.now()),
      askNumbers(organizationId, fromNumber),
    ]);
    if (!isAgentFit) return { kind: 'unfit', reason: 'agent_unavailable' };
    if (numbers.number === null) return { kind: 'unfit', reason: 'number_unavailable' };
    const { provider } = numbers.number;
    const countries = allowedCountries({ settings, ownCountries: numbers.countries, everybodys });
    return { kind: 'fit', campaign: { id, created, personal }, provider, settings, countries };
  }

  /** Forgets the answers about agents that no campaign asked for lately. */
  forgetOld(): void {
    const now = this.#parts.clock.now().getTime();
    for (const [id, { at }] of this.#agents) if (now - at > 60 * freshMs) this.#agents.delete(id);
  }

  /** The last known answer holds while agents-config cannot be asked. */
  async #isAgentFit(organizationId: string, agentId: string): Promise<boolean> {
    const now = this.#parts.clock.now().getTime();
    const known = this.#agents.get(agentId);
    if (known !== undefined && now - known.at < freshMs) return known.isFit;
    try {
      await this.#parts.askAgent(organizationId, agentId);
      this.#agents.set(agentId, { at: now, isFit: true });
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!unfitCodes.includes(error.code)) {
        if (known === undefined) throw error;
        return known.isFit;
      }
      this.#agents.set(agentId, { at: now, isFit: false });
      return false;
    }
  }
}
