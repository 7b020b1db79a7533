// Which answers a live event makes stale, by the kind of the thing that has changed.
import type { LiveEvent } from '@parlance/client';

/** Beginnings of the names of operations. */
const touchedBy: Readonly<Record<LiveEvent['resource']['kind'], readonly string[]>> = {
  call: ['calls.', 'dashboard.', 'spend.'],
  outboundCall: ['outboundCalls.', 'spend.'],
  campaign: ['outboundCalls.', 'spend.'],
  agent: ['agents.'],
  number: ['numbers.', 'agents.'],
  knowledgeSource: ['knowledge.'],
  tool: ['tools.'],
  secret: ['secrets.'],
  mcpConnection: ['mcp.'],
  widget: ['widgets.'],
  settings: ['settings.', 'spend.'],
  member: ['auth.organizationListMembers'],
  invitation: ['auth.organizationListInvitations'],
  suppression: ['suppressions.'],
  webhookDelivery: ['webhooks.', 'calls.'],
};

/** Everything that live events speak of: stale after events that were missed. */
export const everything: readonly string[] = [...new Set(Object.values(touchedBy).flat())];

/** A transcript that grew changes no list; the screen of the call follows it by itself. */
export const touchedOf = ({ type, resource }: Pick<LiveEvent, 'type' | 'resource'>): readonly string[] =>
  type === 'call.transcript' ? ['calls.transcripts', 'calls.timeline'] : (touchedBy[resource.kind] ?? []);
