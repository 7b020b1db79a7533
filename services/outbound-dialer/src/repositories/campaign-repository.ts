// Commands to campaigns, and their state as the stream tells it.
import {
  type CommandHandler,
  commandHandler,
  type EventMeta,
  type EventStore,
} from '@parlance/event-sourcing';
import { type CampaignCommand, campaignDecider } from '../domain/campaign/campaign.js';
import { type CampaignEvent, campaignEvents } from '../domain/campaign/campaign-events.js';
import type { Campaign } from '../domain/campaign/campaign-state.js';

export const campaignCategory = 'campaign';

export type Campaigns = CommandHandler<Campaign, CampaignCommand, CampaignEvent>;

export const openCampaigns = (store: EventStore): Campaigns =>
  commandHandler({ store, codec: campaignEvents, category: campaignCategory, decider: campaignDecider });

/** The dialer acting by itself on a campaign; the same step at the same instant is the same command. */
export const campaignStep = (
  organizationId: string,
  campaignId: string,
  step: string,
  occurredAt: string,
): EventMeta => ({
  commandId: `${campaignId}:${step}:${occurredAt}`,
  organizationId,
  actor: 'platform:outbound-dialer',
  requestId: campaignId,
  occurredAt,
});
