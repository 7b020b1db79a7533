// The methods of the client. Written by `npm run gen` from the interface document; changes here are lost.

import type { ListMethod, Method, NoRequest, StreamMethod, TextMethod } from '../method/method.js';
import type { Agent, AgentConfiguration, AgentConfigurationInput, AgentInput, AgentUpdate, AnsweredBy, ApiKey, ApiKeyOnce, AuthInvitation, AuthListedSession, AuthMember, AuthOrganization, AuthSession, AuthUser, BatchCampaign, BatchPreview, Budget, CallLog, CallStatus, CallTimeline, Caller, CampaignOutcomes, CampaignRecipient, CancelResult, ColumnMapping, ConfigurationVersion, DashboardSummary, EndLiveCallResult, EndedErrorRequest, EndedReason, ErasureState, Health, Json, KnowledgeSource, LiveCall, LiveEvent, McpAuthorization, McpCatalogEntry, McpConnection, McpExecuteResult, ModelForCall, ModelInput, ModelTest, NumberSearchResult, OrganizationModel, OutboundCall, OutboundCallStatusView, OutboundCallTimeline, Outcome, Passage, PersonErasureStep, PhoneNumber, PreviewConversation, PreviewSession, PublicWidgetConfig, Ready, RecipientState, RecordingUpload, RuntimeConfig, Secret, Settings, Spend, StorageUse, Suppression, SuppressionFact, Tool, ToolResult, ToolRun, Transcript, TranscriptTurn, TranscriptTurnRequest, VoiceCatalog, WebhookDelivery, WebhookReplay, WebhookTest, WebhookTestResult, Widget, WidgetSession, WorstCase } from './schemas.js';

/** The input of `client.agents.create`. */
export interface AgentsCreateRequest {
  body: AgentInput;
}

/** The input of `client.agents.list`. */
export interface AgentsListRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.agents.previewSession`. */
export interface AgentsPreviewSessionRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  body?: {
    dynamicVariables?: { [key: string]: string } | undefined;
  } | undefined;
}

/** The input of `client.agents.startPreviewConversation`. */
export interface AgentsStartPreviewConversationRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  body?: {
    dynamicVariables?: { [key: string]: string } | undefined;
  } | undefined;
}

/** The input of `client.agents.sendPreviewMessage`. */
export interface AgentsSendPreviewMessageRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Id of the conversation, as its start answers it. */
    sessionId: string;
  };
  body: {
    /** From 1 to 2000 characters. */
    text: string;
  };
}

/** The input of `client.agents.endPreviewConversation`. */
export interface AgentsEndPreviewConversationRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Id of the conversation, as its start answers it. */
    sessionId: string;
  };
}

/** The input of `client.agents.update`. */
export interface AgentsUpdateRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  body?: AgentUpdate | undefined;
}

/** The input of `client.agents.delete`. */
export interface AgentsDeleteRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.agents.saveConfig`. */
export interface AgentsSaveConfigRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  body: AgentConfigurationInput;
}

/** The input of `client.agents.getConfig`. */
export interface AgentsGetConfigRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.agents.listConfigVersions`. */
export interface AgentsListConfigVersionsRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** Returns versions with a lower number; for the next page, pass the last one received. From 1 to 999999999. */
    before?: number | string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
  } | undefined;
}

/** The input of `client.agents.getConfigVersion`. */
export interface AgentsGetConfigVersionRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Integer from 1 to 999999999. From 1 to 999999999. */
    version: number | string;
  };
}

/** The input of `client.agents.restoreConfigVersion`. */
export interface AgentsRestoreConfigVersionRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Integer from 1 to 999999999. From 1 to 999999999. */
    version: number | string;
  };
  body: {
    /** The current version as you last read it; a mismatch returns VERSION_CONFLICT. At least 1. */
    expectedVersion: number;
  };
}

/** The input of `client.numbers.search`. */
export interface NumbersSearchRequest {
  query: {
    /** Telephony provider. */
    provider: "TWILIO" | "TELNYX";
    /** Code of two letters by ISO 3166-1. */
    country: string;
    /** Integer from 1 to 999999. From 1 to 999999. */
    areaCode?: number | string | undefined;
    /** Integer from 1 to 50. From 1 to 50. */
    limit?: number | string | undefined;
  };
}

/** The input of `client.numbers.list`. */
export interface NumbersListRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.numbers.buy`. */
export interface NumbersBuyRequest {
  body: {
    provider: "TWILIO" | "TELNYX";
    /** From 1 to 32 characters. */
    phoneNumber: string;
    /** From 1 to 2048 characters. */
    quoteId?: string | undefined;
  };
}

/** The input of `client.numbers.assign`. */
export interface NumbersAssignRequest {
  params: {
    /** Id of the number, as the list of numbers has it. */
    phId: string;
  };
  body: {
    agentId: string | null;
  };
}

/** The input of `client.numbers.release`. */
export interface NumbersReleaseRequest {
  params: {
    /** Id of the number, as the list of numbers has it. */
    phId: string;
  };
}

/** The input of `client.calls.list`. */
export interface CallsListRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** With this status. */
    status?: CallStatus | undefined;
    /** By who began the call. */
    direction?: "inbound" | "outbound" | undefined;
    /** What belongs to this campaign. */
    campaignId?: string | undefined;
    /** How the person is connected. */
    channel?: "phone" | "widget" | "preview" | undefined;
    /** What the call came to. */
    outcome?: Outcome | undefined;
    /** The other party's phone number or its last digits, the ID of a call or outbound call, or all or one word of the person's name. From 1 to 120 characters. */
    search?: string | undefined;
    /** First moment of the period. */
    from?: string | undefined;
    /** End of the period. */
    to?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.calls.ingest`. */
export interface CallsIngestRequest {
  body: {
    eventId: string;
    schemaVersion: 1;
    /** From 1 to 64 characters. */
    organizationId: string;
    agentId: string;
    callId: string;
    /** At least 0. */
    configVersion?: number | null | undefined;
    /** From 1 to 256 characters. */
    roomName?: string | null | undefined;
    channel: "phone" | "widget" | "preview";
    direction: "inbound" | "outbound";
    /** From 1 to 64 characters. */
    fromNumber?: string | null | undefined;
    /** From 1 to 64 characters. */
    toNumber?: string | null | undefined;
    provider?: "TWILIO" | "TELNYX" | null | undefined;
    /** From 1 to 256 characters. */
    providerCallId?: string | null | undefined;
    outboundCallId?: string | null | undefined;
    campaignId?: string | null | undefined;
    widgetId?: string | null | undefined;
    status: CallStatus;
    endedReason?: EndedReason | null | undefined;
    error?: EndedErrorRequest | null | undefined;
    answeredBy?: AnsweredBy | null | undefined;
    startedAt: string;
    answeredAt?: string | null | undefined;
    endedAt: string;
    /** From 0 to 86400. */
    durationSeconds?: number | null | undefined;
    /** At most 10000 turns; more are PAYLOAD_TOO_LARGE. */
    transcript?: TranscriptTurnRequest[] | undefined;
    recording?: {
      /** From 1 to 1024 characters. */
      storageKey: string;
      /** At least 0. */
      durationSeconds: number;
      channels: 1 | 2;
      /** From 1 to 128 characters. */
      sha256: string;
    } | null | undefined;
    /** At most 100 items. */
    usage?: Array<{
      kind: "telephony" | "stt" | "llm" | "tts" | "recording";
      /** At least 0. */
      quantity: number;
      unit: "second" | "token" | "character";
      /** From 1 to 128 characters. */
      provider: string;
      /** From 1 to 128 characters. */
      model?: string | null | undefined;
      /** Of tokens: those of the prompt, or those of the answer. */
      direction?: "input" | "output" | undefined;
    }> | undefined;
    latency?: {
      /** At least 0. */
      e2eP50Ms: number | null;
      /** At least 0. */
      e2eP95Ms: number | null;
      /** At least 0. */
      llmP50Ms: number | null;
      /** At least 0. */
      ttsP50Ms: number | null;
      /** At least 0. */
      sttP50Ms: number | null;
    } | null | undefined;
    dataCollected?: { [key: string]: {
      value: Json;
      /** From 0 to 2000 characters. */
      rationale: string | null;
      /** `seq` of the turns that prove it. At most 20 items. */
      turns?: number[] | undefined;
      /** Words of one of these turns. From 0 to 1000 characters. */
      quote?: string | undefined;
    } } | undefined;
    /** At most 50 items. */
    evaluation?: Array<{
      /** From 1 to 64 characters. */
      id: string;
      /** From 1 to 120 characters. */
      name: string;
      result: "success" | "failure" | "unknown";
      score: number | null;
      /** From 0 to 2000 characters. */
      rationale: string | null;
      /** `seq` of the turns that prove it. At most 20 items. */
      turns?: number[] | undefined;
      /** Words of one of these turns. From 0 to 1000 characters. */
      quote?: string | undefined;
    }> | undefined;
    /** From 0 to 10000 characters. */
    summary?: string | null | undefined;
    successful?: "success" | "failure" | "unknown" | null | undefined;
    transfer?: {
      type: "cold" | "warm" | "agent";
      /** From 1 to 256 characters. */
      destination: string;
      status: "ongoing" | "succeeded" | "failed";
    } | null | undefined;
    consent?: {
      type: "none" | "announce" | "verbal" | "widget";
      granted: boolean | null;
      /** ISO 8601, UTC, milliseconds. */
      at: string | null;
      /** From 1 to 64 characters. */
      textVersion: string | null;
    } | null | undefined;
    /** `pending` without results: the platform analyzes the transcript; `skipped`: no analysis is wanted. `pending` unless given. */
    analysisStatus?: "pending" | "completed" | "failed" | "skipped" | undefined;
    dynamicVariables?: { [key: string]: string } | undefined;
    metadata?: { [key: string]: Json } | undefined;
    /** True: the person asked not to be called again. Their number is put on the suppression list, unless it is withheld. */
    optedOut?: boolean | undefined;
  };
}

/** The input of `client.calls.endLive`. */
export interface CallsEndLiveRequest {
  body: {
    /** From 1 to 256 characters. */
    roomName: string;
  };
}

/** The input of `client.calls.export`. */
export interface CallsExportRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** With this status. */
    status?: CallStatus | undefined;
    /** By who began the call. */
    direction?: "inbound" | "outbound" | undefined;
    /** What belongs to this campaign. */
    campaignId?: string | undefined;
    /** How the person is connected. */
    channel?: "phone" | "widget" | "preview" | undefined;
    /** What the call came to. */
    outcome?: Outcome | undefined;
    /** The other party's phone number or its last digits, the ID of a call or outbound call, or all or one word of the person's name. From 1 to 120 characters. */
    search?: string | undefined;
    /** First moment of the period. */
    from?: string | undefined;
    /** End of the period. */
    to?: string | undefined;
  } | undefined;
}

/** The input of `client.calls.get`. */
export interface CallsGetRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
}

/** The input of `client.calls.delete`. */
export interface CallsDeleteRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
}

/** The input of `client.calls.transcripts`. */
export interface CallsTranscriptsRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.calls.timeline`. */
export interface CallsTimelineRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
}

/** The input of `client.calls.progress`. */
export interface CallsProgressRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  body: {
    /** From 1 to 100 items. */
    events: Array<{
      /** Sequence number of the event within the call; one that was already received is ignored. At least 0. */
      seq: number;
      at: string;
      type: "turn";
      turn: TranscriptTurnRequest;
    } | {
      /** Sequence number of the event within the call; one that was already received is ignored. At least 0. */
      seq: number;
      at: string;
      type: "state";
      state: "listening" | "thinking" | "speaking";
    } | {
      /** Sequence number of the event within the call; one that was already received is ignored. At least 0. */
      seq: number;
      at: string;
      type: "metric";
      /** From 1 to 64 characters. */
      name: string;
      /** From 0 to 86400000. */
      ms: number;
    }>;
  };
}

/** The input of `client.calls.recordingUpload`. */
export interface CallsRecordingUploadRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  body: {
    contentType: "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/mp4" | "audio/webm";
    /** Size of the file. From 1 to 536870912. */
    bytes: number;
  };
}

