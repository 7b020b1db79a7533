// Integration events: the facts that services tell each other over JetStream. Versioned; a published shape never
// changes.
import { z } from 'zod';
import { AnsweredBy, CallStatus, EndedError, EndedReason, Outcome, Provider } from '../values/call-status.js';
import { InitiationResult } from '../values/initiation.js';
import { NumberStatus } from '../values/number.js';
import type { ServiceName } from '../values/service-name.js';
import { VersionedSettings } from '../values/settings.js';
import { json, timestamp, uuid } from '../values/text.js';
import { ExecutedTool } from '../values/tool.js';
import { WebhookDeliveryStatus } from '../values/webhook-delivery.js';

/** Changes of members and invitations; a row of `/auth` names its own. */
export const membershipChanges = [
  ...(['invited', 'invitation_cancelled', 'invitation_declined'] as const),
  ...(['joined', 'role_changed', 'removed', 'left'] as const),
] as const;
export type MembershipChange = (typeof membershipChanges)[number];

export interface EventDefinition {
  /** `<service>.<aggregate>.<past verb>`. */
  readonly name: `${string}.${string}.${string}`;
  readonly version: number;
  readonly data: z.ZodObject;
  /** Absent for an event that says nothing about a person. */
  readonly personal?: PersonalMembers;
}

/** Members of the data that say something about a person. They travel sealed, and one service alone can open them. */
export interface PersonalMembers {
  readonly reader: ServiceName;
  readonly members: readonly string[];
}

export const defineEvent = <const T extends EventDefinition>(definition: T): T => Object.freeze(definition);

/** One event as it travels. */
export interface IntegrationEvent<T extends EventDefinition = EventDefinition> {
  readonly id: string;
  readonly name: T['name'];
  readonly version: number;
  readonly occurredAt: string;
  readonly organizationId: string;
  readonly data: z.output<T['data']>;
}
export type EventOf<T extends EventDefinition> = IntegrationEvent<T>;

