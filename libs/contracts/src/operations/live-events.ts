// Live events for people who look at an organization: each names the thing that changed. They are folded from the
// integration events of the services; a page that wants more asks the interface.
import { z } from 'zod';
import { type EventDefinition, type EventEnvelope, type EventOf, travellingData } from '../events/event.js';
import { earlierEvents, events } from '../events/events.js';
import { timestamp } from '../values/text.js';
import type { StreamEvents } from './operation.js';
import type { Permission } from './permissions.js';

/** The types of live events, each with the permission that its reader needs. */
export const liveEventPermissions = {
  'call.started': 'callLogs:read',
  'call.answered': 'callLogs:read',
  'call.ended': 'callLogs:read',
  'call.changed': 'callLogs:read',
  'call.transcript': 'callLogs:read',
  'outbound-call.changed': 'outboundCalls:read',
  'campaign.changed': 'outboundCalls:read',
  'agent.created': 'agent:read',
  'agent.updated': 'agent:read',
  'agent.deleted': 'agent:read',
  'agent.configured': 'agentConfiguration:read',
  'number.changed': 'phoneNumber:read',
  'knowledge-source.changed': 'knowledgeSource:read',
  'tool.changed': 'tools:read',
  'secret.changed': 'secrets:read',
  'mcp-connection.changed': 'tools:read',
  'widget.changed': 'agentWidget:read',
  'settings.changed': 'settings:read',
  'member.changed': 'settings:read',
  'invitation.changed': 'settings:read',
  'suppression.changed': 'outboundCalls:read',
  'webhook-delivery.changed': 'callLogs:read',
} as const satisfies Readonly<Record<string, Permission>>;
export type LiveEventType = keyof typeof liveEventPermissions;
export const liveEventTypes = Object.keys(liveEventPermissions) as readonly LiveEventType[]; // the keys above

const kinds = [
  ...(['call', 'outboundCall', 'campaign', 'agent', 'number', 'knowledgeSource'] as const),
  ...(['tool', 'secret', 'mcpConnection', 'widget', 'settings'] as const),
  ...(['member', 'invitation', 'suppression', 'webhookDelivery'] as const),
] as const;

export const LiveEvent = z
  .object({
    type: z.enum(liveEventTypes),
    occurredAt: timestamp,
    resource: z.object({
      kind: z.enum(kinds),
      id: z.string().nullable().meta({
        description:
          'null for settings and invitations, and if several resources of this type may have changed',
      }),
    }),
    agentId: z.string().optional(),
    status: z.string().optional().meta({ description: 'the current status, if the event includes it' }),
    change: z.string().optional().meta({ description: 'what changed, if the type does not say so' }),
    version: z
      .int()
      .optional()
      .meta({ description: 'increases with every change; a higher version supersedes a lower one' }),
    tries: z
      .int()
      .optional()
      .meta({ description: 'failed attempts to read a knowledge source that is retrying' }),
    turns: z.int().optional().meta({ description: 'number of transcript turns so far' }),
  })
  .meta({ id: 'LiveEvent', description: 'A change in the organization, as it happens.' });
export type LiveEvent = z.infer<typeof LiveEvent>;

export const reloadReasons = ['unknown_id', 'too_old', 'slow', 'missed'] as const;
export type ReloadReason = (typeof reloadReasons)[number];

/** The events of the stream by their names. */
export const liveStream = {
  open: z.object({
    resumed: z.boolean().meta({ description: 'true if no event was missed since the given ID' }),
  }),
  reload: z.object({ reason: z.enum(reloadReasons) }),
  ...(Object.fromEntries(liveEventTypes.map((type) => [type, LiveEvent])) as Readonly<
    Record<LiveEventType, typeof LiveEvent>
  >), // a key for each type
} satisfies StreamEvents;