/** The input of `client.dashboard.summary`. */
export interface DashboardSummaryRequest {
  query?: {
    /** The period; `custom` takes `from` and `to`. */
    range?: "24h" | "7d" | "30d" | "custom" | undefined;
    /** First moment of the period. From 1 to 40 characters. */
    from?: string | undefined;
    /** End of the period. From 1 to 40 characters. */
    to?: string | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.list`. */
export interface OutboundCallsListRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** With this status. */
    status?: CallStatus | undefined;
    /** Placed alone or by a campaign. */
    mode?: "quick" | "batch" | undefined;
    /** What belongs to this campaign. */
    campaignId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.quick`. */
export interface OutboundCallsQuickRequest {
  body: {
    /** Agent that makes the call. */
    agentId: string;
    /** Number to call. From 1 to 32 characters. */
    phoneNumber: string;
    /** Number shown to the callee. From 1 to 32 characters. */
    fromNumber: string;
    /** Overrides the configured first message. From 1 to 2000 characters. */
    firstMessage?: string | undefined;
    /** Overrides the configured prompt. From 1 to 100000 characters. */
    systemPrompt?: string | undefined;
    /** Name of the callee, for operators. From 1 to 120 characters. */
    username?: string | undefined;
    /** Values for {{placeholders}} in the prompts. */
    dynamicVariables?: { [key: string]: string } | undefined;
    /** Must be the provider of fromNumber. */
    provider?: "TWILIO" | "TELNYX" | undefined;
    /** The provider's ID of fromNumber, with `provider`: for a number that exists only at the provider; requires provider accounts of your own. From 1 to 128 characters. */
    sid?: string | undefined;
    metadata?: { [key: string]: Json } | undefined;
    /** From 10 to 180. */
    ringingTimeoutSeconds?: number | undefined;
  };
}

/** The input of `client.outboundCalls.batchUploadUrl`. */
export interface OutboundCallsBatchUploadUrlRequest {
  query: {
    /** Name of the file, for people. From 1 to 255 characters. */
    fileName: string;
    /** Media type of the file, which its upload has to name too. From 1 to 128 characters. */
    contentType: string;
    /** Integer from 0 to 999999999. From 0 to 999999999. */
    bytes?: number | string | undefined;
  };
}

/** The input of `client.outboundCalls.createBatch`. */
export interface OutboundCallsCreateBatchRequest {
  body: {
    /** From 1 to 120 characters. */
    name: string;
    agentId: string;
    /** From 1 to 32 characters. */
    fromNumber: string;
    /** From 1 to 1024 characters. */
    sourceFileKey: string;
    /** From 1 to 255 characters. */
    sourceFileName: string;
    scheduledAt?: string | null | undefined;
    /** From 1 to 64 characters. */
    timezone?: string | undefined;
    /** From 10 to 180. */
    ringingTimeoutSeconds?: number | undefined;
    /** From 0.1 to 100. */
    callsPerSecond?: number | undefined;
    /** From 1 to 10000. */
    maxConcurrency?: number | null | undefined;
    callingWindow?: {
      /** Days on which the window opens; 0 is Monday. From 1 to 7 items. */
      days: number[];
      start: string;
      /** A time before the start is on the next day; 24:00 is midnight. */
      end: string;
      basis: "campaign" | "recipient";
    } | null | undefined;
    retryPolicy?: {
      /** From 1 to 10. `1` unless given. */
      maxAttempts?: number | undefined;
      /** From 30 to 86400. `300` unless given. */
      delaySeconds?: number | undefined;
      on?: Array<"busy" | "no_answer" | "voicemail" | "failed"> | undefined;
    } | undefined;
    circuitBreaker?: {
      /** `true` unless given. */
      enabled?: boolean | undefined;
      /** From 0 to 1. `0.5` unless given. */
      failureThreshold?: number | undefined;
      /** From 30 to 600. `120` unless given. */
      windowSeconds?: number | undefined;
      /** From 1 to 1000. `5` unless given. */
      minCalls?: number | undefined;
    } | undefined;
    duplicates?: "first" | "all" | "reject" | undefined;
    /** Maximum cost of the whole campaign. */
    budget?: Budget | null | undefined;
    columns?: ColumnMapping | undefined;
  };
}

/** The input of `client.outboundCalls.listBatches`. */
export interface OutboundCallsListBatchesRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.previewBatch`. */
export interface OutboundCallsPreviewBatchRequest {
  body: {
    agentId: string;
    /** From 1 to 32 characters. */
    fromNumber: string;
    /** From 1 to 1024 characters. */
    sourceFileKey: string;
    /** From 1 to 255 characters. */
    sourceFileName: string;
    scheduledAt?: string | null | undefined;
    /** From 1 to 64 characters. */
    timezone?: string | undefined;
    /** From 0.1 to 100. */
    callsPerSecond?: number | undefined;
    /** From 1 to 10000. */
    maxConcurrency?: number | null | undefined;
    callingWindow?: {
      /** Days on which the window opens; 0 is Monday. From 1 to 7 items. */
      days: number[];
      start: string;
      /** A time before the start is on the next day; 24:00 is midnight. */
      end: string;
      basis: "campaign" | "recipient";
    } | null | undefined;
    retryPolicy?: {
      /** From 1 to 10. `1` unless given. */
      maxAttempts?: number | undefined;
      /** From 30 to 86400. `300` unless given. */
      delaySeconds?: number | undefined;
      on?: Array<"busy" | "no_answer" | "voicemail" | "failed"> | undefined;
    } | undefined;
    duplicates?: "first" | "all" | "reject" | undefined;
    columns?: ColumnMapping | undefined;
  };
}

/** The input of `client.outboundCalls.getBatch`. */
export interface OutboundCallsGetBatchRequest {
  params: {
    /** Id of the campaign. */
    campaignId: string;
  };
}

/** The input of `client.outboundCalls.batchOutcomes`. */
export interface OutboundCallsBatchOutcomesRequest {
  params: {
    /** Id of the campaign. */
    campaignId: string;
  };
}

/** The input of `client.outboundCalls.listRecipients`. */
export interface OutboundCallsListRecipientsRequest {
  params: {
    /** Id of the campaign. */
    campaignId: string;
  };
  query?: {
    /** Filters by state. */
    state?: RecipientState | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.exportRecipients`. */
export interface OutboundCallsExportRecipientsRequest {
  params: {
    /** Id of the campaign. */
    campaignId: string;
  };
  query?: {
    /** Filters by state. */
    state?: RecipientState | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.cancelBatch`. */
export interface OutboundCallsCancelBatchRequest {
  params: {
    /** Id of the campaign. */
    campaignId: string;
  };
}

/** The input of `client.outboundCalls.status`. */
export interface OutboundCallsStatusRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.outboundCalls.get`. */
export interface OutboundCallsGetRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.outboundCalls.delete`. */
export interface OutboundCallsDeleteRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.outboundCalls.timeline`. */
export interface OutboundCallsTimelineRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.outboundCalls.cancel`. */
export interface OutboundCallsCancelRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.outboundCalls.retry`. */
export interface OutboundCallsRetryRequest {
  params: {
    /** Id of the outbound call. */
    outboundId: string;
  };
}

/** The input of `client.knowledge.list`. */
export interface KnowledgeListRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.knowledge.create`. */
export interface KnowledgeCreateRequest {
  body: {
    agentId: string;
    /** From 1 to 20 items. */
    sources?: Array<{
      type: "url";
      /** From 1 to 2048 characters. */
      url: string;
      /** From 1 to 200 characters. */
      name?: string | undefined;
      crawl?: {
        /** `page` unless given. */
        mode?: "page" | "sitemap" | "site" | undefined;
        /** From 1 to 500. `50` unless given. */
        maxPages?: number | undefined;
      } | undefined;
      /** Additional parts of pages to read. At most 2 items. */
      include?: Array<"aside" | "footer"> | undefined;
      /** From 1 to 8760. */
      refreshIntervalHours?: number | null | undefined;
    } | {
      type: "file";
      /** From 1 to 1024 characters. */
      fileKey: string;
      /** From 1 to 255 characters. */
      fileName: string;
      /** From 1 to 200 characters. */
      name?: string | undefined;
      /** Additional parts of pages to read. At most 2 items. */
      include?: Array<"aside" | "footer"> | undefined;
    }> | undefined;
    /** From 1 to 20 items. */
    urls?: string[] | undefined;
    usageMode?: "auto" | "prompt" | undefined;
  };
}

/** The input of `client.knowledge.uploadUrl`. */
export interface KnowledgeUploadUrlRequest {
  query: {
    /** Name of the file, for people. From 1 to 255 characters. */
    fileName: string;
    /** Media type of the file, which its upload has to name too. From 1 to 128 characters. */
    contentType: string;
    /** Integer from 0 to 999999999. From 0 to 999999999. */
    bytes?: number | string | undefined;
  };
}

/** The input of `client.knowledge.update`. */
export interface KnowledgeUpdateRequest {
  params: {
    /** Id of the knowledge source. */
    kbId: string;
  };
  body?: {
    /** From 1 to 200 characters. */
    name?: string | undefined;
    /** From 1 to 2048 characters. */
    url?: string | undefined;
    /** From 1 to 1024 characters. */
    fileKey?: string | undefined;
    usageMode?: "auto" | "prompt" | undefined;
    crawl?: {
      /** `page` unless given. */
      mode?: "page" | "sitemap" | "site" | undefined;
      /** From 1 to 500. `50` unless given. */
      maxPages?: number | undefined;
    } | undefined;
    /** Additional parts of pages to read. At most 2 items. */
    include?: Array<"aside" | "footer"> | undefined;
    /** From 1 to 8760. */
    refreshIntervalHours?: number | null | undefined;
  } | undefined;
}

/** The input of `client.knowledge.delete`. */
export interface KnowledgeDeleteRequest {
  params: {
    /** Id of the knowledge source. */
    kbId: string;
  };
}

/** The input of `client.knowledge.refresh`. */
export interface KnowledgeRefreshRequest {
  params: {
    /** Id of the knowledge source. */
    kbId: string;
  };
}

/** The input of `client.knowledge.search`. */
export interface KnowledgeSearchRequest {
  body: {
    agentId: string;
    /** From 1 to 1000 characters. */
    query: string;
    /** From 1 to 20. `5` unless given. */
    limit?: number | undefined;
  };
}

/** The input of `client.knowledge.searchInCall`. */
export interface KnowledgeSearchInCallRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  body: {
    /** From 1 to 1000 characters. */
    query: string;
    /** From 1 to 20. `5` unless given. */
    limit?: number | undefined;
  };
}

/** The input of `client.tools.list`. */
export interface ToolsListRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.tools.create`. */
export interface ToolsCreateRequest {
  body: {
    /** `http` unless given. */
    type?: "http" | undefined;
    name: string;
    /** From 1 to 2000 characters. */
    description: string;
    request: {
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
      /** From 1 to 2048 characters. */
      url: string;
      headers?: { [key: string]: string | {
        secretId: string;
      } } | undefined;
      /** `application/json` unless given. */
      contentType?: "application/json" | "application/x-www-form-urlencoded" | undefined;
      bodyTemplate?: { [key: string]: Json } | null | undefined;
    };
    /** At most 50 items. */
    parameters?: Array<{
      name: string;
      in: "path" | "query" | "body";
      type: "string" | "number" | "integer" | "boolean" | "object" | "array";
      /** From 0 to 1000 characters. */
      description: string;
      required: boolean;
      /** From 1 to 100 items. */
      enum?: string[] | undefined;
      source: "model" | "preset";
      /** From 0 to 2000 characters. */
      value?: string | undefined;
      /** Call records show the argument as "•••". */
      sensitive?: boolean | undefined;
    }> | undefined;
    /** From 1000 to 60000. `10000` unless given. */
    timeoutMs?: number | undefined;
    /** `immediate` unless given. */
    executionMode?: "immediate" | "after_speech" | "async" | undefined;
    /** From 1 to 500 characters. */
    fillerMessage?: string | null | undefined;
    /** `true` unless given. */
    interruptible?: boolean | undefined;
    response?: {
      /** From 1 to 100000. `4000` unless given. */
      maxChars?: number | undefined;
      /** At most 100 items. */
      include?: string[] | undefined;
      /** At most 50 items. */
      assignments?: Array<{
        /** From 1 to 64 characters. */
        variable: string;
        /** From 1 to 256 characters. */
        path: string;
      }> | undefined;
    } | undefined;
    /** `summarize` unless given. */
    onError?: "hide" | "summarize" | "passthrough" | undefined;
    /** `true` unless given. */
    isActive?: boolean | undefined;
  };
}

/** The input of `client.tools.listForAgent`. */
export interface ToolsListForAgentRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.tools.update`. */
export interface ToolsUpdateRequest {
  params: {
    /** Id of the tool. */
    toolId: string;
  };
  body?: {
    name?: string | undefined;
    /** From 1 to 2000 characters. */
    description?: string | undefined;
    request?: {
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
      /** From 1 to 2048 characters. */
      url: string;
      headers?: { [key: string]: string | {
        secretId: string;
      } } | undefined;
      /** `application/json` unless given. */
      contentType?: "application/json" | "application/x-www-form-urlencoded" | undefined;
      bodyTemplate?: { [key: string]: Json } | null | undefined;
    } | undefined;
    /** At most 50 items. */
    parameters?: Array<{
      name: string;
      in: "path" | "query" | "body";
      type: "string" | "number" | "integer" | "boolean" | "object" | "array";
      /** From 0 to 1000 characters. */
      description: string;
      required: boolean;
      /** From 1 to 100 items. */
      enum?: string[] | undefined;
      source: "model" | "preset";
      /** From 0 to 2000 characters. */
      value?: string | undefined;
      /** Call records show the argument as "•••". */
      sensitive?: boolean | undefined;
    }> | undefined;
    /** From 1000 to 60000. */
    timeoutMs?: number | undefined;
    executionMode?: "immediate" | "after_speech" | "async" | undefined;
    /** From 1 to 500 characters. */
    fillerMessage?: string | null | undefined;
    interruptible?: boolean | undefined;
    response?: {
      /** From 1 to 100000. `4000` unless given. */
      maxChars?: number | undefined;
      /** At most 100 items. */
      include?: string[] | undefined;
      /** At most 50 items. */
      assignments?: Array<{
        /** From 1 to 64 characters. */
        variable: string;
        /** From 1 to 256 characters. */
        path: string;
      }> | undefined;
    } | undefined;
    onError?: "hide" | "summarize" | "passthrough" | undefined;
    isActive?: boolean | undefined;
  } | undefined;
}

/** The input of `client.tools.delete`. */
export interface ToolsDeleteRequest {
  params: {
    /** Id of the tool. */
    toolId: string;
  };
}

/** The input of `client.tools.test`. */
export interface ToolsTestRequest {
  params: {
    /** Id of the tool. */
    toolId: string;
  };
  body: {
    arguments: { [key: string]: Json };
    agentId?: string | undefined;
  };
}

/** The input of `client.tools.runInCall`. */
export interface ToolsRunInCallRequest {
  params: {
    /** Id of the call. */
    callId: string;
    /** Name of the tool. From 1 to 128 characters. */
    toolName: string;
  };
  body: {
    arguments: { [key: string]: Json };
    /** Identical for every retry of one execution, which then runs once. */
    executionId?: string | undefined;
  };
}

/** The input of `client.tools.attach`. */
export interface ToolsAttachRequest {
  params: {
    /** Id of the tool. */
    toolId: string;
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.tools.detach`. */
export interface ToolsDetachRequest {
  params: {
    /** Id of the tool. */
    toolId: string;
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.secrets.list`. */
export interface SecretsListRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.secrets.create`. */
export interface SecretsCreateRequest {
  body: {
    name: string;
    /** From 1 to 8192 characters. */
    value: string;
    /** From 0 to 500 characters. */
    description?: string | undefined;
    /** Origins that the secret may be sent to: scheme, host and port, exactly. A request to any other origin is refused, and a redirect does not carry the secret elsewhere. At most 50 items. */
    allowedOrigins?: string[] | undefined;
  };
}

/** The input of `client.secrets.update`. */
export interface SecretsUpdateRequest {
  params: {
    /** Id of the secret. */
    secretId: string;
  };
  body: {
    /** Origins that the secret may be sent to: scheme, host and port, exactly. A request to any other origin is refused, and a redirect does not carry the secret elsewhere. At most 50 items. */
    allowedOrigins: string[];
  };
}

/** The input of `client.secrets.rotate`. */
export interface SecretsRotateRequest {
  params: {
    /** Id of the secret. */
    secretId: string;
  };
  body: {
    /** From 1 to 8192 characters. */
    value: string;
    /** From 0 to 86400. `0` unless given. */
    keepPreviousForSeconds?: number | undefined;
  };
}

/** The input of `client.secrets.delete`. */
export interface SecretsDeleteRequest {
  params: {
    /** Id of the secret. */
    secretId: string;
  };
}

/** The input of `client.models.list`. */
export interface ModelsListRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.models.create`. */
export interface ModelsCreateRequest {
  body: ModelInput;
}

/** The input of `client.models.get`. */
export interface ModelsGetRequest {
  params: {
    /** Id of the model, without `custom/`. */
    modelName: string;
  };
}

/** The input of `client.models.update`. */
export interface ModelsUpdateRequest {
  params: {
    /** Id of the model, without `custom/`. */
    modelName: string;
  };
  body?: {
    /** From 1 to 100 characters. */
    name?: string | undefined;
    /** Where `/chat/completions`, `/audio/transcriptions` or `/audio/speech` is; https. From 1 to 2048 characters. */
    baseUrl?: string | undefined;
    /** The server's own name of the model. From 1 to 200 characters. */
    model?: string | undefined;
    /** Codes of the voice catalog, or "*" for every language in it. From 1 to 100 items. */
    languages?: string[] | undefined;
    /** Of `tts`, and only of `tts`. At most 100 items. */
    voices?: Array<{
      /** The server's own name of the voice; agents choose `custom/<name>/<id>`. */
      id: string;
      /** From 1 to 100 characters. */
      name: string;
      /** Codes of the voice catalog, or "*" for every language in it. From 1 to 100 items. */
      languages: string[];
    }> | undefined;
    prices?: {
      /** Millionths of a unit of currency. From 0 to 1000000000000. */
      perMillionInputTokens?: number | undefined;
      /** Millionths of a unit of currency. From 0 to 1000000000000. */
      perMillionOutputTokens?: number | undefined;
      /** Millionths of a unit of currency. From 0 to 1000000000000. */
      perMinute?: number | undefined;
      /** Millionths of a unit of currency. From 0 to 1000000000000. */
      perMillionCharacters?: number | undefined;
    } | null | undefined;
    /** From 1 to 60000. */
    typicalLatencyMs?: number | null | undefined;
    /** Of `llm`: milliseconds to the first word, for a slow model; null for 1,500. From 100 to 30000. */
    firstChunkMs?: number | null | undefined;
    /** Models of the same kind that answer in this order when this one fails. At most 5 items. */
    fallbacks?: string[] | undefined;
    /** The secret with the key of the server; null for a server that wants none. It is sent to the origin of `baseUrl` only. */
    secretId?: string | null | undefined;
  } | undefined;
}

/** The input of `client.models.delete`. */
export interface ModelsDeleteRequest {
  params: {
    /** Id of the model, without `custom/`. */
    modelName: string;
  };
}

/** The input of `client.models.test`. */
export interface ModelsTestRequest {
  body: {
    /** Of the voice catalog. From 1 to 128 characters. */
    modelId: string;
    /** Of the voice catalog, for `tts`; the model's first voice unless given. From 1 to 128 characters. */
    voiceId?: string | undefined;
    /** Of the sentence that is spoken; English unless given. From 2 to 35 characters. */
    language?: string | undefined;
  };
}

/** The input of `client.models.forCall`. */
export interface ModelsForCallRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  body: {
    /** X25519 key that the runtime made for this request: SPKI in DER, base64url without padding. */
    publicKey: string;
    /** `config.version` of the RuntimeConfig that the call runs with. At least 1. */
    version: number;
  };
}

/** The input of `client.widgets.listForAgent`. */
export interface WidgetsListForAgentRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.widgets.create`. */
export interface WidgetsCreateRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  body: {
    /** From 1 to 120 characters. */
    name: string;
    enabled?: boolean | undefined;
    theme?: {
      mode?: "light" | "dark" | "auto" | undefined;
      variant?: "compact" | "full" | "inline" | undefined;
      position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | undefined;
      primaryColor?: string | undefined;
      backgroundColor?: string | undefined;
      textColor?: string | undefined;
      /** From 0 to 64. */
      borderRadius?: number | undefined;
      /** From 1 to 2048 characters. */
      avatarUrl?: string | null | undefined;
      texts?: {
        /** From 1 to 60 characters. */
        launcher?: string | undefined;
        /** From 1 to 120 characters. */
        title?: string | undefined;
        /** From 1 to 60 characters. */
        start?: string | undefined;
        /** From 1 to 60 characters. */
        end?: string | undefined;
        /** From 1 to 60 characters. */
        listening?: string | undefined;
        /** From 1 to 60 characters. */
        speaking?: string | undefined;
        /** From 1 to 60 characters. */
        consentAccept?: string | undefined;
      } | undefined;
    } | undefined;
    /** At most 100 items. */
    allowedOrigins?: string[] | undefined;
    consent?: {
      required?: boolean | undefined;
      /** From 1 to 2000 characters. */
      text?: string | null | undefined;
      /** From 1 to 2048 characters. */
      privacyUrl?: string | null | undefined;
      /** From 1 to 64 characters. */
      version?: string | undefined;
    } | undefined;
    limits?: {
      /** From 30 to 3600. */
      maxSessionSeconds?: number | undefined;
      /** From 1 to 1000. */
      maxConcurrentSessions?: number | undefined;
      /** From 1 to 10000. */
      sessionsPerIpPerHour?: number | undefined;
      /** Per 24 hours; null for no limit. From 1 to 1000000. */
      dailySessions?: number | null | undefined;
    } | undefined;
    queue?: {
      enabled?: boolean | undefined;
      /** Maximum number of visitors waiting at the same time. From 1 to 1000. */
      maxWaiting?: number | undefined;
      /** Text shown to visitors while they wait. From 1 to 300 characters. */
      text?: string | null | undefined;
    } | undefined;
    /** Both by default. From 1 to 2 items. */
    modes?: Array<"voice" | "text"> | undefined;
    /** Variables that a page may set; a visitor token may set them too, and decides. At most 64 items. */
    allowedVariables?: string[] | undefined;
    /** Variables that only a visitor token may set. At most 64 items. */
    signedVariables?: string[] | undefined;
    requireVisitorToken?: boolean | undefined;
    visitorTokenSecretId?: string | null | undefined;
  };
}

/** The input of `client.widgets.get`. */
export interface WidgetsGetRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
  };
}

/** The input of `client.widgets.update`. */
export interface WidgetsUpdateRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
  };
  body?: {
    /** From 1 to 120 characters. */
    name?: string | undefined;
    enabled?: boolean | undefined;
    theme?: {
      mode?: "light" | "dark" | "auto" | undefined;
      variant?: "compact" | "full" | "inline" | undefined;
      position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | undefined;
      primaryColor?: string | undefined;
      backgroundColor?: string | undefined;
      textColor?: string | undefined;
      /** From 0 to 64. */
      borderRadius?: number | undefined;
      /** From 1 to 2048 characters. */
      avatarUrl?: string | null | undefined;
      texts?: {
        /** From 1 to 60 characters. */
        launcher?: string | undefined;
        /** From 1 to 120 characters. */
        title?: string | undefined;
        /** From 1 to 60 characters. */
        start?: string | undefined;
        /** From 1 to 60 characters. */
        end?: string | undefined;
        /** From 1 to 60 characters. */
        listening?: string | undefined;
        /** From 1 to 60 characters. */
        speaking?: string | undefined;
        /** From 1 to 60 characters. */
        consentAccept?: string | undefined;
      } | undefined;
    } | undefined;
    /** At most 100 items. */
    allowedOrigins?: string[] | undefined;
    consent?: {
      required?: boolean | undefined;
      /** From 1 to 2000 characters. */
      text?: string | null | undefined;
      /** From 1 to 2048 characters. */
      privacyUrl?: string | null | undefined;
      /** From 1 to 64 characters. */
      version?: string | undefined;
    } | undefined;
    limits?: {
      /** From 30 to 3600. */
      maxSessionSeconds?: number | undefined;
      /** From 1 to 1000. */
      maxConcurrentSessions?: number | undefined;
      /** From 1 to 10000. */
      sessionsPerIpPerHour?: number | undefined;
      /** Per 24 hours; null for no limit. From 1 to 1000000. */
      dailySessions?: number | null | undefined;
    } | undefined;
    queue?: {
      enabled?: boolean | undefined;
      /** Maximum number of visitors waiting at the same time. From 1 to 1000. */
      maxWaiting?: number | undefined;
      /** Text shown to visitors while they wait. From 1 to 300 characters. */
      text?: string | null | undefined;
    } | undefined;
    /** Both by default. From 1 to 2 items. */
    modes?: Array<"voice" | "text"> | undefined;
    /** Variables that a page may set; a visitor token may set them too, and decides. At most 64 items. */
    allowedVariables?: string[] | undefined;
    /** Variables that only a visitor token may set. At most 64 items. */
    signedVariables?: string[] | undefined;
    requireVisitorToken?: boolean | undefined;
    visitorTokenSecretId?: string | null | undefined;
  } | undefined;
}

/** The input of `client.widgets.delete`. */
export interface WidgetsDeleteRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
  };
}

