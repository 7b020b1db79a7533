// The requests between services over NATS, and the verified webhooks that the gateway hands on.
import { z } from 'zod';
import { AgentConfiguration, HeaderValue, Overridable, PersonalKind } from '../values/agent-configuration.js';
import { callId, TranscriptTurn } from '../values/call.js';
import { AnsweredBy, CallStatus, Direction, EndedReason, Outcome, Provider } from '../values/call-status.js';
import { KnowledgeForRuntime } from '../values/knowledge.js';
import { McpExecutionInCall, McpLoginAnswer, McpLoginOutcome, McpToolForRuntime } from '../values/mcp.js';
import { ModelForService } from '../values/model.js';
import { CallContext } from '../values/runtime.js';
import { VersionedSettings } from '../values/settings.js';
import { QuotaUse } from '../values/storage.js';
import { phoneNumber, timestamp, uuid } from '../values/text.js';
import { ExecutedTool, ResourceRef, ToolForRuntime, ToolResult } from '../values/tool.js';
import { serviceRequest } from './operation.js';

/** A verified webhook of the media server. The platform wrote the room metadata when it made the room. */
export const RoomEvent = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  at: timestamp,
  room: z.object({ name: z.string(), sid: z.string(), metadata: z.string() }),
  participant: z
    .object({
      identity: z.string(),
      kind: z.enum(['sip', 'agent', 'standard', 'ingress', 'egress', 'other']),
      attributes: z.record(z.string(), z.string()),
      disconnectReason: z.string().nullable(),
    })
    .optional(),
});
export type RoomEvent = z.infer<typeof RoomEvent>;

/** The progress of a call, for a service that may have missed an event. */
export const CallFacts = z.object({
  callId: z.string(),
  /** Absent from the answer of an older release. */
  agentId: z.string().optional(),
  outboundCallId: z.string().nullable(),
  status: CallStatus,
  outcome: Outcome.nullable(),
  endedReason: EndedReason.nullable(),
  answeredBy: AnsweredBy.nullable(),
  startedAt: timestamp,
  answeredAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  durationSeconds: z.number().nullable(),
  costMicros: z.int().nullable(),
});
export type CallFacts = z.infer<typeof CallFacts>;

/** Organizations that its owner has, or had: what the operator set for them holds for the next one, too. */
const beginning = z.object({ earlierIds: z.array(z.string()).max(500) });

export const AttemptFacts = z.object({
  callId: z.string(),
  status: CallStatus,
  endedReason: EndedReason.nullable(),
  answeredAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});
export type AttemptFacts = z.infer<typeof AttemptFacts>;

/** A number of the organization that calls can be made from. */
export const CallerNumber = z.object({
  id: uuid,
  provider: Provider,
  providerNumberId: z.string(),
  isoCountry: z.string(),
});
export type CallerNumber = z.infer<typeof CallerNumber>;

/**
 * The media server's outbound trunk of the number's provider. Null while that provider has none; absent from the answer of an
 * older release.
 */
const trunkId = z.string().min(1).nullable().optional();

/**
 * The time for which a dialer may act on the answer, from before it asked. The release of a number waits as long before
 * it is carried out.
 */
const goodForMs = z.int().min(1);

/** The secrets that a resource mentions: by id in `{ secretId }`, by name in `{{secrets.NAME}}`. */
const secretMentions = { ids: z.array(uuid).max(200), names: z.array(z.string()).max(200) };

/** Where the mentioned secrets are sent: those of one destination each. A secret that only signs or verifies is in none. */
const SecretUses = z.array(z.object({ origin: z.string(), ...secretMentions })).max(20);
export type SecretUses = z.infer<typeof SecretUses>;
/** Absent in the messages of a release before. */
const secretUses = { uses: SecretUses.optional() };

/** A webhook as its sender gets it: literal header values are sealed until the request is sent. */
const PostCallTarget = AgentConfiguration.shape.post_call_webhook.unwrap().extend({
  headers: z.record(
    z.string(),
    z.union([HeaderValue, z.object({ sealed: z.string(), bound: z.string().optional() })]),
  ),
});

