// The announcements of changes for people who look at outbound calls and campaigns, beside those of attempts: each
// names the changed thing.
import { events, type IntegrationEvent, makeEvent } from '@parlance/contracts';
import type { Recorded } from '@parlance/event-sourcing';
import type { CampaignEvent } from '../domain/campaign/campaign-events.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';

const callChanges = {
  OutboundCallPlaced: 'placed',
  AttemptInDoubt: 'attempt_in_doubt',
  AttemptEnded: 'attempt_ended',
  OutboundCallCancelled: 'cancelled',
  OutboundCallRetried: 'retried',
} as const;

const campaignChanges = {
  CampaignCreated: 'created',
  FileImported: 'file_imported',
  FileRefused: 'file_refused',
  CampaignStarted: 'started',
  CampaignPaused: 'paused',
  CampaignResumed: 'resumed',
  CampaignCompleted: 'completed',
  CampaignCancelled: 'cancelled',
} as const satisfies Readonly<Record<CampaignEvent['type'], string>>;

const isCallChange = (type: string): type is keyof typeof callChanges => Object.hasOwn(callChanges, type);

/** A call of a campaign begins with its first attempt, which is told anyway. */
const isToldAnyway = (event: OutboundCallEvent): boolean =>
  event.type === 'OutboundCallPlaced' && event.data.campaignId !== null;

/** Undefined for an event that the announcement of the attempt covers, and for an event without a visible change. */
export const translateCallChange = (recorded: Recorded<OutboundCallEvent>): IntegrationEvent | undefined => {
  const { id, entityId: outboundCallId, revision, event, metadata } = recorded;
  if (!isCallChange(event.type) || isToldAnyway(event)) return undefined;
  const { organizationId, occurredAt } = metadata;
  const data = { outboundCallId, change: callChanges[event.type], version: Number(revision) };
  return makeEvent(events.outboundCallChanged, { id, organizationId, occurredAt, data });
};

const newsForMs = 60 * 60 * 1_000;

/** The first start reads all events ever recorded: an event older than an hour is no news. */
export const translateCampaignChange =
  (now: () => Date) =>
  (recorded: Recorded<CampaignEvent>): IntegrationEvent | undefined => {
    const { id, entityId: campaignId, revision, event, metadata, recordedAt } = recorded;
    if (now().getTime() - recordedAt.getTime() > newsForMs) return undefined;
    const { organizationId, occurredAt } = metadata;
    const data = { campaignId, change: campaignChanges[event.type], version: Number(revision) };
    return makeEvent(events.campaignChanged, { id, organizationId, occurredAt, data });
  };