/** Envelope of any event, before its data is parsed by its definition. */
export const EventEnvelope = z.object({
  id: uuid,
  name: z.string(),
  version: z.int(),
  occurredAt: timestamp,
  organizationId: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

export const makeEvent = <T extends EventDefinition>(
  definition: T,
  event: Pick<IntegrationEvent<T>, 'id' | 'occurredAt' | 'organizationId' | 'data'>,
): IntegrationEvent<T> => ({ ...event, name: definition.name, version: definition.version });

export const eventSubject = (definition: { readonly name: string; readonly version: number }): string =>
  `parlance.evt.${definition.name}.v${definition.version}`;

/** The data as it travels: `sealed` holds the personal members. */
export const travellingData = ({ data, personal }: EventDefinition): z.ZodObject =>
  personal === undefined
    ? data
    : z.object({
        ...Object.fromEntries(
          Object.entries(data.shape).filter(([member]) => !personal.members.includes(member)),
        ),
        sealed: z.string(),
      });

/** The next version of an event, in which these members travel sealed. */
const sealing = <const T extends EventDefinition>(
  { name, version, data }: T,
  reader: ServiceName,
  ...members: readonly (keyof z.output<T['data']> & string)[]
): Pick<T, 'name' | 'data'> & { readonly version: number; readonly personal: PersonalMembers } =>
  defineEvent({ name, version: version + 1, data, personal: { reader, members } });

const agent = z.object({ agentId: uuid, name: z.string() });
const attempt = z.object({ outboundCallId: uuid, attemptId: uuid, callId: z.string() });

/** Versions that this release reads and does not send. */
export const earlierEvents = {
  /** A conversation in text began. No media server tells of it, because it has no room. */
  conversationStarted: defineEvent({
    name: 'widgets.conversation.started',
    version: 1,
    data: z.object({
      callId: z.string(),
      /** Names the conversation among the live calls, as a room does. */
      roomName: z.string(),
      agentId: uuid,
      agentName: z.string(),
      configVersion: z.int().nullable(),
      widgetId: uuid,
      dynamicVariables: z.record(z.string(), z.string()),
      metadata: z.record(z.string(), json),
      /** The consent of a visitor; null without one. */
      consent: z.object({ textVersion: z.string(), at: timestamp }).nullable(),
      startedAt: timestamp,
    }),
  }),
  /** A person or key of the organization began to try an agent in text. No media server tells of it either. */
  previewStarted: defineEvent({
    name: 'widgets.preview.started',
    version: 1,
    data: z.object({
      callId: z.string(),
      /** Names the conversation among the live calls, as a room does. */
      roomName: z.string(),
      agentId: uuid,
      agentName: z.string(),
      configVersion: z.int().nullable(),
      dynamicVariables: z.record(z.string(), z.string()),
      metadata: z.record(z.string(), json),
      startedAt: timestamp,
    }),
  }),
  /** The agent's initiation webhook was asked about a call. */
  initiationFinished: defineEvent({
    name: 'agents-config.initiation.finished',
    version: 1,
    data: z.object({
      agentId: uuid,
      callId: z.string(),
      result: InitiationResult,
      /** The variables of the answer. Absent from a message of an older release. */
      dynamicVariables: z.record(z.string(), z.string()).optional(),
    }),
  }),
  attemptStarted: defineEvent({
    name: 'outbound-dialer.attempt.started',
    version: 1,
    data: attempt.extend({
      attempt: z.int(),
      roomName: z.string(),
      agentId: uuid,
      agentName: z.string(),
      configVersion: z.int(),
      fromNumber: z.string(),
      toNumber: z.string(),
      provider: Provider.nullable(),
      campaignId: uuid.nullable(),
      dynamicVariables: z.record(z.string(), z.string()),
      metadata: z.record(z.string(), json),
      startedAt: timestamp,
    }),
  }),
  /** A tool ran in a call, with or without success. */
  toolExecuted: defineEvent({
    name: 'tools-secrets.tool.executed',
    version: 1,
    data: ExecutedTool,
  }),
  /** A tool of a connected MCP server ran in a call, with or without success. `name` is the name that agents see. */
  mcpToolExecuted: defineEvent({ name: 'mcp-hub.tool.executed', version: 1, data: ExecutedTool }),
} as const;

export const events = {
  /**
   * An organization was removed for good. It owned no numbers then, ran no campaign, and no call of it was in progress.
   * Every service begins nothing for it any more, ends its running work and deletes its rows. Calls stay as history.
   */
  organizationDeleted: defineEvent({
    name: 'gateway.organization.deleted',
    version: 1,
    data: z.object({
      /** Names the closures of the organization in the services that were asked first. */
      removalId: uuid,
      /** The owner's user id. */
      deletedBy: z.string(),
    }),
  }),
  /** The members or invitations of an organization changed. The id of an invitation lets people in, so it is not told. */
  membershipChanged: defineEvent({
    name: 'gateway.membership.changed',
    version: 1,
    data: z.object({
      change: z.enum(membershipChanges),
      /** Null for a change of an invitation that nobody has accepted. */
      memberId: z.string().nullable(),
    }),
  }),
  agentCreated: defineEvent({ name: 'agents-config.agent.created', version: 1, data: agent }),
  agentUpdated: defineEvent({
    name: 'agents-config.agent.updated',
    version: 1,
    data: agent.extend({ isActive: z.boolean() }),
  }),
  agentDeleted: defineEvent({ name: 'agents-config.agent.deleted', version: 1, data: agent }),
  agentConfigured: defineEvent({
    name: 'agents-config.agent.configured',
    version: 1,
    data: agent.extend({ configVersion: z.int() }),
  }),
  settingsChanged: defineEvent({
    name: 'agents-config.settings.changed',
    version: 1,
    data: VersionedSettings,
  }),
  conversationStarted: sealing(
    earlierEvents.conversationStarted,
    'calls-logs',
    'dynamicVariables',
    'metadata',
  ),
  previewStarted: sealing(earlierEvents.previewStarted, 'calls-logs', 'dynamicVariables', 'metadata'),
  initiationFinished: sealing(earlierEvents.initiationFinished, 'calls-logs', 'dynamicVariables'),
  /** A number was bought, given to an agent or taken from it, or is being given back. */
  numberChanged: defineEvent({
    name: 'telephony-numbers.number.changed',
    version: 1,
    data: z.object({
      numberId: uuid,
      phoneNumber: z.string(),
      provider: Provider,
      isoCountry: z.string(),
      status: NumberStatus,
      agentId: uuid.nullable(),
      /** Grows with every change of the number: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  attemptStarted: sealing(
    earlierEvents.attemptStarted,
    'calls-logs',
    'fromNumber',
    'toNumber',
    'dynamicVariables',
    'metadata',
  ),
  attemptAnswered: defineEvent({
    name: 'outbound-dialer.attempt.answered',
    version: 1,
    data: attempt.extend({ providerCallId: z.string().nullable(), answeredAt: timestamp }),
  }),
  attemptSettled: defineEvent({
    name: 'outbound-dialer.attempt.settled',
    version: 1,
    data: attempt.extend({
      status: CallStatus,
      endedReason: EndedReason,
      error: EndedError.nullable(),
      endedAt: timestamp,
    }),
  }),
  /** A tool was attached to an agent or taken from it, or deleted. */
  agentToolsChanged: defineEvent({
    name: 'tools-secrets.agent-tools.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      tools: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  toolExecuted: sealing(earlierEvents.toolExecuted, 'calls-logs', 'arguments', 'result', 'assignments'),
  mcpToolExecuted: sealing(earlierEvents.mcpToolExecuted, 'calls-logs', 'arguments', 'result', 'assignments'),
  /** A connection was attached to an agent or taken from it, or disconnected. */
  agentConnectionsChanged: defineEvent({
    name: 'mcp-hub.agent-connections.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      mcpConnections: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  /** A connection was saved or disconnected, or is in another state: it may mention other secrets since then. */
  mcpConnectionSaved: defineEvent({
    name: 'mcp-hub.connection.saved',
    version: 1,
    data: z.object({ mcpConnectionId: uuid }),
  }),
  /** A widget was saved or deleted: it may use another secret for visitor tokens since then. */
  widgetSaved: defineEvent({
    name: 'widgets.widget.saved',
    version: 1,
    data: z.object({ widgetId: uuid }),
  }),
  /** A knowledge source of an agent was made, read or deleted. */
  agentKnowledgeChanged: defineEvent({
    name: 'knowledge.agent-sources.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      sources: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  /** A widget of an agent was made or deleted. */
  agentWidgetsChanged: defineEvent({
    name: 'widgets.agent-widgets.changed',
    version: 1,
    data: z.object({
      agentId: uuid,
      widgets: z.int(),
      /** Grows with every change: of two announcements, the higher one holds. */
      version: z.int(),
    }),
  }),
  callAnswered: defineEvent({
    name: 'calls-logs.call.answered',
    version: 1,
    data: z.object({
      callId: z.string(),
      agentId: uuid,
      outboundCallId: uuid.nullable(),
      answeredAt: timestamp,
    }),
  }),
  callEnded: defineEvent({
    name: 'calls-logs.call.ended',
    version: 1,
    data: z.object({
      callId: z.string(),
      agentId: uuid,
      outboundCallId: uuid.nullable(),
      campaignId: uuid.nullable(),
      status: CallStatus,
      outcome: Outcome,
      endedReason: EndedReason,
      answeredBy: AnsweredBy.nullable(),
      startedAt: timestamp,
      answeredAt: timestamp.nullable(),
      endedAt: timestamp,
      durationSeconds: z.number(),
      costMicros: z.int().nullable(),
    }),
  }),
  /** The person asked in a telephone call not to be called again. Whoever needs the number requests it from calls-logs. */
  callOptedOut: defineEvent({
    name: 'calls-logs.call.opted-out',
    version: 1,
    data: z.object({ callId: z.string() }),
  }),
  /** Something happened to a call that is neither its answer nor its end. */
  callChanged: defineEvent({
    name: 'calls-logs.call.changed',
    version: 1,
    data: z.object({
      callId: z.string(),
      change: z.enum(['started', 'end_requested', 'handed_over', 'deleted']),
      /** The version of the call's stream: of two changes, the higher one is newer. */
      version: z.int(),
    }),
  }),
  /** The voice runtime told turns of a call that lasts. The event holds no spoken words. */
  transcriptGrew: defineEvent({
    name: 'calls-logs.transcript.grew',
    version: 1,
    data: z.object({ callId: z.string(), agentId: z.string(), turns: z.int() }),
  }),
  /** Something happened to an outbound call beside the start, the answer and the settling of an attempt. */
  outboundCallChanged: defineEvent({
    name: 'outbound-dialer.outbound-call.changed',
    version: 1,
    data: z.object({
      outboundCallId: uuid,
      change: z.enum(['placed', 'attempt_in_doubt', 'attempt_ended', 'cancelled', 'retried']),
      version: z.int(),
    }),
  }),
  campaignChanged: defineEvent({
    name: 'outbound-dialer.campaign.changed',
    version: 1,
    data: z.object({
      campaignId: uuid,
      change: z.enum([
        'created',
        'file_imported',
        'file_refused',
        'started',
        'paused',
        'resumed',
        'completed',
        'cancelled',
      ]),
      version: z.int(),
    }),
  }),
  /** Numbers were put on the suppression list, or one was taken from it. */
  suppressionsChanged: defineEvent({
    name: 'outbound-dialer.suppressions.changed',
    version: 1,
    data: z.object({
      /** Null where several may have changed. */
      suppressionId: uuid.nullable(),
      change: z.enum(['created', 'deleted']),
    }),
  }),
  /** A message to a webhook is due, was tried, or was given up. */
  webhookDeliveryChanged: defineEvent({
    name: 'calls-logs.webhook-delivery.changed',
    version: 1,
    data: z.object({
      /** Null where all messages to one address were given up. */
      deliveryId: uuid.nullable(),
      callId: z.string().nullable(),
      status: WebhookDeliveryStatus,
    }),
  }),
  /** The reading of a knowledge source went on. */
  knowledgeSourceChanged: defineEvent({
    name: 'knowledge.source.changed',
    version: 1,
    data: z.object({
      sourceId: uuid,
      agentId: uuid,
      status: z.string(),
      /** Failed tries of the work that is to be repeated; absent when none has failed. */
      tries: z.int().optional(),
    }),
  }),
  toolChanged: defineEvent({
    name: 'tools-secrets.tool.changed',
    version: 1,
    data: z.object({ toolId: uuid, change: z.enum(['created', 'updated', 'deleted']) }),
  }),
  secretChanged: defineEvent({
    name: 'tools-secrets.secret.changed',
    version: 1,
    data: z.object({ secretId: uuid, change: z.enum(['created', 'updated', 'rotated', 'deleted']) }),
  }),
} as const;