/** A secret as it travels to the process that sends a request with it: sealed, and opened there only. */
export const SealedSecret = z.object({
  id: uuid,
  name: z.string(),
  version: z.int(),
  sealed: z.string(),
  /** The version before, while it is still good. */
  previous: z.object({ version: z.int(), sealed: z.string(), goodUntil: timestamp }).nullable(),
  /**
   * The origins that it may be sent to. Null for a secret of a release before, until those of its users are collected. Absent
   * in the answers of a release before.
   */
  allowedOrigins: z.array(z.string()).nullable().optional(),
});
export type SealedSecret = z.infer<typeof SealedSecret>;

const callIds = z.object({ callIds: z.array(callId).min(1).max(500) });
const agentId = z.object({ agentId: uuid });

/** A person as an organization knows them: by a telephone number. */
const person = z.object({ phoneNumber });
const personErasure = person.extend({
  /** Names the erasure; its repetitions and pieces have the same id. */
  erasureId: uuid,
  /** `user:<id>` or `key:<id>`, for the records. */
  requestedBy: z.string(),
});
/** One piece of an erasure. */
const erasedPiece = z.object({
  /** Things that were erased by this request. */
  erased: z.int().min(0),
  /** True while something is left, also what cannot be erased yet, such as a call in progress. */
  more: z.boolean(),
});

/** One removal of the caller's organization. */
const removal = z.object({ removalId: uuid });
const reopened = z.object({ reopened: z.literal(true) });

/** What the gateway knows of an upload before it has read a byte. */
const UploadArrival = z.object({
  ticket: z.string().max(4_096),
  contentType: z.string().max(256),
  bytes: z.int().min(0),
});
/** An address of the storage, signed for exactly this upload. */
const AdmittedUpload = z.object({ url: z.string() });
/** Each service with rows of organizations has this row. */
const organizationCleared = {
  askedBy: ['gateway'],
  summary: 'Is nothing left here of the organization that was removed',
  body: removal,
  /** False, too, while the service has not heard of the removal. */
  data: z.object({ cleared: z.boolean() }),
} as const;

