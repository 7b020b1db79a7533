// The integration events that widgets publishes.
import { z } from 'zod';
import { CallContext } from '../values/runtime.js';
import { SecretMentionsReport } from '../values/secret-mentions.js';
import { json, timestamp, uuid } from '../values/text.js';
import { defineEvent, sealing } from './event.js';

/** Versions that this release reads and does not send. */
export const widgetsEarlierEvents = {
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
} as const;

export const widgetsEvents = {
  conversationStarted: sealing(
    widgetsEarlierEvents.conversationStarted,
    'calls-logs',
    'dynamicVariables',
    'metadata',
  ),
  /** A session in a room was admitted, and its room is made next: the room names the call alone. */
  sessionStarted: defineEvent({
    name: 'widgets.session.started',
    version: 1,
    data: z.object({ callId: z.string(), context: CallContext }),
    personal: { reader: 'calls-logs', members: ['context'] },
  }),
  previewStarted: sealing(widgetsEarlierEvents.previewStarted, 'calls-logs', 'dynamicVariables', 'metadata'),
  /** A widget was saved or deleted: it may use another secret for visitor tokens since then. */
  widgetSaved: defineEvent({
    name: 'widgets.widget.saved',
    version: 1,
    data: z.object({ widgetId: uuid }),
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
  /** The secrets that a widget mentions, after tools-secrets has requested this report. */
  widgetSecretsReported: defineEvent({
    name: 'widgets.secret-mentions.reported',
    version: 1,
    data: SecretMentionsReport,
  }),
} as const;
