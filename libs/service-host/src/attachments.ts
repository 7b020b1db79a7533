// Things that a service gives to agents and takes away from them: tools, connections. Each change is announced with the number
// that the agent then has.
import { AppError } from '@parlance/errors';
import type { Clock, Ids } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';

export interface AttachmentTables {
  /** Rows of agents: `agent_id`, `organization_id`, `version`, `is_deleted`. */
  readonly agents: string;
  /** Rows of attachments: `agent_id`, `organization_id`, `attached_at`, and the id of the thing. */
  readonly attachments: string;
  /** The column with the id of the thing. */
  readonly thing: string;
}

export interface AttachmentParts {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The number of things that an agent has. The higher version holds. */
export interface AttachedCount {
  readonly agentId: string;
  readonly count: number;
  readonly version: number;
}

export interface AttachmentRules {
  readonly tables: AttachmentTables;
  /** The most things that one agent has, and the name of this limit in an error. */
  readonly limit: { readonly name: string; readonly most: number };
  /** Announces a change in the transaction that makes it. */
  announce(tx: Tx, parts: AttachmentParts, organizationId: string, count: AttachedCount): Promise<void>;
}

export interface Attachment {
  readonly agentId: string;
  readonly thingId: string;
}

/** The names of tables are those of the service's own migrations, and never of a request. */
export class Attachments {
  readonly #rules: AttachmentRules;

  constructor(rules: AttachmentRules) {
    this.#rules = rules;
  }

  /**
   * Attaches the thing to the agent. A second call changes nothing.
   * @throws AppError AGENT_NOT_FOUND for an agent that was deleted; CONFLICT with the limit
   */
  async attach(
    tx: Tx,
    parts: AttachmentParts,
    organizationId: string,
    { agentId, thingId }: Attachment,
  ): Promise<void> {
    const { tables, limit } = this.#rules;
    await tx.query(
      `insert into ${tables.agents} (agent_id, organization_id) values ($1, $2) on conflict (agent_id) do nothing`,
      [agentId, organizationId],
    );
    const { rows } = await tx.query<{ is_deleted: boolean }>(
      `select is_deleted from ${tables.agents} where organization_id = $1 and agent_id = $2 for update`,
      [organizationId, agentId],
    );
    if (rows[0]?.is_deleted !== false) throw new AppError('AGENT_NOT_FOUND');
    const { rowCount } = await tx.query(
      `insert into ${tables.attachments} (agent_id, ${tables.thing}, organization_id, attached_at)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [agentId, thingId, organizationId, parts.clock.now()],
    );
    if (rowCount === 0) return;
    if ((await this.#countOf(tx, organizationId, agentId)) > limit.most)
      throw new AppError('CONFLICT', { details: { [limit.name]: limit.most } });
    await this.#announce(tx, parts, organizationId, agentId);
  }

  /** True when the agent had the thing. */
  async detach(
    tx: Tx,
    parts: AttachmentParts,
    organizationId: string,
    { agentId, thingId }: Attachment,
  ): Promise<boolean> {
    const { attachments, thing } = this.#rules.tables;
    await this.#holdAgents(tx, organizationId, [agentId]);
    const { rowCount } = await tx.query(
      `delete from ${attachments} where organization_id = $1 and agent_id = $2 and ${thing} = $3`,
      [organizationId, agentId, thingId],
    );
    if (rowCount > 0) await this.#announce(tx, parts, organizationId, agentId);
    return rowCount > 0;
  }

  /** Takes the thing away from every agent. The caller holds the thing's row. */
  async detachFromAll(
    tx: Tx,
    parts: AttachmentParts,
    organizationId: string,
    thingId: string,
  ): Promise<void> {
    const { attachments, thing } = this.#rules.tables;
    const { rows } = await tx.query<{ agent_id: string }>(
      `select agent_id from ${attachments} where organization_id = $1 and ${thing} = $2 order by agent_id`,
      [organizationId, thingId],
    );
    const agentIds = rows.map((row) => row.agent_id);
    await this.#holdAgents(tx, organizationId, agentIds);
    await tx.query(`delete from ${attachments} where organization_id = $1 and ${thing} = $2`, [
      organizationId,
      thingId,
    ]);
    for (const agentId of agentIds) await this.#announce(tx, parts, organizationId, agentId);
  }

  /** A deleted agent loses its things. Nothing is announced, because their number is gone with the agent. */
  async forgetAgent(tx: Tx, organizationId: string, agentId: string): Promise<void> {
    const { agents, attachments } = this.#rules.tables;
    await tx.query(
      `insert into ${agents} (agent_id, organization_id, is_deleted) values ($1, $2, true)
       on conflict (agent_id) do update set is_deleted = true where ${agents}.organization_id = $2`,
      [agentId, organizationId],
    );
    await tx.query(`delete from ${attachments} where organization_id = $1 and agent_id = $2`, [
      organizationId,
      agentId,
    ]);
  }

  /** Locks the agents' rows against other changes of their things, in one order, so that two changes never deadlock. */
  async #holdAgents(tx: Tx, organizationId: string, agentIds: readonly string[]): Promise<void> {
    await tx.query(
      `select 1 from ${this.#rules.tables.agents}
       where organization_id = $1 and agent_id = any($2::uuid[]) order by agent_id for update`,
      [organizationId, agentIds],
    );
  }

  async #countOf(tx: Tx, organizationId: string, agentId: string): Promise<number> {
    const { rows } = await tx.query<{ count: number }>(
      `select count(*)::int as count from ${this.#rules.tables.attachments}
       where organization_id = $1 and agent_id = $2`,
      [organizationId, agentId],
    );
    return rows[0]?.count ?? 0;
  }

  async #announce(tx: Tx, parts: AttachmentParts, organizationId: string, agentId: string): Promise<void> {
    const { rows } = await tx.query<{ version: number }>(
      `update ${this.#rules.tables.agents} set version = version + 1
       where organization_id = $1 and agent_id = $2 returning version`,
      [organizationId, agentId],
    );
    const [row] = rows;
    if (row === undefined) return;
    const count = await this.#countOf(tx, organizationId, agentId);
    await this.#rules.announce(tx, parts, organizationId, { agentId, count, version: row.version });
  }
}