/** The input of `client.widgets.publicConfig`. */
export interface WidgetsPublicConfigRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
  };
}

/** The input of `client.widgets.startSession`. */
export interface WidgetsStartSessionRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
  };
  body?: {
    /** Defaults to voice if the widget and the installation offer it, otherwise text. */
    mode?: "voice" | "text" | undefined;
    dynamicVariables?: { [key: string]: string } | undefined;
    consent?: {
      /** Always true. */
      accepted: true;
      /** From 1 to 64 characters. */
      version: string;
    } | undefined;
    /** Stored without query and fragment. From 1 to 2048 characters. */
    pageUrl?: string | undefined;
    /** From 1 to 128 characters. */
    visitorId?: string | undefined;
    /** JWT of the site, HS256: sub, exp at most five minutes ahead, variables. From 1 to 4096 characters. */
    visitorToken?: string | undefined;
    /** Ticket from the last response, for a visitor in the queue. From 1 to 64 characters. */
    queueTicket?: string | undefined;
  } | undefined;
}

/** The input of `client.widgets.sendMessage`. */
export interface WidgetsSendMessageRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
    /** Id of the conversation, as its start answers it. */
    sessionId: string;
  };
  body: {
    /** Can be sent in the `x-end-token` header instead. From 1 to 256 characters. */
    endToken?: string | undefined;
    /** From 1 to 2000 characters. */
    text: string;
  };
}

/** The input of `client.widgets.endSession`. */
export interface WidgetsEndSessionRequest {
  params: {
    /** Id of the widget. */
    widgetId: string;
    /** Id of the conversation, as its start answers it. */
    sessionId: string;
  };
  body?: {
    /** Can be sent in the `x-end-token` header instead. From 1 to 256 characters. */
    endToken?: string | undefined;
    /** From 1 to 200 characters. */
    reason?: string | undefined;
  } | undefined;
}

/** The input of `client.mcp.connections`. */
export interface McpConnectionsRequest {
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.mcp.connect`. */
export interface McpConnectRequest {
  body: {
    /** From 1 to 64 characters. */
    catalogSlug: string;
    auth?: {
      type: "none" | "bearer" | "header" | "oauth2";
      headerName?: string | undefined;
      /** A manually registered client, for servers without dynamic client registration. From 1 to 512 characters. */
      clientId?: string | undefined;
      secretId?: string | null | undefined;
    } | undefined;
    headers?: { [key: string]: string | {
      secretId: string;
    } } | undefined;
    /** `auto` unless given. */
    approvalPolicy?: "auto" | "per_tool" | undefined;
    /** From 5000 to 300000. `30000` unless given. */
    timeoutMs?: number | undefined;
  } | {
    /** From 1 to 120 characters. */
    name: string;
    /** From 1 to 2048 characters. */
    url: string;
    /** `streamable_http` unless given. */
    transport?: "streamable_http" | "sse" | undefined;
    auth?: {
      type: "none" | "bearer" | "header" | "oauth2";
      headerName?: string | undefined;
      /** A manually registered client, for servers without dynamic client registration. From 1 to 512 characters. */
      clientId?: string | undefined;
      secretId?: string | null | undefined;
    } | undefined;
    headers?: { [key: string]: string | {
      secretId: string;
    } } | undefined;
    /** `auto` unless given. */
    approvalPolicy?: "auto" | "per_tool" | undefined;
    /** From 5000 to 300000. `30000` unless given. */
    timeoutMs?: number | undefined;
  };
}

/** The input of `client.mcp.listForAgent`. */
export interface McpListForAgentRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.mcp.refresh`. */
export interface McpRefreshRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
  };
}

