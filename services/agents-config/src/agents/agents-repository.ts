// Agents in Postgres. Every query names the organization first; a foreign id is an unknown id.
import { events } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  type Announcing,
  changeAndAnnounce,
  type Database,
  type Keyset,
  queryAtCommit,
  type Tx,
} from '@parlance/postgres';
import { type AgentRow, agentColumns, ownColumns, withoutAnnouncements } from './agent-record.js';

export interface NewAgent {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly templateId: string | null;
  /** Null where it starts without a configuration. */
  readonly configVersion: number | null;
  readonly now: Date;
}

export interface AgentChange {
  readonly name?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly templateId?: string | null | undefined;
}

type OwnColumns = Omit<AgentRow, keyof typeof withoutAnnouncements>;

const found = (row: AgentRow | undefined): AgentRow => {
  if (row === undefined) throw new AppError('AGENT_NOT_FOUND');
  return row;
};

/** Undefined when there already is an agent with this id. */
export const insertAgent = async (
  tx: Tx,
  organizationId: string,
  agent: NewAgent,
): Promise<AgentRow | undefined> => {
  const { rows } = await tx.query<OwnColumns>({
    name: 'insert_agent',
    text: `insert into agents (id, organization_id, name, is_active, template_id, config_version, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (id) do nothing returning ${ownColumns}`,
    values: [
      ...[agent.id, organizationId, agent.name, agent.isActive, agent.templateId],
      ...[agent.configVersion, agent.now],
    ],
  });
  return rows[0] && { ...rows[0], ...withoutAnnouncements };
};

/**
 * Inserts an agent without a configuration and announces it, in one statement. Undefined when there already is an agent with this
 * id, or the organization may begin nothing; then nothing was changed.
 */
export const insertAnnouncedAgent = async (
  db: Database,
  announcing: Announcing<typeof events.agentCreated>,
  organizationId: string,
  agent: Omit<NewAgent, 'configVersion'>,
): Promise<AgentRow | undefined> => {
  const { id, name, isActive, templateId, now } = agent;
  const [row] = await changeAndAnnounce<OwnColumns, typeof events.agentCreated>(db, announcing, {
    change: {
      name: 'insert_announced_agent',
      text: `insert into agents (id, organization_id, name, is_active, template_id, created_at, updated_at)
             select $1::uuid, $2, $3, $4::boolean, $5, $6::timestamptz, $6 where organization_is_open($2)
             on conflict (id) do nothing returning ${ownColumns}`,
      values: [id, organizationId, name, isActive, templateId, now],
    },
    definition: events.agentCreated,
    organizationId,
    data: { agentId: id, name },
  });
  return row && { ...row, ...withoutAnnouncements };
};

/** The agents of an organization, counted up to a limit. */
export const countAgents = async (tx: Tx, organizationId: string, upTo: number): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>({
    name: 'count_agents',
    text: `select count(*)::int as count from (select from agents where organization_id = $1 limit $2) as counted`,
    values: [organizationId, upTo],
  });
  return rows[0]?.count ?? 0;
};

export const listAgents = async (
  tx: Tx,
  organizationId: string,
  { createdAt, id, limit }: Keyset,
): Promise<AgentRow[]> => {
  const { rows } = await tx.query<AgentRow>({
    name: 'list_agents',
    text: `select ${agentColumns} from agents
           where organization_id = $1 and (created_at, id) < ($2::timestamptz, $3::uuid)
           order by created_at desc, id desc limit $4`,
    values: [organizationId, createdAt, id, limit],
  });
  return rows;
};

/** @throws AppError AGENT_NOT_FOUND */
export const getAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<AgentRow> => {
  const { rows } = await tx.query<AgentRow>({
    name: 'get_agent',
    text: `select ${agentColumns} from agents where organization_id = $1 and id = $2`,
    values: [organizationId, agentId],
  });
  return found(rows[0]);
};

/** The same agent, locked against other changes until the transaction ends. */
export const lockAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<AgentRow> => {
  const { rows } = await tx.query<AgentRow>(
    `select ${agentColumns} from agents where organization_id = $1 and id = $2 for update`,
    [organizationId, agentId],
  );
  return found(rows[0]);
};

/** For the voice runtime, which knows agents by id alone: a random uuid that only a dispatch carries. */
export const getAgentOfAnyOrganization = async (tx: Tx, agentId: string): Promise<AgentRow> => {
  const { rows } = await tx.query<AgentRow>(`select ${agentColumns} from agents where id = $1`, [agentId]);
  return found(rows[0]);
};

export const updateAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  change: AgentChange,
  now: Date,
): Promise<AgentRow> => {
  const { rows } = await tx.query<AgentRow>(
    `update agents set
       name = coalesce($3, name),
       is_active = coalesce($4, is_active),
       template_id = case when $5 then $6 else template_id end,
       updated_at = $7
     where organization_id = $1 and id = $2 returning ${agentColumns}`,
    [
      organizationId,
      agentId,
      change.name ?? null,
      change.isActive ?? null,
      change.templateId !== undefined,
      change.templateId ?? null,
      now,
    ],
  );
  return found(rows[0]);
};

/** It stays known that the organization had the agent. */
export const deleteAgent = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  now: Date,
): Promise<AgentRow> => {
  const { rows } = await tx.query<AgentRow>(
    `with gone as (delete from agents where organization_id = $1 and id = $2 returning ${agentColumns}),
       kept as (insert into deleted_agents (id, organization_id, name, deleted_at)
                select id, organization_id, name, $3 from gone on conflict (id) do nothing)
     select * from gone`,
    [organizationId, agentId, now],
  );
  return found(rows[0]);
};

export interface AgentReference {
  readonly name: string | null;
  readonly isOrganizationKnown: boolean;
}

/** The name of an agent that may have been deleted, and whether the organization ever had one. */
export const agentReference = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
): Promise<AgentReference> => {
  const { rows } = await tx.query<AgentReference>({
    name: 'agent_reference',
    text: `select coalesce((select name from agents where organization_id = $1 and id = $2),
               (select name from deleted_agents where organization_id = $1 and id = $2)) as name,
             exists (select from agents where organization_id = $1)
               or exists (select from deleted_agents where organization_id = $1) as "isOrganizationKnown"`,
    values: [organizationId, agentId],
  });
  return rows[0] ?? { name: null, isOrganizationKnown: false };
};

/** Call this only while the agent is locked. */
export const setConfigVersion = (
  tx: Tx,
  organizationId: string,
  agentId: string,
  version: number,
  now: Date,
): Promise<void> =>
  queryAtCommit(tx, {
    text: 'update agents set config_version = $3, updated_at = $4 where organization_id = $1 and id = $2',
    values: [organizationId, agentId, version, now],
  });

/** Moves forward only: events may come late or twice. A busy agent has many calls, whose events are handled together. */
export const noteLastCall = (tx: Tx, organizationId: string, agentId: string, at: string): Promise<void> =>
  queryAtCommit(tx, {
    name: 'note_last_call',
    text: `update agents set last_call_at = $3
           where organization_id = $1 and id = $2 and (last_call_at is null or last_call_at < $3)`,
    values: [organizationId, agentId, at],
  });
