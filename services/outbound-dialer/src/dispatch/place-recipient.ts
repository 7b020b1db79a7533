// The outbound call of one recipient, as its campaign has it made.
import type { Overridable } from '@parlance/contracts';
import type { Created } from '../domain/campaign/campaign-state.js';
import type { OutboundCallCommand } from '../domain/outbound-call/outbound-call.js';
import type { ClaimedRecipient } from '../recipients/recipients.js';

type PlaceCall = Extract<OutboundCallCommand, { type: 'PlaceCall' }>;

export interface PlacingCampaign {
  readonly id: string;
  readonly created: Created['data'];
  readonly personal: NonNullable<Created['personal']>;
}

/** Leaves out the fields that the agent does not let a row override: the rest of the row is still good. */
export const placeRecipient = (
  { id: campaignId, created, personal }: PlacingCampaign,
  { rowNumber, phoneNumber, row }: ClaimedRecipient,
  now: string,
): PlaceCall => {
  const allowed = (name: Overridable, value: string | undefined): string | null =>
    created.allowedOverrides.includes(name) ? (value ?? null) : null;
  const { organizationId, agentId, agentName, configVersion, provider, sid, retryPolicy } = created;
  const agent = { agentId, agentName, configVersion };
  return {
    type: 'PlaceCall',
    placed: {
      ...{ organizationId, mode: 'batch', ...agent, provider, sid, campaignId, rowNumber, retryPolicy },
      ringingTimeoutSeconds: created.ringingTimeoutSeconds,
      ...(created.longestSeconds === undefined ? {} : { longestSeconds: created.longestSeconds }),
      placedAt: now,
    },
    personal: {
      phoneNumber,
      fromNumber: personal.fromNumber,
      username: row.username ?? null,
      firstMessage: allowed('firstMessage', row.firstMessage),
      systemPrompt: allowed('systemPrompt', row.systemPrompt),
      language: allowed('agent_language', row.language),
      voiceId: allowed('voiceId', row.voiceId),
      // Rows that an older release imported have empty cells as empty texts, which would hide the agent's defaults.
      dynamicVariables: Object.fromEntries(Object.entries(row.variables).filter(([, value]) => value !== '')),
      metadata: row.externalId === undefined ? {} : { externalId: row.externalId },
    },
  };
};