/** The input of `client.mcp.update`. */
export interface McpUpdateRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
  };
  body?: {
    /** From 1 to 120 characters. */
    name?: string | undefined;
    approvalPolicy?: "auto" | "per_tool" | undefined;
    /** From 5000 to 300000. */
    timeoutMs?: number | undefined;
    headers?: { [key: string]: string | {
      secretId: string;
    } } | undefined;
    auth?: {
      type: "none" | "bearer" | "header" | "oauth2";
      headerName?: string | undefined;
      /** A manually registered client, for servers without dynamic client registration. From 1 to 512 characters. */
      clientId?: string | undefined;
      secretId?: string | null | undefined;
    } | undefined;
    /** At most 256 items. */
    tools?: Array<{
      /** From 1 to 128 characters. */
      name: string;
      enabled: boolean;
    }> | undefined;
  } | undefined;
}

/** The input of `client.mcp.disconnect`. */
export interface McpDisconnectRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
  };
}

/** The input of `client.mcp.approve`. */
export interface McpApproveRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
    /** Name of the tool. From 1 to 128 characters. */
    toolName: string;
  };
  body: {
    hash: string;
  };
}

/** The input of `client.mcp.authorize`. */
export interface McpAuthorizeRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
  };
}

/** The input of `client.mcp.attach`. */
export interface McpAttachRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.mcp.detach`. */
export interface McpDetachRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
    /** Id of the agent. */
    agentId: string;
  };
}

/** The input of `client.mcp.execute`. */
export interface McpExecuteRequest {
  params: {
    /** Id of the connection to an MCP server. */
    mcpConnectionId: string;
    /** Name of the tool. From 1 to 128 characters. */
    toolName: string;
  };
  body: {
    arguments: { [key: string]: Json };
    agentId?: string | undefined;
  };
}

/** The input of `client.internal.agentConfig`. */
export interface InternalAgentConfigRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** What belongs to this call. */
    callId?: string | undefined;
    /** How the person is connected. */
    channel?: "phone" | "widget" | "preview" | undefined;
    /** By who began the call. */
    direction?: "inbound" | "outbound" | undefined;
    /** Number that the call comes from. From 1 to 64 characters. */
    callerNumber?: string | undefined;
    /** Number that was called. From 1 to 64 characters. */
    calledNumber?: string | undefined;
    /** Telephony provider. */
    provider?: "TWILIO" | "TELNYX" | undefined;
    /** Id of the call at its telephony provider. From 1 to 256 characters. */
    providerCallId?: string | undefined;
    /** What belongs to this campaign. */
    campaignId?: string | undefined;
    /** JSON object, up to 4,000 characters. From 2 to 4000 characters. */
    dynamicVariables?: string | undefined;
    /** JSON object, up to 4,000 characters. From 2 to 4000 characters. */
    metadata?: string | undefined;
  } | undefined;
}

/** The input of `client.internal.numberConfig`. */
export interface InternalNumberConfigRequest {
  params: {
    /** The number, with `+` and the code of its country. From 1 to 32 characters. */
    phoneNumber: string;
  };
  query?: {
    /** What belongs to this call. */
    callId?: string | undefined;
    /** How the person is connected. */
    channel?: "phone" | "widget" | "preview" | undefined;
    /** By who began the call. */
    direction?: "inbound" | "outbound" | undefined;
    /** Number that the call comes from. From 1 to 64 characters. */
    callerNumber?: string | undefined;
    /** Number that was called. From 1 to 64 characters. */
    calledNumber?: string | undefined;
    /** Telephony provider. */
    provider?: "TWILIO" | "TELNYX" | undefined;
    /** Id of the call at its telephony provider. From 1 to 256 characters. */
    providerCallId?: string | undefined;
    /** What belongs to this campaign. */
    campaignId?: string | undefined;
    /** JSON object, up to 4,000 characters. From 2 to 4000 characters. */
    dynamicVariables?: string | undefined;
    /** JSON object, up to 4,000 characters. From 2 to 4000 characters. */
    metadata?: string | undefined;
  } | undefined;
}

/** The input of `client.settings.update`. */
export interface SettingsUpdateRequest {
  body?: {
    /** IANA time zone; determines when days start, on the dashboard and elsewhere. From 1 to 64 characters. */
    timezone?: string | undefined;
    /** From 1 to 10000. */
    maxConcurrentCalls?: number | undefined;
    /** Share of those calls reserved for inbound calls. From 0 to 10000. */
    inboundReserve?: number | undefined;
    callingWindow?: {
      /** Days on which the window opens; 0 is Monday. From 1 to 7 items. */
      days: number[];
      start: string;
      /** A time before the start is on the next day; 24:00 is midnight. */
      end: string;
      basis: "campaign" | "recipient";
    } | null | undefined;
    /** From 1 to 100. */
    dailyAttemptsPerNumber?: number | null | undefined;
    /** Maximum cost of all quick calls per day; null applies only the operator's limits. */
    quickCallBudget?: Budget | null | undefined;
    /** Narrow: a person is called when it is open in the zones of their number and in the named one; replace: the named zone alone counts. */
    namedTimezones?: "narrow" | "replace" | undefined;
    /** Countries that can be called; null for those of the organization's numbers. */
    allowedCountries?: string[] | null | undefined;
    /** Days after which calls are deleted, with their transcripts and recordings; null applies the operator's default. From 1 to 3650. */
    callRetentionDays?: number | null | undefined;
  } | undefined;
}

/** The input of `client.suppressions.list`. */
export interface SuppressionsListRequest {
  query?: {
    /** Returns only this number, if it is on the list. From 1 to 32 characters. */
    phoneNumber?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.suppressions.create`. */
export interface SuppressionsCreateRequest {
  body: {
    /** A number that is already on the list stays unchanged. From 1 to 1000 items. */
    phoneNumbers: string[];
    /** Note, shown in the list. From 1 to 200 characters. */
    reason?: string | undefined;
  };
}

/** The input of `client.suppressions.history`. */
export interface SuppressionsHistoryRequest {
  query: {
    /** Number to call. From 1 to 32 characters. */
    phoneNumber: string;
  };
}

/** The input of `client.suppressions.addOfCall`. */
export interface SuppressionsAddOfCallRequest {
  params: {
    /** Id of the call. */
    callId: string;
  };
  body?: Record<string, never> | undefined;
}

/** The input of `client.suppressions.delete`. */
export interface SuppressionsDeleteRequest {
  params: {
    /** Id of the entry in the suppression list. */
    suppressionId: string;
  };
  query?: {
    /** Kept in the history. From 1 to 200 characters. */
    reason?: string | undefined;
  } | undefined;
}

/** The input of `client.spend.get`. */
export interface SpendGetRequest {
  query?: {
    /** First day; defaults to 29 days before `to`. From 1 to 40 characters. */
    from?: string | undefined;
    /** Last day; defaults to today. From 1 to 40 characters. */
    to?: string | undefined;
  } | undefined;
}

/** The input of `client.spend.worstCase`. */
export interface SpendWorstCaseRequest {
  query: {
    /** What belongs to this agent. */
    agentId: string;
    /** Number to call. From 1 to 32 characters. */
    phoneNumber?: string | undefined;
  };
}

/** The input of `client.people.delete`. */
export interface PeopleDeleteRequest {
  params: {
    /** The number, with `+` and the code of its country. From 1 to 32 characters. */
    phoneNumber: string;
  };
  query?: {
    /** From the response to the same request without it. From 1 to 1000 characters. */
    confirmation?: string | undefined;
    /** True also puts the number on the suppression list. */
    doNotCall?: "true" | "false" | undefined;
  } | undefined;
}

/** The input of `client.people.erasure`. */
export interface PeopleErasureRequest {
  params: {
    /** From the response that confirmed the erasure. */
    erasureId: string;
  };
}

