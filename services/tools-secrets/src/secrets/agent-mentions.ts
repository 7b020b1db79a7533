// Keeps the mentions of agents true. Mentions are noted before an agent is saved, so a failed save leaves mentions
// behind. A configuration that drops a mention leaves it behind too. This file therefore asks agents-config for the
// secrets that an agent mentions now.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/persistence';
import type { RpcClient } from '@parlance/rpc';
import { keepReferences, type Mentions, nextNoted } from './references.js';

export interface AgentMentionsOptions {
  readonly db: Database;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly platformToken: (organizationId: string) => Promise<string>;
}

interface Agent {
  readonly organizationId: string;
  readonly agentId: string;
}

interface Claimed extends Agent {
  readonly claim: string;
}

/** Longer than a save may take, from the note of its mentions to its end. */
const settledAfterSeconds = 20;
/** A check that its process does not finish in this time is done by another process. */
const leaseSeconds = 30;
const everyMs = 500;

/** Makes a check of the agent's mentions due now. An agent without mentions needs no check. */
export const checkMentions = async (tx: Tx, { organizationId, agentId }: Agent): Promise<void> => {
  await tx.query(
    `insert into secret_reference_checks (organization_id, agent_id, due_at)
     select $1, $2::uuid, now() where exists (
       select 1 from secret_references where organization_id = $1 and user_type = 'agent' and user_id = $2::text)
     on conflict (organization_id, agent_id)
       do update set due_at = least(secret_reference_checks.due_at, excluded.due_at), claim = null`,
    [organizationId, agentId],
  );
};

/** Makes a check of the agent's mentions due at a time when the present save has surely succeeded or failed. */
export const checkMentionsLater = async (tx: Tx, { organizationId, agentId }: Agent): Promise<void> => {
  await tx.query(
    `insert into secret_reference_checks (organization_id, agent_id, due_at)
     values ($1, $2, now() + interval '${settledAfterSeconds} seconds')
     on conflict (organization_id, agent_id) do update set due_at = excluded.due_at, claim = null`,
    [organizationId, agentId],
  );
};

const claimNext = async (db: Database): Promise<Claimed | undefined> => {
  const { rows } = await db.query<Claimed>({
    name: 'claim_secret_reference_check',
    text: `update secret_reference_checks
           set due_at = now() + interval '${leaseSeconds} seconds', claim = gen_random_uuid()
           where (organization_id, agent_id) = (
             select organization_id, agent_id from secret_reference_checks
             where due_at <= now() order by due_at limit 1 for update skip locked)
           returning organization_id as "organizationId", agent_id as "agentId", claim`,
  });
  return rows[0];
};

const noAgent: Mentions & { readonly name: string } = { ids: [], names: [], name: '' };

export class AgentMentions {
  readonly #options: AgentMentionsOptions;

  constructor(options: AgentMentionsOptions) {
    this.#options = options;
  }

  /**
   * Takes away the mentions that the agent does not make any more.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer
   */
  async refresh({ organizationId, agentId }: Agent, requestId: string): Promise<void> {
    const { db } = this.#options;
    // The number is taken before the question. Agents-config answers after the saves that were under way at the
    // question, so a mention noted before this moment is in the answer, or was never saved.
    const noted = await nextNoted(db);
    const { name, ...mentions } = await this.#ask({ organizationId, agentId }, requestId);
    const user = { type: 'agent', id: agentId, name } as const;
    await db.transaction((tx) => keepReferences(tx, organizationId, user, { ...mentions, noted }));
  }

  /** Checks every agent that is due. */
  async round(stopping: AbortSignal): Promise<void> {
    const { db } = this.#options;
    while (!stopping.aborted) {
      const claimed = await claimNext(db);
      if (claimed === undefined) return;
      await this.refresh(claimed, claimed.claim);
      await db.query(
        'delete from secret_reference_checks where organization_id = $1 and agent_id = $2 and claim = $3',
        [claimed.organizationId, claimed.agentId, claimed.claim],
      );
    }
  }

  async #ask({ organizationId, agentId }: Agent, requestId: string): Promise<Mentions & { name: string }> {
    const { rpc, platformToken } = this.#options;
    const caller = await platformToken(organizationId);
    try {
      const { data } = await rpc.call(
        serviceRequests.agentsSecretReferences,
        { body: { agentId } },
        { caller, requestId },
      );
      return data;
    } catch (error) {
      if (error instanceof AppError && error.code === 'AGENT_NOT_FOUND') return noAgent;
      throw error;
    }
  }
}

/** Starts the rounds of checks at once. */
export const startMentionChecks = (mentions: AgentMentions, logger: Logger): RunningPart =>
  startRounds({
    name: 'checks of what agents mention',
    everyMs,
    logger,
    round: (stopping) => mentions.round(stopping),
  });