type Told = Pick<LiveEvent, 'type' | 'resource'> & Omit<Partial<LiveEvent>, 'occurredAt'>;
/** Gets no personal member: they travel sealed. */
type Tell<T extends EventDefinition> = (data: Omit<EventOf<T>['data'], PersonalMember>) => readonly Told[];
type PersonalMember =
  | 'fromNumber'
  | 'toNumber'
  | 'dynamicVariables'
  | 'metadata'
  | 'arguments'
  | 'result'
  | 'assignments';

interface Row {
  readonly definition: EventDefinition;
  readonly tell: (data: unknown) => readonly Told[];
}

/** The live events of an integration event; data of undefined does not fit its definition and gives none. */
const row = <T extends EventDefinition>(definition: T, tell: Tell<T>): Row => {
  const travelling = travellingData(definition);
  return {
    definition,
    tell: (data) => {
      const parsed = travelling.safeParse(data);
      return parsed.success ? tell(parsed.data as EventOf<T>['data']) : []; // parsed by its own definition
    },
  };
};

const call = (type: LiveEventType, id: string, more: Partial<Told> = {}): Told => ({
  ...more,
  type,
  resource: { kind: 'call', id },
});
const outboundCall = (id: string, more: Partial<Told> = {}): Told => ({
  ...more,
  type: 'outbound-call.changed',
  resource: { kind: 'outboundCall', id },
});
const campaign = (id: string, change: string): Told => ({
  type: 'campaign.changed',
  resource: { kind: 'campaign', id },
  change,
});
const agent = (type: LiveEventType, agentId: string, more: Partial<Told> = {}): Told => ({
  ...more,
  type,
  agentId,
  resource: { kind: 'agent', id: agentId },
});
const toolRun = ({ callId, agentId }: { readonly callId: string; readonly agentId: string }): Told =>
  call('call.changed', callId, { agentId, change: 'tool_ran' });

const member = (change: string, id: string | null): Told => ({
  type: 'member.changed',
  change,
  resource: { kind: 'member', id },
});
const invitation = (change: string): Told => ({
  type: 'invitation.changed',
  change,
  resource: { kind: 'invitation', id: null },
});

