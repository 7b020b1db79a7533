// Questions to the read model. All but the platform's own are asked within one organization.
import type { CallStatus, OutboundCallMode } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import type { Attempt } from '../domain/outbound-call/outbound-call-state.js';
import { attemptsOf, type Known } from '../domain/outbound-call/outbound-call-view.js';
import { subjectOfCall } from '../personal-data/forget-calls.js';

export interface ListFilters {
  readonly agentId?: string | undefined;
  readonly status?: CallStatus | undefined;
  readonly mode?: OutboundCallMode | undefined;
  readonly campaignId?: string | undefined;
}

/** Sort key of a row: newest first, the id decides between equals. */
export interface ListPosition {
  readonly createdAt: string;
  readonly id: string;
}

export interface Listed {
  readonly id: string;
  readonly state: Known;
}

interface Row extends Listed {
  /** Null where the call was erased, or where an older release left it in the state. */
  readonly personal: string | null;
}

const opened = async (
  personalData: Pick<PersonalData, 'open'>,
  { id, state, personal }: Row,
): Promise<Listed> => {
  if (personal === null) return { id, state };
  // The projection or the sealing job wrote it.
  const found = (await personalData.open(subjectOfCall(id), personal)) as Known['personal'];
  return { id, state: { ...state, personal: found } };
};

/** Lists up to `limit` calls after `after`. */
export const listOutboundCalls = async (
  { db, personalData }: { readonly db: Tx; readonly personalData: Pick<PersonalData, 'open'> },
  organizationId: string,
  { agentId, status, mode, campaignId }: ListFilters,
  page: { readonly limit: number; readonly after?: ListPosition | undefined },
): Promise<Listed[]> => {
  const { rows } = await db.query<Row>(
    `select id, state, personal from outbound_calls
     where organization_id = $1
       and ($2::uuid is null or agent_id = $2)
       and ($3::text is null or status = $3)
       and ($4::text is null or mode = $4)
       and ($5::timestamptz is null or (created_at, id) < ($5, $6::uuid))
       and ($8::text is null or (mode = 'batch' and state -> 'placed' ->> 'campaignId' = $8))
       and not exists (select from deleted_outbound_calls d where d.outbound_call_id = outbound_calls.id)
     order by created_at desc, id desc
     limit $7`,
    [
      organizationId,
      agentId ?? null,
      status ?? null,
      mode ?? null,
      page.after?.createdAt ?? null,
      page.after?.id ?? null,
      page.limit,
      campaignId ?? null,
    ],
  );
  return Promise.all(rows.map((row) => opened(personalData, row)));
};

/** The attempts behind these calls, of this organization; unknown ones are left out. */
export const attemptsBehind = async (
  db: Tx,
  organizationId: string,
  callIds: readonly string[],
): Promise<Attempt[]> => {
  const { rows } = await db.query<{ state: Known }>(
    `select state from outbound_calls where id in (
       select outbound_call_id from outbound_attempts where call_id = any($1) and organization_id = $2)`,
    [callIds, organizationId],
  );
  return rows.flatMap(({ state }) => attemptsOf(state)).filter(({ callId }) => callIds.includes(callId));
};

/** Outbound calls of an agent that have not ended, and campaigns: each of them may place one at any time. */
export const countOpen = async (db: Tx, organizationId: string, agentId: string): Promise<number> => {
  const { rows } = await db.query<{ open: number }>(
    `select (
       (select count(*) from outbound_calls where organization_id = $1 and agent_id = $2 and phase <> 'ended')
       + (select count(*) from campaigns where organization_id = $1 and agent_id = $2
            and status in ('validating', 'scheduled', 'running', 'paused')))::int as open`,
    [organizationId, agentId],
  );
  return rows[0]?.open ?? 0;
};

/** The outbound call behind a call of the organization. */
export const outboundCallOf = async (
  db: Tx,
  organizationId: string,
  callId: string,
): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>(
    'select outbound_call_id as id from outbound_attempts where call_id = $1 and organization_id = $2',
    [callId, organizationId],
  );
  return rows[0]?.id;
};