export const serviceRequests = {
  agentsForCall: serviceRequest({
    id: 'agents.forCall',
    service: 'agents-config',
    askedBy: ['telephony-numbers', 'outbound-dialer', 'knowledge', 'tools-secrets', 'widgets', 'mcp-hub'],
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
    askedBy: ['calls-logs', 'tools-secrets'],
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
  toolsRunsOfCall: serviceRequest({
    id: 'tools.runsOfCall',
    service: 'tools-secrets',
    askedBy: ['calls-logs'],
    summary: 'The tools that have run in this call, the earliest first',
    body: z.object({ callId }),
    data: z.array(ExecutedTool),
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
  widgetsSessionCall: serviceRequest({
    id: 'widgets.sessionCall',
    service: 'widgets',
    askedBy: ['calls-logs'],
    summary: "The context of a call in a widget's room; the metadata of the room names the call alone",
    body: z.object({ callId }),
    /** Null: not the call of a widget's session. */
    data: z.object({ context: CallContext.nullable() }),
  }),
  widgetsEndConversation: serviceRequest({
    id: 'widgets.endConversation',
    service: 'widgets',
    askedBy: ['calls-logs'],
    summary: 'An operator ends a conversation in text',
    body: z.object({ callId }),
    data: z.object({
      /** False: no conversation in text has this call, or it had ended. */
      ended: z.boolean(),
    }),
  }),
  widgetsOrigins: serviceRequest({
    id: 'widgets.origins',
    service: 'widgets',
    askedBy: ['gateway'],
    summary: 'The origins whose pages may show the widget',
    body: z.object({ widgetId: uuid }),
    /** Empty for a widget that is unknown or disabled. */
    data: z.object({ allowedOrigins: z.array(z.string()) }),
  }),
  agentsSecretReferences: serviceRequest({
    id: 'agents.secretReferences',
    service: 'agents-config',
    askedBy: ['tools-secrets'],
    summary: 'The secrets that the configuration in force mentions, after the saves under way',
    body: agentId,
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  modelsSecretReferences: serviceRequest({
    id: 'models.secretReferences',
    service: 'agents-config',
    askedBy: ['tools-secrets'],
    summary: 'The secret that a model of the organization mentions, after the saves under way',
    body: z.object({ modelId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  callsRoomEvent: serviceRequest({
    id: 'calls.roomEvent',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Record a report of the media server about a room',
    body: RoomEvent,
    data: z.object({ recorded: z.boolean() }),
  }),
  knowledgeStorage: serviceRequest({
    id: 'knowledge.storage',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'What the organization stores as knowledge, and its quotas',
    body: z.object({}),
    data: z.object({ bytes: QuotaUse, chunks: QuotaUse }),
  }),
  outboundCallsStorage: serviceRequest({
    id: 'outboundCalls.storage',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'What the organization stores as files of campaigns, and its quota',
    body: z.object({}),
    data: QuotaUse,
  }),
  callsStorage: serviceRequest({
    id: 'calls.storage',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'What the organization stores as recordings, and its quota',
    body: z.object({}),
    data: QuotaUse,
  }),
  knowledgeBegin: serviceRequest({
    id: 'knowledge.begin',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'Set the quotas of an organization that is about to be made',
    body: beginning,
    data: z.object({}),
  }),
  callsBegin: serviceRequest({
    id: 'calls.begin',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Set the quota of an organization that is about to be made',
    body: beginning,
    data: z.object({}),
  }),
  knowledgeAdmitUpload: serviceRequest({
    id: 'knowledge.admitUpload',
    service: 'knowledge',
    askedBy: ['gateway'],
    summary: 'Count the size of an upload that arrives at the gateway, and name the address that takes it',
    body: UploadArrival,
    data: AdmittedUpload,
  }),
  outboundCallsAdmitUpload: serviceRequest({
    id: 'outboundCalls.admitUpload',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Count the size of an upload that arrives at the gateway, and name the address that takes it',
    body: UploadArrival,
    data: AdmittedUpload,
  }),
  callsTextTurns: serviceRequest({
    id: 'calls.textTurns',
    service: 'calls-logs',
    askedBy: ['widgets'],
    summary:
      'Show these turns of a conversation in text while it lasts; a turn that was shown before is ignored',
    body: z.object({
      callId,
      agentId: uuid,
      turns: z
        .array(TranscriptTurn.required({ createdAt: true }))
        .min(1)
        .max(100),
    }),
    data: z.object({}),
  }),
  callsFacts: serviceRequest({
    id: 'calls.facts',
    service: 'calls-logs',
    askedBy: ['agents-config', 'outbound-dialer'],
    summary: 'The states of these calls; unknown ones are left out',
    body: callIds,
    data: z.array(CallFacts),
  }),
  callsNumbers: serviceRequest({
    id: 'calls.numbers',
    service: 'calls-logs',
    askedBy: ['outbound-dialer'],
    summary: 'The telephone numbers of this call',
    body: z.object({ callId }),
    /** Both numbers are null for a call without a telephone, and for one that was erased. @throws CALL_NOT_FOUND */
    data: z.object({
      direction: Direction,
      fromNumber: z.string().nullable(),
      toNumber: z.string().nullable(),
    }),
  }),
  callsBelongsToOther: serviceRequest({
    id: 'calls.belongsToOther',
    service: 'calls-logs',
    askedBy: ['agents-config'],
    summary: 'Is this the call of another organization than the one that asks',
    body: z.object({ callId }),
    /** False for a call that nobody has reported yet. */
    data: z.object({ isForeign: z.boolean() }),
  }),
  callsLiveCountOfAgent: serviceRequest({
    id: 'calls.liveCountOfAgent',
    service: 'calls-logs',
    askedBy: ['agents-config'],
    summary: 'The number of calls that this agent holds right now',
    body: agentId,
    data: z.object({ live: z.int() }),
  }),
  callsOpenCount: serviceRequest({
    id: 'calls.openCount',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'The number of calls of the organization that have not ended, or wait for their hand-over',
    body: z.object({}),
    data: z.object({ open: z.int() }),
  }),
  callsCountPerson: serviceRequest({
    id: 'calls.countPerson',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Count the calls of the organization with this number',
    body: person,
    data: z.object({ calls: z.int(), recordings: z.int() }),
  }),
  callsErasePerson: serviceRequest({
    id: 'calls.erasePerson',
    service: 'calls-logs',
    askedBy: ['gateway'],
    summary: 'Erase some of the calls with this number; repeated until nothing is left',
    body: personErasure,
    data: erasedPiece,
  }),
  callsErase: serviceRequest({
    id: 'calls.erase',
    service: 'calls-logs',
    askedBy: ['outbound-dialer'],
    summary: 'Erase these calls of the organization; unknown and deleted ones are left out',
    body: callIds.extend({
      /** Same in each repetition. */
      erasureId: uuid,
      /** `user:<id>` or `key:<id>`, for the records. */
      requestedBy: z.string(),
    }),
    data: z.object({ erased: z.int().min(0) }),
  }),
  numbersCloseOrganization: serviceRequest({
    id: 'numbers.closeOrganization',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'Let the organization buy no number any more, and count its numbers',
    body: removal,
    /** Bought, being bought, and being given back. */
    data: z.object({ numbers: z.int() }),
  }),
  numbersReopenOrganization: serviceRequest({
    id: 'numbers.reopenOrganization',
    service: 'telephony-numbers',
    askedBy: ['gateway'],
    summary: 'Take this closure of the organization back, also one that is still on its way',
    body: removal,
    data: reopened,
  }),
  numbersForDialing: serviceRequest({
    id: 'numbers.forDialing',
    service: 'telephony-numbers',
    askedBy: ['outbound-dialer'],
    summary: 'May the organization call from this number, and which countries have its numbers',
    body: z.object({ fromNumber: phoneNumber }),
    data: z.object({
      /** Null: not an active number of the organization. */
      number: CallerNumber.nullable(),
      /**
       * The number is on record here, but not as an active number of the organization. Another organization has it, or
       * it is being bought or given back. The organization must never call from it, regardless of other answers.
       */
      isTaken: z.boolean().optional(),
      /** The countries of all its active numbers, as ISO 3166 codes in order. */
      countries: z.array(z.string()),
      trunkId,
      goodForMs,
    }),
  }),
  numbersOwnedAtProvider: serviceRequest({
    id: 'numbers.ownedAtProvider',
    service: 'telephony-numbers',
    askedBy: ['outbound-dialer'],
    summary: 'May the organization call from a number that is kept at the provider and not here',
    body: z.object({
      provider: Provider,
      sid: z.string().describe("the provider's identifier of the number"),
      fromNumber: phoneNumber,
    }),
    data: z.object({
      /**
       * True only in billing mode "own", where the provider's accounts belong to the tenants. The provider has to have this very
       * number under this identifier. A record here must not say that it is another organization's, or being bought or given back.
       */
      isOwned: z.boolean(),
      /** The countries of all its active numbers on record here, as ISO 3166 codes in order. */
      countries: z.array(z.string()),
      trunkId,
      goodForMs,
    }),
  }),
  settingsOf: serviceRequest({
    id: 'settings.of',
    service: 'agents-config',
    askedBy: ['calls-logs', 'outbound-dialer'],
    summary: "The organization's settings for all of its calls",
    body: z.object({}),
    data: VersionedSettings,
  }),
  limitsOf: serviceRequest({
    id: 'limits.of',
    service: 'outbound-dialer',
    askedBy: ['agents-config'],
    summary: "The operator's limits for the organization; null is no limit",
    body: z.object({}),
    data: z.object({
      concurrentCalls: z.int().nullable(),
      /** ISO 3166 codes. */
      countries: z.array(z.string()).nullable(),
    }),
  }),
  placesTake: serviceRequest({
    id: 'places.take',
    service: 'outbound-dialer',
    askedBy: ['widgets'],
    summary:
      'Take a place among the calls of the organization for a call in a browser, and put its worst case aside; asked again for the same call, changes nothing',
    body: z.object({ callId: uuid, seconds: z.int().min(1).max(86_400).describe('maximum duration') }),
    data: z.object({}),
  }),
  placesGiveBack: serviceRequest({
    id: 'places.giveBack',
    service: 'outbound-dialer',
    askedBy: ['widgets'],
    summary: 'Give the place of a call in a browser back; it is never taken afterwards',
    body: z.object({
      callId: uuid,
      /** The time that the room of the call existed; null: there was no room. */
      seconds: z.number().min(0).nullable(),
    }),
    data: z.object({}),
  }),
  spendReserveNumber: serviceRequest({
    id: 'spend.reserveNumber',
    service: 'outbound-dialer',
    askedBy: ['telephony-numbers'],
    summary:
      'Put a month of a number aside before it is bought; asked again for the same number, changes nothing',
    body: z.object({
      numberId: uuid,
      monthlyPriceMicros: z.int().min(0),
      /** ISO 4217. */
      currency: z.string(),
      /** The numbers of the organization, with those that are being bought or given back, this one included. */
      numbersOwned: z.int().min(1),
    }),
    data: z.object({}),
  }),
  outboundCallsAttemptFacts: serviceRequest({
    id: 'outboundCalls.attemptFacts',
    service: 'outbound-dialer',
    askedBy: ['calls-logs'],
    summary: 'The states of the attempts behind these calls; unknown ones are left out',
    body: callIds,
    data: z.array(AttemptFacts),
  }),
  outboundCallsEndAttempt: serviceRequest({
    id: 'outboundCalls.endAttempt',
    service: 'outbound-dialer',
    askedBy: ['calls-logs'],
    summary: 'An operator ends a call that is still being dialled',
    body: z.object({ outboundCallId: uuid, callId }),
    data: z.object({
      /** Null when the attempt was answered or over before; the call then ends in that way. */
      cancelledAt: timestamp.nullable(),
    }),
  }),
  outboundCallsOpenCountOfAgent: serviceRequest({
    id: 'outboundCalls.openCountOfAgent',
    service: 'outbound-dialer',
    askedBy: ['agents-config'],
    summary: 'The numbers of outbound calls and campaigns of this agent that have not ended',
    body: agentId,
    data: z.object({ open: z.int() }),
  }),
  outboundCallsCountPerson: serviceRequest({
    id: 'outboundCalls.countPerson',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Count the outbound calls and the recipients of campaigns of the organization with this number',
    body: person,
    data: z.object({ outboundCalls: z.int(), recipients: z.int() }),
  }),
  outboundCallsErasePerson: serviceRequest({
    id: 'outboundCalls.erasePerson',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary:
      'Cancel and erase some of the outbound calls and recipients with this number; repeated until nothing is left',
    body: personErasure,
    data: erasedPiece,
  }),
  limitsBegin: serviceRequest({
    id: 'limits.begin',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Set the limits of an organization that is about to be made',
    body: beginning.extend({
      /** False: it begins without money, until the operator gives it some. */
      isFunded: z.boolean(),
    }),
    data: z.object({}),
  }),
  outboundCallsCloseOrganization: serviceRequest({
    id: 'outboundCalls.closeOrganization',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary:
      'Let the organization begin no call and no campaign any more, and count those that have not ended',
    body: removal,
    /** A campaign that is being created right now counts, and so does a call. */
    data: z.object({ campaigns: z.int(), outboundCalls: z.int() }),
  }),
  outboundCallsReopenOrganization: serviceRequest({
    id: 'outboundCalls.reopenOrganization',
    service: 'outbound-dialer',
    askedBy: ['gateway'],
    summary: 'Take this closure of the organization back, also one that is still on its way',
    body: removal,
    data: reopened,
  }),
  secretsSealed: serviceRequest({
    id: 'secrets.sealed',
    service: 'tools-secrets',
    askedBy: ['agents-config', 'calls-logs', 'widgets', 'mcp-hub'],
    summary:
      'Hand these secrets over, sealed, for a request that is about to be sent; unknown ones are left out',
    body: z.object(secretMentions),
    data: z.array(SealedSecret),
  }),
  secretsRefer: serviceRequest({
    id: 'secrets.refer',
    service: 'tools-secrets',
    askedBy: ['agents-config', 'widgets', 'mcp-hub'],
    summary:
      'Note that a resource is about to mention these secrets, so that none of them is deleted; an unknown one is refused',
    body: z.object({
      user: ResourceRef,
      ...secretMentions,
      ...secretUses,
      /** Whoever saves the resource may decide where a secret is sent: origins that are new are allowed from now on. */
      mayAllow: z.boolean().optional(),
    }),
    data: z.object({}),
  }),
  toolsForAgent: serviceRequest({
    id: 'tools.forAgent',
    service: 'tools-secrets',
    askedBy: ['agents-config'],
    summary: 'The active tools of an agent, as a model is told of them',
    body: agentId,
    data: z.array(ToolForRuntime),
  }),
  mcpSecretReferences: serviceRequest({
    id: 'mcp.secretReferences',
    service: 'mcp-hub',
    askedBy: ['tools-secrets'],
    summary: 'Which secrets a connection mentions, after the saves that are under way',
    body: z.object({ mcpConnectionId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  widgetsSecretReferences: serviceRequest({
    id: 'widgets.secretReferences',
    service: 'widgets',
    askedBy: ['tools-secrets'],
    summary: 'Which secrets a widget mentions, after the saves that are under way',
    body: z.object({ widgetId: uuid }),
    data: z.object({ ...secretMentions, ...secretUses, name: z.string() }),
  }),
  mcpForAgent: serviceRequest({
    id: 'mcp.forAgent',
    service: 'mcp-hub',
    askedBy: ['agents-config'],
    summary: 'The tools of connected MCP servers that are offered to an agent, as a model is told of them',
    body: agentId,
    data: z.array(McpToolForRuntime),
  }),
  mcpExecuteInCall: serviceRequest({
    id: 'mcp.executeInCall',
    service: 'mcp-hub',
    askedBy: ['tools-secrets'],
    summary: 'Execute a tool of a connected MCP server for the agent that holds a call',
    body: McpExecutionInCall,
    data: ToolResult,
    // In a call a server gets sixty seconds at most.
    answerWithinMs: 64_000,
  }),
  mcpFinishLogin: serviceRequest({
    id: 'mcp.finishLogin',
    service: 'mcp-hub',
    askedBy: ['gateway'],
    summary:
      'Finish the login of a connection, with the answer of the authorization server that a person brings back',
    body: McpLoginAnswer,
    // The code in it is worth a token.
    confidential: true,
    data: z.object({ outcome: McpLoginOutcome }),
    // One request for the tokens, and the first refresh of the connection.
    answerWithinMs: 30_000,
  }),
  knowledgeForAgent: serviceRequest({
    id: 'knowledge.forAgent',
    service: 'knowledge',
    askedBy: ['agents-config'],
    summary: 'The knowledge of an agent: whether it is searched in a call, and the text for the prompt',
    body: agentId,
    data: KnowledgeForRuntime,
  }),
  agentsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'agents.organizationCleared',
    service: 'agents-config',
  }),
  numbersOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'numbers.organizationCleared',
    service: 'telephony-numbers',
  }),
  callsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'calls.organizationCleared',
    service: 'calls-logs',
  }),
  outboundCallsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'outboundCalls.organizationCleared',
    service: 'outbound-dialer',
  }),
  knowledgeOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'knowledge.organizationCleared',
    service: 'knowledge',
  }),
  toolsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'tools.organizationCleared',
    service: 'tools-secrets',
  }),
  mcpOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'mcp.organizationCleared',
    service: 'mcp-hub',
  }),
  widgetsOrganizationCleared: serviceRequest({
    ...organizationCleared,
    id: 'widgets.organizationCleared',
    service: 'widgets',
  }),
  outboundCallsCampaignFrom: serviceRequest({
    id: 'outboundCalls.campaignFrom',
    service: 'outbound-dialer',
    askedBy: ['telephony-numbers'],
    summary: 'An unfinished campaign of the organization that calls from this number, if there is one',
    body: z.object({ phoneNumber }),
    data: z.object({
      /** The unfinished campaign, also one that is being created right now; null: none. */
      campaignId: uuid.nullable(),
    }),
  }),
} as const;

export type AnyServiceRequest = (typeof serviceRequests)[keyof typeof serviceRequests];