const rows: readonly Row[] = [
  row(events.membershipChanged, ({ change, memberId }) => [
    ...(memberId === null ? [] : [member(change, memberId)]),
    ...(memberId === null || change === 'joined' ? [invitation(change)] : []),
  ]),
  row(events.suppressionsChanged, ({ suppressionId, change }) => [
    { type: 'suppression.changed', change, resource: { kind: 'suppression', id: suppressionId } },
  ]),
  row(events.webhookDeliveryChanged, ({ deliveryId, status }) => [
    { type: 'webhook-delivery.changed', status, resource: { kind: 'webhookDelivery', id: deliveryId } },
  ]),
  row(events.callChanged, ({ callId, change, version }) => [
    call(change === 'started' ? 'call.started' : 'call.changed', callId, { change, version }),
  ]),
  row(events.callAnswered, ({ callId, agentId }) => [
    call('call.answered', callId, { agentId, status: 'in_progress' }),
  ]),
  row(events.callEnded, ({ callId, agentId, status, campaignId }) => [
    call('call.ended', callId, { agentId, status }),
    ...(campaignId === null ? [] : [campaign(campaignId, 'progress')]),
  ]),
  row(events.transcriptGrew, ({ callId, agentId, turns }) => [
    call('call.transcript', callId, { agentId, turns }),
  ]),
  ...[events, earlierEvents].flatMap(
    ({ toolExecuted, mcpToolExecuted, initiationFinished, attemptStarted }): readonly Row[] => [
      row(toolExecuted, (run) => [toolRun(run)]),
      row(mcpToolExecuted, (run) => [toolRun(run)]),
      row(initiationFinished, ({ callId, agentId }) => [
        call('call.changed', callId, { agentId, change: 'initiation_finished' }),
      ]),
      row(attemptStarted, ({ outboundCallId, agentId, campaignId }) => [
        outboundCall(outboundCallId, { agentId, change: 'attempt_started' }),
        ...(campaignId === null ? [] : [campaign(campaignId, 'progress')]),
      ]),
    ],
  ),
  row(events.attemptAnswered, ({ outboundCallId }) => [
    outboundCall(outboundCallId, { change: 'attempt_answered' }),
  ]),
  row(events.attemptSettled, ({ outboundCallId, status }) => [
    outboundCall(outboundCallId, { status, change: 'attempt_settled' }),
  ]),
  row(events.outboundCallChanged, ({ outboundCallId, change, version }) => [
    outboundCall(outboundCallId, { change, version }),
  ]),
  row(events.campaignChanged, ({ campaignId, change, version }) => [
    { ...campaign(campaignId, change), version },
  ]),
  row(events.agentCreated, ({ agentId }) => [agent('agent.created', agentId)]),
  row(events.agentUpdated, ({ agentId }) => [agent('agent.updated', agentId)]),
  row(events.agentDeleted, ({ agentId }) => [agent('agent.deleted', agentId)]),
  row(events.agentConfigured, ({ agentId, configVersion }) => [
    agent('agent.configured', agentId, { version: configVersion }),
  ]),
  row(events.agentToolsChanged, ({ agentId }) => [agent('agent.updated', agentId, { change: 'tools' })]),
  row(events.agentConnectionsChanged, ({ agentId }) => [
    agent('agent.updated', agentId, { change: 'mcp_connections' }),
  ]),
  row(events.agentKnowledgeChanged, ({ agentId, version }) => [
    agent('agent.updated', agentId, { change: 'knowledge_sources' }),
    {
      ...{ type: 'knowledge-source.changed', agentId, version },
      resource: { kind: 'knowledgeSource', id: null },
    },
  ]),
  row(events.knowledgeSourceChanged, ({ sourceId, agentId, status, tries }) => [
    {
      type: 'knowledge-source.changed',
      agentId,
      status,
      ...(tries === undefined ? {} : { change: 'waiting', tries }),
      resource: { kind: 'knowledgeSource', id: sourceId },
    },
  ]),
  row(events.agentWidgetsChanged, ({ agentId }) => [agent('agent.updated', agentId, { change: 'widgets' })]),
  row(events.widgetSaved, ({ widgetId }) => [
    { type: 'widget.changed', resource: { kind: 'widget', id: widgetId } },
  ]),
  row(events.numberChanged, ({ numberId, status, version, agentId }) => [
    {
      ...{ type: 'number.changed', status, version, resource: { kind: 'number', id: numberId } },
      ...(agentId === null ? {} : { agentId }),
    },
  ]),
  row(events.toolChanged, ({ toolId, change }) => [
    { type: 'tool.changed', change, resource: { kind: 'tool', id: toolId } },
  ]),
  row(events.secretChanged, ({ secretId, change }) => [
    { type: 'secret.changed', change, resource: { kind: 'secret', id: secretId } },
  ]),
  row(events.mcpConnectionSaved, ({ mcpConnectionId }) => [
    { type: 'mcp-connection.changed', resource: { kind: 'mcpConnection', id: mcpConnectionId } },
  ]),
  row(events.settingsChanged, ({ version }) => [
    { type: 'settings.changed', version, resource: { kind: 'settings', id: null } },
  ]),
];

const keyOf = ({ name, version }: { readonly name: string; readonly version: number }): string =>
  `${name}.v${version}`;
const byKey = new Map(rows.map((one) => [keyOf(one.definition), one]));

/** Names and versions of the integration events that people are told of. */
export const toldEvents: readonly string[] = [...byKey.keys()];

/** The live events of an integration event; empty for one without news for people, or of a newer release. */
export const liveEventsOf = (event: EventEnvelope): readonly LiveEvent[] =>
  (byKey.get(keyOf(event))?.tell(event.data) ?? []).map((told) => ({
    ...told,
    occurredAt: event.occurredAt,
  }));
