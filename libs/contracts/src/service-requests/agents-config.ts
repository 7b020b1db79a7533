// The requests that agents-config answers to other services.

import { z } from 'zod';
import { serviceRequest } from '../operations/operation.js';
import { AgentConfiguration, HeaderValue, Overridable, PersonalKind } from '../values/agent-configuration.js';
import { AtStartFacts } from '../values/agent-facts.js';
import { callId } from '../values/call.js';
import { CallAtStart } from '../values/call-at-start.js';
import { ModelForService } from '../values/model.js';
import { AgentAtStart, CallContext } from '../values/runtime.js';
import { secretMentions } from '../values/secret-mentions.js';
import { VersionedSettings } from '../values/settings.js';
import { timestamp, uuid } from '../values/text.js';
import { agentId, organizationCleared, secretUses } from './parts.js';

/** A webhook as its sender gets it: literal header values are sealed until the request is sent. */
const PostCallTarget = AgentConfiguration.shape.post_call_webhook.unwrap().extend({
  headers: z.record(
    z.string(),
    z.union([HeaderValue, z.object({ sealed: z.string(), bound: z.string().optional() })]),
  ),
});

export const agentsConfigRequests = {
  agentsForCall: serviceRequest({
    id: 'agents.forCall',
    service: 'agents-config',
    askedBy: ['gateway', 'telephony-numbers', 'outbound-dialer', 'knowledge', 'widgets', 'mcp-hub'],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'May this agent take a call, and by which name and version',
    body: agentId,
    data: z.object({
      agentId: uuid,
      name: z.string(),
      isActive: z.boolean(),
      configVersion: z.int().nullable(),
      allowedOverrides: z.array(Overridable),
      /** The longest that a call of this version may last, in seconds; null without a configuration. */
      maxDurationSeconds: z.int().nullable().default(null),
      /** BCP 47; null without a configuration. */
      language: z.string().nullable().default(null),
      /** The first words of the agent, with placeholders. Absent without a configuration. */
      firstMessage: z.string().optional(),
      /** Defaults of the variables; null where there is none. */
      variables: z.record(z.string(), z.string().nullable()).optional(),
      /** What is hidden in records of its conversations, and the zone of national telephone numbers; absent without a configuration. */
      redaction: z.object({ kinds: z.array(PersonalKind), timezone: z.string() }).optional(),
    }),
  }),
  agentsAtStart: serviceRequest({
    id: 'agents.atStart',
    service: 'agents-config',
    askedBy: ['gateway'],
    summary: 'What agents-config knows of an agent for the voice runtime, at the start of a call',
    body: z.object({ agentId: uuid, call: CallAtStart }),
    composed: AtStartFacts,
    data: AgentAtStart,
    // An initiation webhook may take seven seconds of it.
    answerWithinMs: 10_000,
  }),
  agentsPlaceholders: serviceRequest({
    id: 'agents.placeholders',
    service: 'agents-config',
    askedBy: ['outbound-dialer'],
    summary: 'The placeholders in the texts of this agent',
    body: agentId,
    data: z.object({
      placeholders: z.array(
        z.object({
          name: z.string(),
          /** Something is said where the call has no value: a fallback at each place, or a default of the agent. */
          hasDefault: z.boolean(),
        }),
      ),
      /** Placeholders that no variable can fill, with the field that has them. Absent from an older release. */
      impossible: z
        .array(z.object({ path: z.string(), written: z.string(), message: z.string() }))
        .optional(),
      /** The languages and voices that a call may have with the agent's models; absent without a configuration. */
      choices: z
        .object({
          language: z.string(),
          voiceId: z.string(),
          languages: z.array(z.string()),
          voices: z.array(z.object({ id: z.string(), languages: z.array(z.string()) })),
        })
        .optional(),
    }),
  }),
  agentsReference: serviceRequest({
    id: 'agents.reference',
    service: 'agents-config',
    askedBy: ['calls-logs', 'knowledge'],
    summary: "Was this ever one of the organization's agents, and under which name",
    body: agentId,
    data: z.object({
      /** Null for an agent that never was this organization's. One that was deleted has the name that it had then. */
      name: z.string().nullable(),
      /** True when the organization ever had an agent; one that never had any has no calls either. */
      isOrganizationKnown: z.boolean(),
    }),
  }),
  agentsPostCallWebhook: serviceRequest({
    id: 'agents.postCallWebhook',
    service: 'agents-config',
    askedBy: ['gateway', 'calls-logs'],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary:
      'The webhook for a call that ran with this version of an agent, its variables, and the lifetime of the recording',
    body: z.object({
      agentId: uuid,
      /** The version in force, unless given. */
      version: z.int().min(1).nullable(),
      /** The variables of the call's initiation webhook come before the defaults. */
      callId: callId.optional(),
    }),
    data: z.object({
      version: z.int(),
      configuredAt: timestamp,
      webhook: PostCallTarget.nullable(),
      variables: z.record(z.string(), z.string().nullable()).describe('defaults of the agent'),
      timezone: z.string(),
      /** Null: recordings have no limit. Absent in the answers of a release before. */
      recordingRetentionDays: z.int().nullable().optional(),
    }),
  }),
  agentsAnalysisSettings: serviceRequest({
    id: 'agents.analysisSettings',
    service: 'agents-config',
    askedBy: ['calls-logs'],
    summary: 'What to find out from the transcript of a call that ran with this version of an agent',
    body: z.object({
      agentId: uuid,
      /** The version in force, unless given. */
      version: z.int().min(1).nullable(),
    }),
    data: z.object({
      language: z.string(),
      timezone: z.string(),
      llmModel: z.string(),
      dataNeeded: AgentConfiguration.shape.data_needed,
      dataEvaluation: AgentConfiguration.shape.data_evaluation,
      /** Absent in the answers of a release before. */
      personalKinds: z.array(PersonalKind).optional(),
    }),
  }),
  agentsModels: serviceRequest({
    id: 'agents.models',
    service: 'agents-config',
    askedBy: ['calls-logs'],
    summary: 'The models of the organization with these ids, and those that they fall back to',
    body: z.object({ ids: z.array(z.string().max(128)).max(100) }),
    data: z.array(ModelForService),
  }),
  agentsInitiationOfCall: serviceRequest({
    id: 'agents.initiationOfCall',
    service: 'agents-config',
    askedBy: ['calls-logs'],
    summary: 'The variables that the initiation webhook of this call answered',
    body: z.object({ callId }),
    data: z.object({
      /** Null: no webhook answered about this call within the last day. */
      initiation: z
        .object({ agentId: uuid, at: timestamp, dynamicVariables: z.record(z.string(), z.string()) })
        .nullable(),
    }),
  }),
  agentsPreviewCall: serviceRequest({
    id: 'agents.previewCall',
    service: 'agents-config',
    askedBy: ['calls-logs'],
    summary: 'The context of a call in a preview room; the metadata of the room names the call alone',
    body: z.object({ callId }),
    /** Null: not the call of a preview session. */
    data: z.object({ context: CallContext.nullable() }),
  }),
  agentsSecretReferences: serviceRequest({
    id: 'agents.secretReferences',
    service: 'agents-config',
    askedBy: [],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'The secrets that the configuration in force mentions, after the saves under way',
    body: agentId,
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  modelsSecretReferences: serviceRequest({
    id: 'models.secretReferences',
    service: 'agents-config',
    askedBy: [],
    formerly: { askedBy: ['tools-secrets'], upTo: '0.2.0' },
    summary: 'The secret that a model of the organization mentions, after the saves under way',
    body: z.object({ modelId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  settingsOf: serviceRequest({
    id: 'settings.of',
    service: 'agents-config',
    askedBy: ['calls-logs', 'outbound-dialer'],
    summary: "The organization's settings for all of its calls",
    body: z.object({}),
    data: VersionedSettings,
  }),
  agentsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'agents.organizationCleared',
    service: 'agents-config',
  }),
} as const;
