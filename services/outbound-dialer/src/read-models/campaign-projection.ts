// The read model of campaigns: every stream folded into a row, with the same `evolve` that decisions are made on.
import type { PostgresReadModel, Recorded } from '@parlance/event-sourcing';
import type { Tx } from '@parlance/postgres';
import { campaignDecider } from '../domain/campaign/campaign.js';
import { type CampaignEvent, campaignEvents } from '../domain/campaign/campaign-events.js';
import type { Campaign, KnownCampaign } from '../domain/campaign/campaign-state.js';
import { stopClaims } from '../recipients/recipients.js';
import { campaignCategory } from '../repositories/campaign-repository.js';

/** Notified whenever something happened to a campaign. */
export const campaignsChannel = 'outbound_dialer_campaigns';

interface Row {
  readonly state: Campaign;
  readonly revision: string;
}

const save = (tx: Tx, id: string, state: KnownCampaign, revision: bigint): Promise<unknown> =>
  tx.query(
    `insert into campaigns (id, organization_id, agent_id, status, scheduled_at, created_at, updated_at, revision, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set status = excluded.status, updated_at = excluded.updated_at,
       revision = excluded.revision, state = excluded.state`,
    [
      id,
      state.created.organizationId,
      state.created.agentId,
      state.phase,
      state.created.scheduledAt,
      state.created.createdAt,
      state.updatedAt,
      revision,
      JSON.stringify(state),
    ],
  );

/** Applies one event; an event that was applied before changes nothing. */
export const projectCampaign = async (tx: Tx, recorded: Recorded<CampaignEvent>): Promise<void> => {
  const { entityId: id, event, revision } = recorded;
  const { rows } = await tx.query<Row>('select state, revision from campaigns where id = $1 for update', [
    id,
  ]);
  const row = rows[0];
  if (row !== undefined && BigInt(row.revision) >= revision) return;
  const state = campaignDecider.evolve(row?.state ?? campaignDecider.initialState, event);
  if (state.phase === 'absent') throw new Error('a stream that does not begin with its creation');
  await save(tx, id, state, revision);
  // The process that cancelled the campaign may have died before it stopped the claims.
  if (event.type === 'CampaignCancelled') await stopClaims(tx, id);
  await tx.query(`select pg_notify($1, '')`, [campaignsChannel]);
};

/** The read model of all campaigns; their recipients are not part of it. */
export const campaignsReadModel: PostgresReadModel<CampaignEvent> = {
  id: 'campaigns',
  category: campaignCategory,
  codec: campaignEvents,
  tables: ['campaigns'],
  handle: projectCampaign,
};
