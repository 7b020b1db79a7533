// The integration events that agents-config publishes.
import { z } from 'zod';
import { InitiationResult } from '../values/initiation.js';
import { SecretMentionsReport } from '../values/secret-mentions.js';
import { VersionedSettings } from '../values/settings.js';
import { uuid } from '../values/text.js';
import { defineEvent, sealing } from './event.js';

const agent = z.object({ agentId: uuid, name: z.string() });

/** Versions that this release reads and does not send. */
export const agentsConfigEarlierEvents = {
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
} as const;

export const agentsConfigEvents = {
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
  initiationFinished: sealing(agentsConfigEarlierEvents.initiationFinished, 'calls-logs', 'dynamicVariables'),
  /** The secrets that an agent or a model mentions, after tools-secrets has requested this report. */
  agentSecretsReported: defineEvent({
    name: 'agents-config.secret-mentions.reported',
    version: 1,
    data: SecretMentionsReport,
  }),
} as const;