/** The input of `client.webhooks.deliveries`. */
export interface WebhooksDeliveriesRequest {
  query?: {
    /** `pending` until the first attempt, `retrying` after a failed attempt, `failed` after the last one. */
    status?: "pending" | "retrying" | "delivered" | "failed" | undefined;
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** What belongs to this call. */
    callId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.webhooks.replay`. */
export interface WebhooksReplayRequest {
  params: {
    /** Id of the delivery, which is the header `webhook-id` of its tries. */
    deliveryId: string;
  };
  body?: WebhookReplay | undefined;
}

/** The input of `client.webhooks.test`. */
export interface WebhooksTestRequest {
  body: WebhookTest;
}

/** The input of `client.events.stream`. */
export interface EventsStreamRequest {
  query?: {
    /** ID of the last event received; `Last-Event-ID` takes precedence. From 1 to 200 characters. */
    after?: string | undefined;
  } | undefined;
}

/** The input of `client.auth.signUpEmail`. */
export interface AuthSignUpEmailRequest {
  body: {
    /** From 1 to 100 characters. */
    name: string;
    /** At most 254 characters. */
    email: string;
    /** From 8 to 128 characters. */
    password: string;
    rememberMe?: boolean | undefined;
    /** At most 2048 characters. */
    callbackURL?: string | undefined;
  };
}

/** The input of `client.auth.signInEmail`. */
export interface AuthSignInEmailRequest {
  body: {
    /** At most 254 characters. */
    email: string;
    /** From 1 to 128 characters. */
    password: string;
    rememberMe?: boolean | undefined;
    /** At most 2048 characters. */
    callbackURL?: string | undefined;
  };
}

/** The input of `client.auth.revokeSession`. */
export interface AuthRevokeSessionRequest {
  body: {
    token: string;
  };
}

/** The input of `client.auth.changePassword`. */
export interface AuthChangePasswordRequest {
  body: {
    /** From 1 to 128 characters. */
    currentPassword: string;
    /** From 8 to 128 characters. */
    newPassword: string;
    revokeOtherSessions?: boolean | undefined;
  };
}

/** The input of `client.auth.updateUser`. */
export interface AuthUpdateUserRequest {
  body: {
    /** From 1 to 100 characters. */
    name: string;
  };
}

/** The input of `client.auth.deleteUser`. */
export interface AuthDeleteUserRequest {
  body: {
    /** From 1 to 128 characters. */
    password: string;
    code?: string | undefined;
  };
}

/** The input of `client.auth.sendVerificationEmail`. */
export interface AuthSendVerificationEmailRequest {
  body: {
    /** At most 254 characters. */
    email: string;
  };
}

/** The input of `client.auth.requestPasswordReset`. */
export interface AuthRequestPasswordResetRequest {
  body: {
    /** At most 254 characters. */
    email: string;
  };
}

/** The input of `client.auth.resetPassword`. */
export interface AuthResetPasswordRequest {
  body: {
    token: string;
    /** From 8 to 128 characters. */
    newPassword: string;
  };
}

/** The input of `client.auth.twoFactorEnable`. */
export interface AuthTwoFactorEnableRequest {
  body: {
    /** From 1 to 128 characters. */
    password: string;
  };
}

/** The input of `client.auth.twoFactorDisable`. */
export interface AuthTwoFactorDisableRequest {
  body: {
    /** From 1 to 128 characters. */
    password: string;
  };
}

/** The input of `client.auth.twoFactorVerifyTotp`. */
export interface AuthTwoFactorVerifyTotpRequest {
  body: {
    code: string;
  };
}

/** The input of `client.auth.twoFactorVerifyBackupCode`. */
export interface AuthTwoFactorVerifyBackupCodeRequest {
  body: {
    code: string;
  };
}

/** The input of `client.auth.twoFactorGenerateBackupCodes`. */
export interface AuthTwoFactorGenerateBackupCodesRequest {
  body: {
    /** From 1 to 128 characters. */
    password: string;
  };
}

/** The input of `client.auth.organizationRequireSecondFactor`. */
export interface AuthOrganizationRequireSecondFactorRequest {
  body: {
    required: boolean;
  };
}

/** The input of `client.auth.organizationCreate`. */
export interface AuthOrganizationCreateRequest {
  body: {
    /** From 1 to 100 characters. */
    name: string;
    slug: string;
    keepCurrentActiveOrganization?: boolean | undefined;
  };
}

/** The input of `client.auth.organizationUpdate`. */
export interface AuthOrganizationUpdateRequest {
  body: {
    organizationId?: string | undefined;
    data: {
      /** From 1 to 100 characters. */
      name?: string | undefined;
      slug?: string | undefined;
    };
  };
}

/** The input of `client.auth.organizationDelete`. */
export interface AuthOrganizationDeleteRequest {
  body: {
    organizationId: string;
  };
}

/** The input of `client.auth.organizationRemoval`. */
export interface AuthOrganizationRemovalRequest {
  query: {
    /** Id of the invitation. */
    id: string;
  };
}

/** The input of `client.auth.organizationSetActive`. */
export interface AuthOrganizationSetActiveRequest {
  body: {
    organizationId: string;
  };
}

/** The input of `client.auth.organizationGetFull`. */
export interface AuthOrganizationGetFullRequest {
  query?: {
    /** Id of the organization; the active one of the session unless given. */
    organizationId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    membersLimit?: number | string | undefined;
  } | undefined;
}

/** The input of `client.auth.organizationListMembers`. */
export interface AuthOrganizationListMembersRequest {
  query?: {
    /** Id of the organization; the active one of the session unless given. */
    organizationId?: string | undefined;
    /** Integer from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** Integer from 0 to 1000000. From 0 to 1000000. */
    offset?: number | string | undefined;
    /** Field that the list is sorted by. */
    sortBy?: "createdAt" | "role" | undefined;
    /** Direction of the sort. */
    sortDirection?: "asc" | "desc" | undefined;
  } | undefined;
}

/** The input of `client.auth.organizationUpdateMemberRole`. */
export interface AuthOrganizationUpdateMemberRoleRequest {
  body: {
    organizationId?: string | undefined;
    memberId: string;
    role: "owner" | "admin" | "member" | "viewer";
  };
}

/** The input of `client.auth.organizationRemoveMember`. */
export interface AuthOrganizationRemoveMemberRequest {
  body: {
    organizationId?: string | undefined;
    memberIdOrEmail: string;
  };
}

/** The input of `client.auth.organizationLeave`. */
export interface AuthOrganizationLeaveRequest {
  body: {
    organizationId: string;
  };
}

/** The input of `client.auth.organizationInviteMember`. */
export interface AuthOrganizationInviteMemberRequest {
  body: {
    organizationId?: string | undefined;
    /** At most 254 characters. */
    email: string;
    role: "owner" | "admin" | "member" | "viewer";
    resend?: boolean | undefined;
  };
}

/** The input of `client.auth.organizationCancelInvitation`. */
export interface AuthOrganizationCancelInvitationRequest {
  body: {
    invitationId: string;
  };
}

/** The input of `client.auth.organizationListInvitations`. */
export interface AuthOrganizationListInvitationsRequest {
  query?: {
    /** Id of the organization; the active one of the session unless given. */
    organizationId?: string | undefined;
  } | undefined;
}

/** The input of `client.auth.organizationAcceptInvitation`. */
export interface AuthOrganizationAcceptInvitationRequest {
  body: {
    invitationId: string;
  };
}

/** The input of `client.auth.organizationRejectInvitation`. */
export interface AuthOrganizationRejectInvitationRequest {
  body: {
    invitationId: string;
  };
}

/** The input of `client.auth.organizationGetInvitation`. */
export interface AuthOrganizationGetInvitationRequest {
  query: {
    /** Id of the invitation. */
    id: string;
  };
}

/** The input of `client.auth.apiKeyCreate`. */
export interface AuthApiKeyCreateRequest {
  body: {
    /** From 1 to 100 characters. */
    name: string;
    /** From 1 to 100 items. */
    permissions: string[];
    /** From 1 to 3650. */
    expiresInDays?: number | undefined;
    /** Lifetime in seconds; null for no expiry; 365 days by default. From 60 to 315360000. */
    expiresIn?: number | null | undefined;
    /** IP ranges that the key may be used from, in CIDR notation; a bare address allows only itself. From 1 to 20 items. */
    allowedAddresses?: string[] | undefined;
    /** Never: tools that cost money or delete something run over MCP without a confirmation. `always` unless given. */
    mcpConfirm?: "always" | "never" | undefined;
  };
}

/** The input of `client.auth.apiKeyList`. */
export interface AuthApiKeyListRequest {
  query?: {
    /** Id of the organization; the active one of the session unless given. */
    organizationId?: string | undefined;
  } | undefined;
}

/** The input of `client.auth.apiKeyUpdate`. */
export interface AuthApiKeyUpdateRequest {
  body: {
    keyId: string;
    /** From 1 to 100 characters. */
    name?: string | undefined;
    enabled?: boolean | undefined;
    /** From 60 to 315360000. */
    expiresIn?: number | null | undefined;
    allowedAddresses?: string[] | null | undefined;
  };
}

/** The input of `client.auth.apiKeyDelete`. */
export interface AuthApiKeyDeleteRequest {
  body: {
    keyId: string;
  };
}

/** The input of `client.auth.apiKeyRotate`. */
export interface AuthApiKeyRotateRequest {
  body: {
    keyId: string;
    /** From 0 to 604800. `86400` unless given. */
    keepPreviousForSeconds?: number | undefined;
  };
}

/** Every operation of the interface, by group and verb. */
export interface Client {
  readonly health: {
    /**
     * Check whether the gateway is alive.
     *
     * A liveness probe: succeeds as long as the gateway process runs, and checks nothing else.
     */
    readonly live: Method<NoRequest, Health>;
    /**
     * Check whether the platform is ready, by dependency.
     *
     * Checks every service and engine behind the gateway. Responds with 503 while a dependency that requests need is unavailable; the body names it.
     */
    readonly ready: Method<NoRequest, Ready>;
  };
  readonly agents: {
    /**
     * Create an agent.
     *
     * With the template `business`, `medical` or `support`, the agent starts with a working configuration as version 1. With `blank` or null it has none.
     *
     * @throws ApiError TEMPLATE_NOT_FOUND, CONFLICT
     */
    readonly create: Method<AgentsCreateRequest, Agent>;
    /**
     * List agents, newest first.
     *
     * Each agent has its assigned numbers, the version of its configuration and counts of its attached tools, sources, widgets and connections.
     */
    readonly list: ListMethod<AgentsListRequest, Agent>;
    /**
     * List the languages, models, voices and time zones that a configuration can use.
     *
     * A configuration with any other value is rejected. `available` is false for a model or voice whose provider has no credentials in this deployment.
     */
    readonly voiceCatalog: Method<NoRequest, VoiceCatalog>;
    /**
     * Create a media session to try an agent in the browser.
     *
     * Returns the URL of the media server and a token to join the room. The session uses the current configuration and counts as a call in progress. Members also need the permission agent:try; an API key needs agentConfiguration:read alone.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly previewSession: Method<AgentsPreviewSessionRequest, PreviewSession>;
    /**
     * Start a text conversation to try an agent.
     *
     * The conversation uses the current configuration. It lasts at most ten minutes, and ends after five minutes without a message. It counts toward the organization's concurrent calls and appears in the call log with the channel `preview`. Each person can have five at a time; starting a sixth ends the oldest.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, TEXT_RUNTIME_NOT_CONFIGURED
     */
    readonly startPreviewConversation: Method<AgentsStartPreviewConversationRequest, PreviewConversation>;
    /**
     * Send a message in a text conversation with an agent.
     *
     * Streams the reply as server-sent events: `text` with a `delta`, `tool` with the turn of each tool that has run, and finally `done` with the whole turn. Returns 409 `CONFLICT` while another message is being answered. Only the person or key that started the conversation can continue it.
     *
     * @throws ApiError CONVERSATION_NOT_FOUND, TEXT_RUNTIME_NOT_CONFIGURED, CONFLICT, SESSION_ENDED
     */
    readonly sendPreviewMessage: StreamMethod<AgentsSendPreviewMessageRequest, {
      text: {
        delta: string;
      };
      tool: {
        turn: TranscriptTurn;
      };
      done: {
        turn: TranscriptTurn;
      };
    }>;
    /**
     * End a text conversation with an agent.
     *
     * Idempotent: ending a conversation that has already ended succeeds and changes nothing.
     *
     * @throws ApiError CONVERSATION_NOT_FOUND
     */
    readonly endPreviewConversation: Method<AgentsEndPreviewConversationRequest, {
      sessionId: string;
      /** Always true. */
      ended: true;
      durationSeconds: number;
    }>;
    /**
     * Update an agent's name, state or template.
     *
     * Fields that are absent stay unchanged. An inactive agent neither takes nor makes calls.
     *
     * @throws ApiError AGENT_NOT_FOUND, TEMPLATE_NOT_FOUND
     */
    readonly update: Method<AgentsUpdateRequest, Agent>;
    /**
     * Delete an agent and its configuration.
     *
     * Cannot be undone. Its calls, transcripts and statistics are kept under the name it had.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_IN_USE
     */
    readonly delete: Method<AgentsDeleteRequest, null>;
    /**
     * Save a new version of an agent's configuration.
     *
     * The first save requires the permission agentConfiguration:create, later ones agentConfiguration:update.
     *
     * @throws ApiError AGENT_NOT_FOUND, SECRET_NOT_FOUND, VERSION_CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED, HEADER_VALUE_NEEDED
     */
    readonly saveConfig: Method<AgentsSaveConfigRequest, AgentConfiguration>;
    /**
     * Get the current configuration of an agent.
     *
     * New calls use this version. Returns 404 `CONFIG_NOT_FOUND` if no configuration has been saved.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_NOT_FOUND
     */
    readonly getConfig: Method<AgentsGetConfigRequest, AgentConfiguration>;
    /**
     * List the versions of an agent's configuration, newest first.
     *
     * Returns 20 versions per page by default. Versions are immutable and are never deleted.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listConfigVersions: ListMethod<AgentsListConfigVersionsRequest, ConfigurationVersion>;
    /**
     * Get one version of an agent's configuration.
     *
     * Versions are immutable, so any call can be compared with the configuration that it used.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_VERSION_NOT_FOUND
     */
    readonly getConfigVersion: Method<AgentsGetConfigVersionRequest, AgentConfiguration>;
    /**
     * Restore an earlier version of the configuration as the newest one.
     *
     * The version is validated as if it were saved today: a model, voice, secret or URL that is no longer allowed is rejected with the same code. Masked header values are restored as that version had them.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_VERSION_NOT_FOUND, SECRET_NOT_FOUND, VERSION_CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED, HEADER_VALUE_NEEDED
     */
    readonly restoreConfigVersion: Method<AgentsRestoreConfigVersionRequest, AgentConfiguration>;
  };
  readonly numbers: {
    /**
     * Search for phone numbers to buy.
     *
     * Each result has a price quote that is signed for this organization and expires at `quoteExpiresAt`. Pass the number, provider and quote of one result to `POST /numbers` unchanged.
     */
    readonly search: ListMethod<NumbersSearchRequest, NumberSearchResult>;
    /**
     * List phone numbers.
     *
     * Each number has its provider, its price and the agent that answers it.
     */
    readonly list: ListMethod<NumbersListRequest, PhoneNumber>;
    /**
     * Buy a phone number at its quoted price.
     *
     * Requires the session of an owner or admin. The number is bought exactly once, even if the request is interrupted or repeated; until the provider has confirmed it, its status is `provisioning`.
     *
     * @throws ApiError INSUFFICIENT_BALANCE, SPEND_LIMIT_REACHED, QUOTE_ALREADY_USED, NUMBER_UNAVAILABLE, QUOTE_EXPIRED
     */
    readonly buy: Method<NumbersBuyRequest, PhoneNumber>;
    /**
     * Assign a phone number to an agent, or unassign it.
     *
     * Requires the session of an owner or admin. With `agentId` null, calls to the number are not answered.
     *
     * @throws ApiError NUMBER_NOT_FOUND, AGENT_NOT_FOUND, CONFLICT
     */
    readonly assign: Method<NumbersAssignRequest, PhoneNumber>;
    /**
     * Release a phone number.
     *
     * Requires the session of an owner or admin. The number returns to the provider and may be sold to someone else at once. Cannot be undone.
     *
     * @throws ApiError NUMBER_NOT_FOUND, NUMBER_IN_USE, CONFLICT
     */
    readonly release: Method<NumbersReleaseRequest, undefined>;
  };
  readonly calls: {
    /**
     * List calls, newest first.
     *
     * Filters can be combined. Includes calls in progress, but no deleted calls.
     */
    readonly list: ListMethod<CallsListRequest, CallLog>;
    /**
     * Record a finished call.
     *
     * The voice runtime sends each call once it has ended. Repeating a request with the same `eventId` returns 200 with the stored result, so a lost response can be retried.
     *
     * @throws ApiError INGEST_CONFLICT, UNKNOWN_REFERENCE
     */
    readonly ingest: Method<CallsIngestRequest, {
      callId: string;
    }>;
    /**
     * List calls in progress.
     *
     * Returns phone calls and browser sessions that are ringing or in progress, each with the room name needed to end it.
     */
    readonly live: ListMethod<NoRequest, LiveCall>;
    /**
     * End a call in progress.
     *
     * Removes every participant from the call's media room. If the room has already ended, returns 200 with `alreadyEnded`.
     *
     * @throws ApiError LIVE_CALL_NOT_FOUND
     */
    readonly endLive: Method<CallsEndLiveRequest, EndLiveCallResult>;
    /**
     * Export calls as CSV, newest first.
     *
     * UTF-8 with a header row, at most one million calls. A cell that a spreadsheet would read as a formula is prefixed with an apostrophe; this includes every number with a plus. If the export fails midway, the connection is closed without a proper end. Each organization can run one export at a time.
     */
    readonly export: TextMethod<CallsExportRequest>;
    /**
     * Get a call.
     *
     * The recording link is signed and expires at `urlExpiresAt`; get the call again for a new one.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly get: Method<CallsGetRequest, CallLog>;
    /**
     * Delete a call from the call log and the statistics.
     *
     * The call disappears from lists, statistics and reads by ID immediately. Its numbers, names, transcript, results, recording and undelivered webhooks are erased within seconds, for good. The telephone call itself goes on where it is in progress.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly delete: Method<CallsDeleteRequest, undefined>;
    /**
     * Get the transcript of a call.
     *
     * Returns the turns in the order in which they were spoken. The transcript grows while the call is in progress.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly transcripts: ListMethod<CallsTranscriptsRequest, Transcript>;
    /**
     * Get the timeline of a call: its events and their reasons, oldest first.
     *
     * For readers with `outboundCalls:read` it includes the attempts of the outbound call, with the reason each time a recipient was not called, was deferred or was retried. It never contains what was said.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly timeline: Method<CallsTimelineRequest, CallTimeline>;
    /**
     * Report the events of a call in progress.
     *
     * Accepts turns, states and latencies in batches of up to 100. A `seq` that was already received is ignored, so batches can be retried.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly progress: Method<CallsProgressRequest, undefined>;
    /**
     * Create an upload URL for a call recording.
     *
     * The URL accepts a single PUT with this content type and exactly this many bytes. Send the `storageKey` when you record the finished call. Repeating the request returns a new URL for the same key.
     *
     * @throws ApiError CALL_NOT_FOUND, QUOTA_REACHED
     */
    readonly recordingUpload: Method<CallsRecordingUploadRequest, RecordingUpload>;
  };
  readonly dashboard: {
    /**
     * Get calls, outcomes and costs for a time range.
     *
     * Days start at midnight in the organization's time zone. A custom range needs `from` and `to` and can span up to 90 days.
     */
    readonly summary: Method<DashboardSummaryRequest, DashboardSummary>;
  };
  readonly outboundCalls: {
    /**
     * List outbound calls, newest first.
     *
     * Includes both quick calls and the calls of campaigns; `mode` distinguishes them.
     */
    readonly list: ListMethod<OutboundCallsListRequest, OutboundCall>;
    /**
     * Place a call to one number.
     *
     * The call is placed immediately and consumes minutes. With an Idempotency-Key header, a repeated request never dials a second time.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, AGENT_NOT_FOUND, NUMBER_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, CALLER_NUMBER_NOT_OWNED, DESTINATION_NOT_ALLOWED, SUPPRESSED_DNC, OUTSIDE_CALLING_WINDOW
     */
    readonly quick: Method<OutboundCallsQuickRequest, OutboundCall>;
    /**
     * Create an upload URL for a spreadsheet.
     *
     * PUT the file to `uploadUrl` with the same content type before it expires, then pass `sourceFileKey` when you create the campaign. With `bytes`, the URL leads to the object storage and accepts exactly so many; without it, to the gateway, which accepts up to `maxBytes` with a `Content-Length`.
     *
     * @throws ApiError QUOTA_REACHED
     */
    readonly batchUploadUrl: Method<OutboundCallsBatchUploadUrlRequest, {
      uploadUrl: string;
      sourceFileKey: string;
      /** ISO 8601, UTC, milliseconds. */
      expiresAt?: string | undefined;
      maxBytes?: number | undefined;
    }>;
    /**
     * Create a campaign from an uploaded spreadsheet.
     *
     * The file is read after the response. Rows that cannot be called are counted and listed with a reason. The body sets the calling window, pace and retries, and may schedule the start.
     *
     * @throws ApiError AGENT_NOT_FOUND, NUMBER_NOT_FOUND, UPLOAD_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, UPLOAD_EXPIRED
     */
    readonly createBatch: Method<OutboundCallsCreateBatchRequest, BatchCampaign>;
    /**
     * List campaigns, newest first.
     *
     * Each campaign includes its progress. `agentId` filters by agent.
     */
    readonly listBatches: ListMethod<OutboundCallsListBatchesRequest, BatchCampaign>;
    /**
     * Preview how a campaign would read an uploaded spreadsheet.
     *
     * Stores nothing and calls no one. If a campaign would reject the file, `refusal` says why. Only the first rows of a long file are read; `complete` is then false.
     *
     * @throws ApiError AGENT_NOT_FOUND, NUMBER_NOT_FOUND, UPLOAD_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, UPLOAD_EXPIRED
     */
    readonly previewBatch: Method<OutboundCallsPreviewBatchRequest, BatchPreview>;
    /**
     * Get a campaign and its progress.
     *
     * `progress` counts recipients by state; `statusReason` explains why a campaign was paused or failed.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly getBatch: Method<OutboundCallsGetBatchRequest, BatchCampaign>;
    /**
     * Get the outcomes of a campaign by hour.
     *
     * Counts recipients by outcome for each hour in which their last call ended, in the organization's time zone.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly batchOutcomes: Method<OutboundCallsBatchOutcomesRequest, CampaignOutcomes>;
    /**
     * List the recipients of a campaign in file order.
     *
     * Each recipient has the reason for its state. Rows that cannot be called are included as `refused`; `file.errors` of the campaign lists only the first hundred of them.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly listRecipients: ListMethod<OutboundCallsListRecipientsRequest, CampaignRecipient>;
    /**
     * Export the recipients of a campaign as CSV, in file order.
     *
     * UTF-8 with a header row; `variables` is JSON. A cell that a spreadsheet would read as a formula is prefixed with an apostrophe; this includes every number with a plus. If the export fails midway, the connection is closed without a proper end. Each organization can run one export at a time.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly exportRecipients: TextMethod<OutboundCallsExportRecipientsRequest>;
    /**
     * Cancel a campaign.
     *
     * No call starts after the response, and calls in progress are ended. Idempotent.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_CANCELLABLE
     */
    readonly cancelBatch: Method<OutboundCallsCancelBatchRequest, BatchCampaign>;
    /**
     * Get the status of an outbound call.
     *
     * A small response for polling. Webhooks and the event stream deliver the same changes without polling.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly status: Method<OutboundCallsStatusRequest, OutboundCallStatusView>;
    /**
     * Get an outbound call and its attempts.
     *
     * Each attempt has its call, its outcome and the reason.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly get: Method<OutboundCallsGetRequest, OutboundCall>;
    /**
     * Delete an outbound call and the records of its attempts.
     *
     * Erases the call's number, name, variables and metadata for good, together with the transcripts and recordings of its attempts and, for a call of a campaign, its recipient. What the call cost stays spent. Returns 409 `CALL_NOT_DELETABLE` while the call is waiting or in progress.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND, CALL_NOT_DELETABLE
     */
    readonly delete: Method<OutboundCallsDeleteRequest, undefined>;
    /**
     * Get the timeline of an outbound call: its events and their reasons, oldest first.
     *
     * Shows how each attempt ended, why it was not dialed or was retried, and who cancelled it. For the events within an attempt, get the timeline of its call.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly timeline: Method<OutboundCallsTimelineRequest, OutboundCallTimeline>;
    /**
     * Cancel an outbound call.
     *
     * A call that has not been dialed is never dialed; a call in progress is hung up. Returns 409 `CALL_NOT_CANCELLABLE` if the call has already ended.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND, CALL_NOT_CANCELLABLE
     */
    readonly cancel: Method<OutboundCallsCancelRequest, CancelResult>;
    /**
     * Retry a failed, busy or unanswered call.
     *
     * The outbound call keeps its ID and gets a new attempt with its own call ID. Any other status returns 409 `CALL_NOT_RETRYABLE`.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, OUTBOUND_CALL_NOT_FOUND, AGENT_NOT_FOUND, CALL_NOT_RETRYABLE, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, CALLER_NUMBER_NOT_OWNED
     */
    readonly retry: Method<OutboundCallsRetryRequest, OutboundCall>;
  };
  readonly knowledge: {
    /**
     * List knowledge sources.
     *
     * `agentId` filters by agent. `status` shows whether a source can be searched.
     */
    readonly list: ListMethod<KnowledgeListRequest, KnowledgeSource>;
    /**
     * Add URLs or uploaded files to an agent's knowledge.
     *
     * Sources are read after the response; follow the `status` of each. Upload files first, to a URL from `GET /kb/upload-url`.
     *
     * @throws ApiError AGENT_NOT_FOUND, UPLOAD_NOT_FOUND, UPLOAD_EXPIRED, URL_NOT_ALLOWED
     */
    readonly create: ListMethod<KnowledgeCreateRequest, KnowledgeSource>;
    /**
     * Create an upload URL for a document.
     *
     * PUT the file to `uploadUrl` with the same content type before it expires, then create a source with `fileKey`. With `bytes`, the URL leads to the object storage and accepts exactly so many; without it, to the gateway, which accepts up to `maxBytes` with a `Content-Length`.
     *
     * @throws ApiError QUOTA_REACHED
     */
    readonly uploadUrl: Method<KnowledgeUploadUrlRequest, {
      uploadUrl: string;
      fileKey: string;
      /** ISO 8601, UTC, milliseconds. */
      expiresAt: string;
      maxBytes: number;
    }>;
    /**
     * Update a knowledge source and read it again.
     *
     * Until the source has been read again, agents answer from its previous content.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND, UPLOAD_NOT_FOUND, UPLOAD_EXPIRED, URL_NOT_ALLOWED
     */
    readonly update: Method<KnowledgeUpdateRequest, KnowledgeSource>;
    /**
     * Delete a knowledge source.
     *
     * Agents stop answering from it immediately.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND
     */
    readonly delete: Method<KnowledgeDeleteRequest, undefined>;
    /**
     * Refresh a knowledge source.
     *
     * Fetches its pages or file again. Agents answer from the previous content until the new content has been read.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND
     */
    readonly refresh: Method<KnowledgeRefreshRequest, KnowledgeSource>;
    /**
     * Search an agent's knowledge.
     *
     * Runs the same search as the agent does during a call, and returns the passages that it would answer from.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly search: ListMethod<KnowledgeSearchRequest, Passage>;
    /**
     * Search the knowledge of the agent on this call.
     *
     * Authenticated by the call token, which gives access to the knowledge of this agent only.
     */
    readonly searchInCall: ListMethod<KnowledgeSearchInCallRequest, Passage>;
  };
  readonly tools: {
    /**
     * List tools.
     *
     * Header values that may be credentials are masked.
     */
    readonly list: ListMethod<ToolsListRequest, Tool>;
    /**
     * Create a tool.
     *
     * The request can use parameters, variables and secrets. Its scheme, host and port are literal. A secret is sent to its `allowedOrigins` only: naming it for another origin requires the permission secrets:use, which then allows the origin. URLs that point into the platform's own network are rejected.
     *
     * @throws ApiError SECRET_NOT_FOUND, NAME_TAKEN, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly create: Method<ToolsCreateRequest, Tool>;
    /**
     * List the tools of an agent.
     *
     * The tools that the model can call during this agent's calls.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<ToolsListForAgentRequest, Tool>;
    /**
     * Update a tool.
     *
     * Fields that are absent stay unchanged. New calls use the updated tool. A masked header value cannot be kept for another origin: it returns 422 `HEADER_VALUE_NEEDED`.
     *
     * @throws ApiError TOOL_NOT_FOUND, SECRET_NOT_FOUND, NAME_TAKEN, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED, HEADER_VALUE_NEEDED
     */
    readonly update: Method<ToolsUpdateRequest, Tool>;
    /**
     * Delete a tool.
     *
     * The tool is removed from every agent that uses it.
     *
     * @throws ApiError TOOL_NOT_FOUND
     */
    readonly delete: Method<ToolsDeleteRequest, undefined>;
    /**
     * Test a tool with your own arguments.
     *
     * Sends the request for real and returns it with its response. If the tool responds with an error, the result is still 200, with the reason in `error`.
     *
     * @throws ApiError TOOL_NOT_FOUND, AGENT_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly test: Method<ToolsTestRequest, ToolRun>;
    /**
     * Run a tool during a call.
     *
     * Authenticated by the call token. The platform sends the request, so the runtime never sees the tool's credentials.
     *
     * @throws ApiError TOOL_NOT_FOUND
     */
    readonly runInCall: Method<ToolsRunInCallRequest, ToolResult>;
    /**
     * Attach a tool to an agent.
     *
     * Idempotent.
     *
     * @throws ApiError TOOL_NOT_FOUND, AGENT_NOT_FOUND
     */
    readonly attach: Method<ToolsAttachRequest, {
      toolId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Detach a tool from an agent.
     *
     * Idempotent.
     *
     * @throws ApiError TOOL_NOT_FOUND, AGENT_NOT_FOUND
     */
    readonly detach: Method<ToolsDetachRequest, {
      toolId: string;
      agentId: string;
      attached: boolean;
    }>;
  };
  readonly secrets: {
    /**
     * List secrets.
     *
     * Returns names, versions and what uses each secret. No operation returns a secret's value.
     */
    readonly list: ListMethod<SecretsListRequest, Secret>;
    /**
     * Create a secret.
     *
     * The value is encrypted before it is stored. It is sent to `allowedOrigins` only; an origin is also added when a caller with the permission secrets:use first names the secret for it. Configurations refer to it by ID, or by name as `{{secrets.NAME}}`.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly create: Method<SecretsCreateRequest, Secret>;
    /**
     * Update the origins that a secret may be sent to.
     *
     * Replaces the whole list. Requests to an origin that is no longer listed are refused from the next one on. What uses the secret there is not changed.
     *
     * @throws ApiError SECRET_NOT_FOUND
     */
    readonly update: Method<SecretsUpdateRequest, Secret>;
    /**
     * Rotate a secret.
     *
     * Sets a new value; references stay valid. The previous value can be kept for a while, so that signatures already made with it still verify.
     *
     * @throws ApiError SECRET_NOT_FOUND
     */
    readonly rotate: Method<SecretsRotateRequest, Secret>;
    /**
     * Delete an unused secret.
     *
     * Returns 409 `SECRET_IN_USE` with the references if something still uses the secret.
     *
     * @throws ApiError SECRET_NOT_FOUND, SECRET_IN_USE
     */
    readonly delete: Method<SecretsDeleteRequest, undefined>;
  };
  readonly models: {
    /**
     * List the organization's own models, newest first.
     *
     * Models at servers of the organization's choice, which speak the OpenAI protocol. The voice catalog lists them beside those of the installation.
     */
    readonly list: ListMethod<ModelsListRequest, OrganizationModel>;
    /**
     * Add a model.
     *
     * Agents of the organization can choose it at once. Naming a secret for an origin that it is not allowed for requires the permission secrets:use. The key is sent to the origin of `baseUrl` and nowhere else. URLs that point into the platform's own network are rejected, and so is an id that the installation's catalog has.
     *
     * @throws ApiError SECRET_NOT_FOUND, NAME_TAKEN, URL_NOT_ALLOWED, LIMIT_TOO_HIGH
     */
    readonly create: Method<ModelsCreateRequest, OrganizationModel>;
    /**
     * Get a model.
     *
     * The path is `/models/` and the id of the model.
     *
     * @throws ApiError MODEL_NOT_FOUND
     */
    readonly get: Method<ModelsGetRequest, OrganizationModel>;
    /**
     * Update a model.
     *
     * Fields that are absent stay unchanged. A new origin of `baseUrl` needs `secretId` again, because the key was given for the old one; naming a secret for an origin that it is not allowed for requires the permission secrets:use. A voice that an agent has cannot be removed.
     *
     * @throws ApiError MODEL_NOT_FOUND, SECRET_NOT_FOUND, MODEL_IN_USE, URL_NOT_ALLOWED
     */
    readonly update: Method<ModelsUpdateRequest, OrganizationModel>;
    /**
     * Delete an unused model.
     *
     * Returns 409 `MODEL_IN_USE` with the agents that have it and the models that fall back to it. Calls that are in progress with an earlier configuration continue with its fall-backs.
     *
     * @throws ApiError MODEL_NOT_FOUND, MODEL_IN_USE
     */
    readonly delete: Method<ModelsDeleteRequest, null>;
    /**
     * Test a model of the voice catalog with one small request.
     *
     * An llm is asked for a word, tts speaks a sentence, and stt recognizes a recording of the platform. A model that fails is a result too: the answer is 200, with the reason in `error`. Models that the voice runtime reaches by a plugin cannot be tested here, and those of the installation only where this process has their key.
     *
     * @throws ApiError MODEL_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly test: Method<ModelsTestRequest, ModelTest>;
    /**
     * Get the endpoints of the call's own models.
     *
     * Answers the models of the organization that this version of the call's agent names, and those that they fall back to. Keys are sealed for the public key of the request, so that nothing between the two holds one in the clear.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_NOT_FOUND
     */
    readonly forCall: ListMethod<ModelsForCallRequest, ModelForCall>;
  };
  readonly widgets: {
    /**
     * List the widgets of an agent.
     *
     * Each widget has its appearance, its allowed origins and whether it is enabled.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<WidgetsListForAgentRequest, Widget>;
    /**
     * Create a widget for an agent.
     *
     * Once the widget is enabled, visitors on the allowed origins can start conversations. Each conversation counts toward the organization's concurrent calls.
     *
     * @throws ApiError AGENT_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly create: Method<WidgetsCreateRequest, Widget>;
    /**
     * Get a widget.
     *
     * Returns the full configuration, as members of the organization see it.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly get: Method<WidgetsGetRequest, Widget>;
    /**
     * Update a widget.
     *
     * Changes appearance, allowed origins, consent and whether it is enabled. Fields that are absent stay unchanged. New conversations use the updated widget.
     *
     * @throws ApiError WIDGET_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly update: Method<WidgetsUpdateRequest, Widget>;
    /**
     * Delete a widget.
     *
     * Pages that embed the widget no longer show it.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly delete: Method<WidgetsDeleteRequest, undefined>;
    /**
     * Get the public configuration of a widget.
     *
     * Returns what a page needs to render the widget, to the widget's allowed origins only.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly publicConfig: Method<WidgetsPublicConfigRequest, PublicWidgetConfig>;
    /**
     * Start a conversation in the browser.
     *
     * If the organization has no free call and the widget has a queue, returns 429 `CONCURRENCY_LIMIT` with `Retry-After` and `error.details.queue`: `ticket`, `position` (1 is next) and `text`. Repeat the request after `Retry-After` with the same body and `queueTicket`. A ticket that is not used for 30 seconds loses its position, and using it afterwards returns 410 `QUEUE_PLACE_LOST`. A 429 without `details.queue` means that the queue is full or that the widget has none.
     *
     * @throws ApiError WIDGET_NOT_FOUND, QUEUE_PLACE_LOST, MODE_NOT_OFFERED, CONSENT_REQUIRED
     */
    readonly startSession: Method<WidgetsStartSessionRequest, WidgetSession>;
    /**
     * Send a message in a text conversation.
     *
     * Streams the reply as server-sent events: `text` with a `delta`, and finally `done` with the whole turn. Returns 409 `CONFLICT` while another message is being answered.
     *
     * @throws ApiError WIDGET_NOT_FOUND, CONFLICT, SESSION_ENDED, MODE_NOT_OFFERED
     */
    readonly sendMessage: StreamMethod<WidgetsSendMessageRequest, {
      text: {
        delta: string;
      };
      done: {
        turn: TranscriptTurn;
      };
    }>;
    /**
     * End a conversation in the browser.
     *
     * The `endToken` from the start of the session proves that the request comes from the visitor; it can also be sent in the `x-end-token` header. Idempotent.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly endSession: Method<WidgetsEndSessionRequest, {
      sessionId: string;
      /** Always true. */
      ended: true;
      durationSeconds: number;
    }>;
  };
  readonly mcp: {
    /**
     * List MCP servers that can be connected.
     *
     * Includes curated servers and those that this organization has connected by URL.
     */
    readonly catalog: ListMethod<NoRequest, McpCatalogEntry>;
    /**
     * List MCP connections.
     *
     * Each connection has its status and the tools that it offers.
     */
    readonly connections: ListMethod<McpConnectionsRequest, McpConnection>;
    /**
     * Connect an MCP server.
     *
     * The server can be one from the catalog or any other URL. It is contacted and its tools are listed before the response. URLs that point into the platform's own network are rejected. Naming a secret for an origin that it is not allowed for requires the permission secrets:use; so does naming one for OAuth, because the origin of the authorization server is known later.
     *
     * @throws ApiError NOT_FOUND, SECRET_NOT_FOUND, CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly connect: Method<McpConnectRequest, McpConnection>;
    /**
     * List the MCP connections of an agent.
     *
     * The connections that are attached to the agent.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<McpListForAgentRequest, McpConnection>;
    /**
     * Refresh the tools of an MCP connection.
     *
     * If the server cannot be read, the request still succeeds: `status` reports it, and the connection keeps its last known tools.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND
     */
    readonly refresh: Method<McpRefreshRequest, McpConnection>;
    /**
     * Update an MCP connection.
     *
     * Changes the connection and which of its tools are offered. Fields that are absent stay unchanged. Header values sent back masked keep their stored value.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, SECRET_NOT_FOUND, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly update: Method<McpUpdateRequest, McpConnection>;
    /**
     * Delete an MCP connection.
     *
     * Agents lose its tools immediately, and its stored credentials are deleted.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND
     */
    readonly disconnect: Method<McpDisconnectRequest, undefined>;
    /**
     * Approve the current definition of a tool.
     *
     * `hash` identifies the definition that was reviewed. Returns 409 if the definition has changed since.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, CONFLICT
     */
    readonly approve: Method<McpApproveRequest, McpConnection>;
    /**
     * Get the authorization URL of an MCP connection.
     *
     * For connections with auth type oauth2. Open the URL in a browser that is signed in to the platform; the person signs in at the server and grants access. A URL is valid for one login within ten minutes.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, SECRET_NOT_FOUND, CONFLICT
     */
    readonly authorize: Method<McpAuthorizeRequest, McpAuthorization>;
    /**
     * Attach an MCP connection to an agent.
     *
     * Idempotent.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, AGENT_NOT_FOUND, CONFLICT
     */
    readonly attach: Method<McpAttachRequest, {
      mcpConnectionId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Detach an MCP connection from an agent.
     *
     * Idempotent.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, AGENT_NOT_FOUND
     */
    readonly detach: Method<McpDetachRequest, {
      mcpConnectionId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Execute a tool of an MCP connection.
     *
     * Calls the server for real with the connection's stored credentials. Members also need the permission tools:run; an API key needs tools:read alone. If the tool fails, the result is still 200, with the error in it.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, AGENT_NOT_FOUND, SECRET_NOT_FOUND, MCP_TOOL_NOT_APPROVED, MCP_AUTH_REQUIRED
     */
    readonly execute: Method<McpExecuteRequest, McpExecuteResult>;
  };
  readonly internal: {
    /**
     * Get the configuration of an agent for the voice runtime.
     *
     * Requires the internal key. With `callId`, the response includes a token that is valid for this call only.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly agentConfig: Method<InternalAgentConfigRequest, RuntimeConfig>;
    /**
     * Get the configuration of the agent that answers a number.
     *
     * Requires the internal key. Returns the configuration of the agent that is assigned to the number.
     *
     * @throws ApiError NUMBER_NOT_FOUND, AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly numberConfig: Method<InternalNumberConfigRequest, RuntimeConfig>;
  };
  readonly settings: {
    /**
     * Get the organization's settings.
     *
     * Time zone, allowed countries, limits and calling window. A limit that is not set is null. The calling windows of the operator, the organization and a campaign hold together, and `namedTimezones` says whether a time zone in a campaign or a row adds to those of the number or replaces them.
     */
    readonly get: Method<NoRequest, Settings>;
    /**
     * Update the organization's settings.
     *
     * A new time zone applies immediately, to past calls as well. The operator's limits on concurrent calls and countries still apply.
     *
     * @throws ApiError LIMIT_TOO_HIGH
     */
    readonly update: Method<SettingsUpdateRequest, Settings>;
  };
  readonly suppressions: {
    /**
     * List suppressed numbers, newest first.
     *
     * `phoneNumber` looks up a single number.
     */
    readonly list: ListMethod<SuppressionsListRequest, Suppression>;
    /**
     * Add numbers to the suppression list.
     *
     * Takes effect immediately, for running campaigns too. Calls that are already ringing continue.
     */
    readonly create: ListMethod<SuppressionsCreateRequest, Suppression>;
    /**
     * Get the history of a number on the suppression list.
     *
     * Who added or removed it, when and why; newest first, at most 200. Kept for five years.
     */
    readonly history: ListMethod<SuppressionsHistoryRequest, SuppressionFact>;
    /**
     * Add the number of the person in this call to the suppression list, because they asked for it.
     *
     * Authenticated by the call token. The number is on the list when the response arrives, before the call ends. May be repeated. Nothing happens in a call without a telephone and for a withheld number.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly addOfCall: Method<SuppressionsAddOfCallRequest, undefined>;
    /**
     * Remove a number from the suppression list.
     *
     * Running campaigns can call the number from then on, if it is in their file. Only owners and admins can remove a number whose person asked for it in a call, or was erased.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly delete: Method<SuppressionsDeleteRequest, undefined>;
  };
  readonly spend: {
    /**
     * Get spending, reservations and limits.
     *
     * Covers the last 30 days unless `from` and `to` are given: dates such as 2026-11-22, both inclusive, at most 90 days apart.
     */
    readonly get: Method<SpendGetRequest, Spend>;
    /**
     * Get the maximum cost of one call by an agent.
     *
     * The destination's rate for the longest call that the agent allows. Without a number, or if it has no plus, the highest rate of the table is used.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly worstCase: Method<SpendWorstCaseRequest, WorstCase>;
  };
  readonly storage: {
    /**
     * Get what the organization stores, and its quotas.
     *
     * Uploads that are open count as stored. Beyond a quota an upload is refused with `QUOTA_REACHED`; what is stored stays when the operator lowers a quota.
     */
    readonly get: Method<NoRequest, StorageUse>;
  };
  readonly caller: {
    /**
     * Get the caller behind this credential.
     *
     * Returns the owner of the credential, its organization, role and permissions. Useful to verify a key.
     */
    readonly get: Method<NoRequest, Caller>;
  };
  readonly people: {
    /**
     * Erase a person.
     *
     * Erases every call with this telephone number with its transcript and recording, its outbound calls, and its rows in campaigns. Cannot be undone. The first request erases nothing: it counts what would be erased and returns a `confirmation`, valid for ten minutes for this number and this caller. Repeat the request with it to start the erasure, which then continues in the background. A confirmed request can be repeated safely. Knowledge, tools and widgets store nothing under a telephone number.
     *
     * @throws ApiError CONFIRMATION_INVALID
     */
    readonly delete: Method<PeopleDeleteRequest, PersonErasureStep>;
    /**
     * Get the state of an erasure.
     *
     * An erasure is finished when every service has reported that nothing is left. A call in progress is erased once it has ended. Finished erasures can be read for 90 days.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly erasure: Method<PeopleErasureRequest, ErasureState>;
  };
  readonly webhooks: {
    /**
     * List webhook deliveries, newest first.
     *
     * Deliveries are kept for 30 days. After that, a call still shows whether its webhooks were delivered (`webhookDelivery`).
     */
    readonly deliveries: ListMethod<WebhooksDeliveriesRequest, WebhookDelivery>;
    /**
     * Redeliver a webhook.
     *
     * Sends the same ID and body with a new signature. The first try is immediate; retries follow the usual schedule.
     *
     * @throws ApiError WEBHOOK_DELIVERY_NOT_FOUND, CALL_NOT_FOUND, WEBHOOK_DELIVERY_PENDING, WEBHOOK_NOT_CONFIGURED
     */
    readonly replay: Method<WebhooksReplayRequest, WebhookDelivery>;
    /**
     * Send a test webhook.
     *
     * Sends one signed `webhook.test` message to the webhook of the agent's current configuration or to the given URL, and returns the response.
     *
     * @throws ApiError AGENT_NOT_FOUND, WEBHOOK_NOT_CONFIGURED, URL_NOT_ALLOWED
     */
    readonly test: Method<WebhooksTestRequest, WebhookTestResult>;
  };
  readonly events: {
    /**
     * Stream the organization's changes as server-sent events.
     *
     * Each event carries the ID and state of something that changed, never what was said. You receive the events of the resources that you can read. The stream begins with `open`. To resume, send the last ID that you received as `Last-Event-ID` or `after`, and you get every event since. `reload` means that some of those events are no longer available: fetch what you display again. The stream ends when the credential or its permissions change and when the process shuts down; open a new one then.
     */
    readonly stream: StreamMethod<EventsStreamRequest, {
      open: {
        /** True if no event was missed since the given ID. */
        resumed: boolean;
      };
      reload: {
        reason: "unknown_id" | "too_old" | "slow" | "missed";
      };
      "call.started": LiveEvent;
      "call.answered": LiveEvent;
      "call.ended": LiveEvent;
      "call.changed": LiveEvent;
      "call.transcript": LiveEvent;
      "outbound-call.changed": LiveEvent;
      "campaign.changed": LiveEvent;
      "agent.created": LiveEvent;
      "agent.updated": LiveEvent;
      "agent.deleted": LiveEvent;
      "agent.configured": LiveEvent;
      "number.changed": LiveEvent;
      "knowledge-source.changed": LiveEvent;
      "tool.changed": LiveEvent;
      "secret.changed": LiveEvent;
      "mcp-connection.changed": LiveEvent;
      "widget.changed": LiveEvent;
      "settings.changed": LiveEvent;
      "member.changed": LiveEvent;
      "invitation.changed": LiveEvent;
      "suppression.changed": LiveEvent;
      "webhook-delivery.changed": LiveEvent;
    }>;
  };
  readonly auth: {
    /**
     * Sign up with an email address and password.
     *
     * Signs the person in unless email addresses have to be verified. `x-setup-code` admits the first account.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly signUpEmail: Method<AuthSignUpEmailRequest, {
      user: AuthUser;
    }>;
    /**
     * Sign in with an email address and password.
     *
     * For an account with a second factor, returns `twoFactorRedirect` and no session yet.
     */
    readonly signInEmail: Method<AuthSignInEmailRequest, {
      user: AuthUser;
    } | {
      /** Always true. */
      twoFactorRedirect: true;
    }>;
    /**
     * Sign out.
     *
     * Ends the session and clears its cookie.
     */
    readonly signOut: Method<NoRequest, {
      success: boolean;
    }>;
    /**
     * Get the current session.
     *
     * Returns the session and its user, or 200 with null if nobody is signed in.
     */
    readonly getSession: Method<NoRequest, {
      session: AuthSession;
      user: AuthUser;
    } | null>;
    /**
     * List your sessions.
     *
     * Each session shows the device and IP address that it was created from.
     */
    readonly listSessions: Method<NoRequest, AuthListedSession[]>;
    /**
     * Revoke one of your sessions.
     *
     * The session can no longer be used.
     */
    readonly revokeSession: Method<AuthRevokeSessionRequest, {
      status: boolean;
    }>;
    /**
     * Revoke all of your sessions.
     *
     * Includes the current session.
     */
    readonly revokeSessions: Method<NoRequest, {
      status: boolean;
    }>;
    /**
     * Revoke all of your other sessions.
     *
     * The current session stays valid.
     */
    readonly revokeOtherSessions: Method<NoRequest, {
      status: boolean;
    }>;
    /**
     * Change your password.
     *
     * Requires the current password and revokes every other session. Wrong attempts are counted and delay further ones.
     */
    readonly changePassword: Method<AuthChangePasswordRequest, {
      user: AuthUser;
    }>;
    /**
     * Update your name.
     *
     * Members of your organizations see the new name.
     */
    readonly updateUser: Method<AuthUpdateUserRequest, {
      status: boolean;
    }>;
    /**
     * Delete your account.
     *
     * Requires the password, and with a second factor a code of the authenticator app. Organizations without another member are deleted with it, which is rejected with ORGANIZATION_IN_USE as for any organization. Rejected with LAST_OWNER while you are the last owner of an organization with other members. Sessions and the API keys that you created end immediately. Cannot be undone.
     *
     * @throws ApiError CONFLICT, LAST_OWNER, ORGANIZATION_IN_USE
     */
    readonly deleteUser: Method<AuthDeleteUserRequest, {
      status: boolean;
    }>;
    /**
     * Resend the verification email.
     *
     * The response is the same whether or not the address has an account. Emails to one address are rate limited.
     */
    readonly sendVerificationEmail: Method<AuthSendVerificationEmailRequest, {
      status: boolean;
    }>;
    /**
     * Request a password reset email.
     *
     * The response is the same whether or not the address has an account. Emails to one address are rate limited.
     */
    readonly requestPasswordReset: Method<AuthRequestPasswordResetRequest, {
      status: boolean;
    }>;
    /**
     * Reset a password with the token from an email.
     *
     * Revokes every session of the account. A token expires and can be used once.
     */
    readonly resetPassword: Method<AuthResetPasswordRequest, {
      status: boolean;
    }>;
    /**
     * Start setting up a second factor.
     *
     * Requires the password. Returns the URI for an authenticator app and the backup codes, which are shown only once. Verify the first code from the app to finish.
     */
    readonly twoFactorEnable: Method<AuthTwoFactorEnableRequest, {
      totpURI: string;
      /** Each can be used once; returned only in this response. */
      backupCodes: string[];
    }>;
    /**
     * Disable the second factor.
     *
     * Requires the password. Organizations that require a second factor reject the session from then on.
     */
    readonly twoFactorDisable: Method<AuthTwoFactorDisableRequest, {
      status: boolean;
    }>;
    /**
     * Verify a code from an authenticator app.
     *
     * Completes a sign-in or the set-up of the second factor. Each code works once. Ten wrong codes lock the second factor for 15 minutes, and for longer each time that it happens again. The person gets a mail at the first lock.
     */
    readonly twoFactorVerifyTotp: Method<AuthTwoFactorVerifyTotpRequest, {
      user: AuthUser;
    }>;
    /**
     * Complete a sign-in with a backup code.
     *
     * Each backup code works once. Wrong codes count together with those of an authenticator app.
     *
     * @throws ApiError CONFLICT
     */
    readonly twoFactorVerifyBackupCode: Method<AuthTwoFactorVerifyBackupCodeRequest, {
      user: AuthUser;
    }>;
    /**
     * Generate new backup codes.
     *
     * Requires the password. The previous codes stop working. The new codes are shown only once.
     */
    readonly twoFactorGenerateBackupCodes: Method<AuthTwoFactorGenerateBackupCodesRequest, {
      /** Each can be used once; returned only in this response. */
      backupCodes: string[];
    }>;
    /**
     * Require a second factor for an organization, or stop requiring it.
     *
     * Owners only; the owner must have a second factor. Applies to members' sessions, not to API keys.
     */
    readonly organizationRequireSecondFactor: Method<AuthOrganizationRequireSecondFactorRequest, AuthOrganization>;
    /**
     * List your organizations.
     *
     * Returns every organization that you are a member of.
     */
    readonly organizationList: Method<NoRequest, AuthOrganization[]>;
    /**
     * Create an organization.
     *
     * You become its owner. The operator decides who may create organizations, and one beyond your first begins with a spending limit of 0. It becomes the active organization of this session unless `keepCurrentActiveOrganization` is true.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly organizationCreate: Method<AuthOrganizationCreateRequest, AuthOrganization>;
    /**
     * Update the name or slug of the active organization.
     *
     * Returns 409 `NAME_TAKEN` if the slug is taken.
     *
     * @throws ApiError NOT_FOUND, NAME_TAKEN
     */
    readonly organizationUpdate: Method<AuthOrganizationUpdateRequest, AuthOrganization>;
    /**
     * Delete the active organization.
     *
     * Owners only. Rejected with ORGANIZATION_IN_USE while the organization owns phone numbers, or has unfinished campaigns or calls in progress; `details` counts them. API keys and sessions end immediately. Every service then erases the organization's data, with its calls, recordings and files; `removalId` reads the state of that. Cannot be undone.
     *
     * @throws ApiError NOT_FOUND, CONFLICT, ORGANIZATION_IN_USE
     */
    readonly organizationDelete: Method<AuthOrganizationDeleteRequest, {
      id: string;
      name: string;
      slug: string;
      createdAt: string;
      secondFactorRequired?: boolean | null | undefined;
      removalId: string;
    }>;
    /**
     * Get the state of the deletion of an organization.
     *
     * For the person who deleted it. Finished when every service has reported that nothing is left, and the files are gone.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationRemoval: Method<AuthOrganizationRemovalRequest, ErasureState>;
    /**
     * Set the active organization of this session.
     *
     * All further requests of this session apply to that organization.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationSetActive: Method<AuthOrganizationSetActiveRequest, AuthOrganization>;
    /**
     * Get an organization with its members.
     *
     * Returns the active organization unless another of your organizations is given.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationGetFull: Method<AuthOrganizationGetFullRequest, {
      id: string;
      name: string;
      slug: string;
      createdAt: string;
      secondFactorRequired?: boolean | null | undefined;
      members: AuthMember[];
    } | null>;
    /**
     * List the members of an organization.
     *
     * Each member has a name, an email address and a role.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationListMembers: Method<AuthOrganizationListMembersRequest, {
      members: AuthMember[];
      total: number;
    }>;
    /**
     * Change the role of a member.
     *
     * An organization always keeps at least one owner. API keys that the member created lose the permissions that the new role lacks.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationUpdateMemberRole: Method<AuthOrganizationUpdateMemberRoleRequest, AuthMember>;
    /**
     * Remove a member from the active organization.
     *
     * The member's sessions lose access to the organization, and the API keys that the member created are revoked.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationRemoveMember: Method<AuthOrganizationRemoveMemberRequest, {
      member: AuthMember;
    }>;
    /**
     * Leave an organization.
     *
     * The last owner cannot leave. API keys that you created are revoked.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationLeave: Method<AuthOrganizationLeaveRequest, AuthMember>;
    /**
     * Invite someone to the active organization.
     *
     * Replaces a pending invitation to the same address. Admins cannot replace or renew an invitation with a role that only owners can grant.
     *
     * @throws ApiError CONFLICT
     */
    readonly organizationInviteMember: Method<AuthOrganizationInviteMemberRequest, AuthInvitation>;
    /**
     * Cancel an invitation.
     *
     * Admins cannot cancel an invitation with a role that only owners can grant.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationCancelInvitation: Method<AuthOrganizationCancelInvitationRequest, AuthInvitation>;
    /**
     * List the invitations of the active organization.
     *
     * Includes invitations in every state, with address and role.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationListInvitations: Method<AuthOrganizationListInvitationsRequest, AuthInvitation[]>;
    /**
     * Accept an invitation.
     *
     * Your verified email address must be the one that was invited.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationAcceptInvitation: Method<AuthOrganizationAcceptInvitationRequest, {
      invitation: AuthInvitation;
      member: AuthMember;
    }>;
    /**
     * Decline an invitation.
     *
     * A declined invitation can no longer be accepted.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationRejectInvitation: Method<AuthOrganizationRejectInvitationRequest, {
      invitation: AuthInvitation;
      /** Always null. */
      member: null;
    }>;
    /**
     * Get an invitation to you.
     *
     * An invitation to another address is reported as not found.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationGetInvitation: Method<AuthOrganizationGetInvitationRequest, AuthInvitation>;
    /**
     * List invitations to you.
     *
     * Returns pending invitations to the email address of your account.
     */
    readonly organizationListUserInvitations: Method<NoRequest, AuthInvitation[]>;
    /**
     * Create an API key for the active organization.
     *
     * The key itself is returned only in this response. It has at most the permissions of its creator, expires after 365 days unless set otherwise, and is revoked when its creator leaves the organization.
     */
    readonly apiKeyCreate: Method<AuthApiKeyCreateRequest, ApiKeyOnce>;
    /**
     * List the API keys of the active organization.
     *
     * Includes ended keys with their `disabledReason`. The keys themselves are never returned.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly apiKeyList: Method<AuthApiKeyListRequest, {
      apiKeys: ApiKey[];
      total: number;
    }>;
    /**
     * Update an API key.
     *
     * Changes its name, state, expiry or allowed IP addresses. Returns 409 `CONFLICT` if the key has ended.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly apiKeyUpdate: Method<AuthApiKeyUpdateRequest, ApiKey>;
    /**
     * Revoke an API key.
     *
     * The key is rejected everywhere within five seconds. It stays in the list.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly apiKeyDelete: Method<AuthApiKeyDeleteRequest, {
      success: boolean;
    }>;
    /**
     * Rotate an API key.
     *
     * Creates a new key with the same permissions and lifetime; the old key stays valid for a grace period. A key can be rotated once.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly apiKeyRotate: Method<AuthApiKeyRotateRequest, ApiKeyOnce>;
  };
}
