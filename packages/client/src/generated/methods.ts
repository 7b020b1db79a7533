// The methods of the client. Written by `npm run gen` from the interface document; changes here are lost.

import type { ListMethod, Method, NoRequest, StreamMethod, TextMethod } from '../method/method.js';
import type { Agent, AgentConfiguration, AgentConfigurationInput, AgentInput, AgentUpdate, AnsweredBy, ApiKey, ApiKeyOnce, AuthInvitation, AuthListedSession, AuthMember, AuthOrganization, AuthSession, AuthUser, BatchCampaign, BatchPreview, Budget, CallLog, CallStatus, CallTimeline, Caller, CampaignOutcomes, CampaignRecipient, CancelResult, ColumnMapping, ConfigurationVersion, DashboardSummary, EndLiveCallResult, EndedErrorRequest, EndedReason, Health, Json, KnowledgeSource, LiveCall, LiveEvent, McpAuthorization, McpCatalogEntry, McpConnection, McpExecuteResult, NumberSearchResult, OutboundCall, OutboundCallStatusView, OutboundCallTimeline, Outcome, Passage, PhoneNumber, PreviewConversation, PreviewSession, PublicWidgetConfig, Ready, RecipientState, RecordingUpload, RuntimeConfig, Secret, Settings, Spend, Suppression, Tool, ToolResult, ToolRun, Transcript, TranscriptTurn, TranscriptTurnRequest, VoiceCatalog, WebhookDelivery, WebhookReplay, WebhookTest, WebhookTestResult, Widget, WidgetSession, WorstCase } from './schemas.js';

/** The input of `client.agents.create`. */
export interface AgentsCreateRequest {
  body: AgentInput;
}

/** The input of `client.agents.list`. */
export interface AgentsListRequest {
  query?: {
    /** Whole number from 1 to 100. From 1 to 100. */
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
    /** Only versions with a lower number: the next page begins below the last one shown. From 1 to 999999999. */
    before?: number | string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
  } | undefined;
}

/** The input of `client.agents.getConfigVersion`. */
export interface AgentsGetConfigVersionRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Whole number from 1 to 999999999. From 1 to 999999999. */
    version: number | string;
  };
}

/** The input of `client.agents.restoreConfigVersion`. */
export interface AgentsRestoreConfigVersionRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
    /** Whole number from 1 to 999999999. From 1 to 999999999. */
    version: number | string;
  };
  body: {
    /** The version that is in force, as the caller read it; another one answers VERSION_CONFLICT. At least 1. */
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
    /** Whole number from 1 to 999999. From 1 to 999999. */
    areaCode?: number | string | undefined;
    /** Whole number from 1 to 50. From 1 to 50. */
    limit?: number | string | undefined;
  };
}

/** The input of `client.numbers.list`. */
export interface NumbersListRequest {
  query?: {
    /** Whole number from 1 to 100. From 1 to 100. */
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
    /** A telephone number of the other party or its last digits, the id of a call or outbound call, or a word of the person's name or all of it. From 1 to 120 characters. */
    search?: string | undefined;
    /** First moment of the period. */
    from?: string | undefined;
    /** End of the period. */
    to?: string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
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
    /** `skipped` unless given. */
    analysisStatus?: "pending" | "completed" | "failed" | "skipped" | undefined;
    dynamicVariables?: { [key: string]: string } | undefined;
    metadata?: { [key: string]: Json } | undefined;
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
    /** A telephone number of the other party or its last digits, the id of a call or outbound call, or a word of the person's name or all of it. From 1 to 120 characters. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** Counts the events of the call; one that was told before is ignored. At least 0. */
      seq: number;
      at: string;
      type: "turn";
      turn: TranscriptTurnRequest;
    } | {
      /** Counts the events of the call; one that was told before is ignored. At least 0. */
      seq: number;
      at: string;
      type: "state";
      state: "listening" | "thinking" | "speaking";
    } | {
      /** Counts the events of the call; one that was told before is ignored. At least 0. */
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
    /** The size of the file. From 1 to 536870912. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.outboundCalls.quick`. */
export interface OutboundCallsQuickRequest {
  body: {
    /** The agent that talks. */
    agentId: string;
    /** Whom to call. From 1 to 32 characters. */
    phoneNumber: string;
    /** The number that the callee sees. From 1 to 32 characters. */
    fromNumber: string;
    /** Instead of the configured first message. From 1 to 2000 characters. */
    firstMessage?: string | undefined;
    /** Instead of the configured prompt. From 1 to 100000 characters. */
    systemPrompt?: string | undefined;
    /** Name of the callee, for the operator. From 1 to 120 characters. */
    username?: string | undefined;
    /** Values for {{placeholders}} of the prompts. */
    dynamicVariables?: { [key: string]: string } | undefined;
    /** Must be the provider of fromNumber. */
    provider?: "TWILIO" | "TELNYX" | undefined;
    /** The provider's identifier of fromNumber, together with provider: for a number that is kept there alone; only where the provider's accounts are your own. From 1 to 128 characters. */
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
      /** 0 is Monday; the days on which the window begins. From 1 to 7 items. */
      days: number[];
      start: string;
      /** Before the start: on the next day; 24:00 is midnight. */
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
    /** The highest cost of the whole campaign. */
    budget?: Budget | null | undefined;
    columns?: ColumnMapping | undefined;
  };
}

/** The input of `client.outboundCalls.listBatches`. */
export interface OutboundCallsListBatchesRequest {
  query?: {
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** 0 is Monday; the days on which the window begins. From 1 to 7 items. */
      days: number[];
      start: string;
      /** Before the start: on the next day; 24:00 is midnight. */
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
    /** Only the people in this state. */
    state?: RecipientState | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
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
    /** Only the people in this state. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** Parts of pages that are read too. At most 2 items. */
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
      /** Parts of pages that are read too. At most 2 items. */
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
    /** Parts of pages that are read too. At most 2 items. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** Records of a call show the argument as "•••". */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** Records of a call show the argument as "•••". */
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
    /** The same in every repetition of one execution, which then runs once. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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

/** The input of `client.widgets.listForAgent`. */
export interface WidgetsListForAgentRequest {
  params: {
    /** Id of the agent. */
    agentId: string;
  };
  query?: {
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** In 24 hours; null: no limit. From 1 to 1000000. */
      dailySessions?: number | null | undefined;
    } | undefined;
    queue?: {
      enabled?: boolean | undefined;
      /** Visitors who wait at the same time. From 1 to 1000. */
      maxWaiting?: number | undefined;
      /** The text that visitors read while they wait. From 1 to 300 characters. */
      text?: string | null | undefined;
    } | undefined;
    /** A new widget offers both. From 1 to 2 items. */
    modes?: Array<"voice" | "text"> | undefined;
    /** At most 64 items. */
    allowedVariables?: string[] | undefined;
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
      /** In 24 hours; null: no limit. From 1 to 1000000. */
      dailySessions?: number | null | undefined;
    } | undefined;
    queue?: {
      enabled?: boolean | undefined;
      /** Visitors who wait at the same time. From 1 to 1000. */
      maxWaiting?: number | undefined;
      /** The text that visitors read while they wait. From 1 to 300 characters. */
      text?: string | null | undefined;
    } | undefined;
    /** A new widget offers both. From 1 to 2 items. */
    modes?: Array<"voice" | "text"> | undefined;
    /** At most 64 items. */
    allowedVariables?: string[] | undefined;
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
    /** Absent: voice where the widget offers it and this installation has it, text otherwise. */
    mode?: "voice" | "text" | undefined;
    dynamicVariables?: { [key: string]: string } | undefined;
    consent?: {
      accepted: true;
      /** From 1 to 64 characters. */
      version: string;
    } | undefined;
    /** Kept without its query and fragment. From 1 to 2048 characters. */
    pageUrl?: string | undefined;
    /** From 1 to 128 characters. */
    visitorId?: string | undefined;
    /** JWT of the site, HS256: sub, exp at most five minutes ahead, variables. From 1 to 4096 characters. */
    visitorToken?: string | undefined;
    /** The ticket of the last answer, from a visitor who waits in the queue. From 1 to 64 characters. */
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
    /** Or in the header x-end-token. From 1 to 256 characters. */
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
    /** Or in the header x-end-token. From 1 to 256 characters. */
    endToken?: string | undefined;
    /** From 1 to 200 characters. */
    reason?: string | undefined;
  } | undefined;
}

/** The input of `client.mcp.connections`. */
export interface McpConnectionsRequest {
  query?: {
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** A client that was registered by hand, for servers without registration of clients. From 1 to 512 characters. */
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
      /** A client that was registered by hand, for servers without registration of clients. From 1 to 512 characters. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
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
      /** A client that was registered by hand, for servers without registration of clients. From 1 to 512 characters. */
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
    /** IANA time zone; decides where days begin, on the dashboard and elsewhere. From 1 to 64 characters. */
    timezone?: string | undefined;
    /** From 1 to 10000. */
    maxConcurrentCalls?: number | undefined;
    /** The part of those calls that is kept free for inbound calls. From 0 to 10000. */
    inboundReserve?: number | undefined;
    callingWindow?: {
      /** 0 is Monday; the days on which the window begins. From 1 to 7 items. */
      days: number[];
      start: string;
      /** Before the start: on the next day; 24:00 is midnight. */
      end: string;
      basis: "campaign" | "recipient";
    } | null | undefined;
    /** From 1 to 100. */
    dailyAttemptsPerNumber?: number | null | undefined;
    /** The highest cost of all quick calls of one day together; null leaves it to the limits of the operator. */
    quickCallBudget?: Budget | null | undefined;
    /** Countries that may be called; null: those of the own numbers. */
    allowedCountries?: string[] | null | undefined;
  } | undefined;
}

/** The input of `client.suppressions.list`. */
export interface SuppressionsListRequest {
  query?: {
    /** Only this one, if it is on the list. From 1 to 32 characters. */
    phoneNumber?: string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** `nextCursor` of the page before; the first page without it. From 1 to 2048 characters. */
    cursor?: string | undefined;
  } | undefined;
}

/** The input of `client.suppressions.create`. */
export interface SuppressionsCreateRequest {
  body: {
    /** One that is on the list already stays as it is. From 1 to 1000 items. */
    phoneNumbers: string[];
    /** A note for readers of the list. From 1 to 200 characters. */
    reason?: string | undefined;
  };
}

/** The input of `client.suppressions.delete`. */
export interface SuppressionsDeleteRequest {
  params: {
    /** Id of the entry in the do-not-call list. */
    suppressionId: string;
  };
}

/** The input of `client.spend.get`. */
export interface SpendGetRequest {
  query?: {
    /** First day; 29 days before `to` unless given. From 1 to 40 characters. */
    from?: string | undefined;
    /** Last day; today unless given. From 1 to 40 characters. */
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

/** The input of `client.webhooks.deliveries`. */
export interface WebhooksDeliveriesRequest {
  query?: {
    /** `pending` until the first try, `retrying` after a try that failed, `failed` once it is given up. */
    status?: "pending" | "retrying" | "delivered" | "failed" | undefined;
    /** What belongs to this agent. */
    agentId?: string | undefined;
    /** What belongs to this call. */
    callId?: string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
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
    /** The id of the last event that arrived; the header counts where there are both. From 1 to 200 characters. */
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
    /** Whole number from 1 to 100. From 1 to 100. */
    membersLimit?: number | string | undefined;
  } | undefined;
}

/** The input of `client.auth.organizationListMembers`. */
export interface AuthOrganizationListMembersRequest {
  query?: {
    /** Id of the organization; the active one of the session unless given. */
    organizationId?: string | undefined;
    /** Whole number from 1 to 100. From 1 to 100. */
    limit?: number | string | undefined;
    /** Whole number from 0 to 1000000. From 0 to 1000000. */
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
    /** Seconds; null for ever; 365 days unless given. From 60 to 315360000. */
    expiresIn?: number | null | undefined;
    /** Where the key is good from, in CIDR notation; a bare address means itself alone. From 1 to 20 items. */
    allowedAddresses?: string[] | undefined;
    /** Never: over MCP, tools that cost money or destroy something do it at once, without a confirmation. `always` unless given. */
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
     * Tell whether the interface is alive.
     *
     * Answers as long as the gateway itself runs. It looks at nothing else, so it is a liveness probe.
     */
    readonly live: Method<NoRequest, Health>;
    /**
     * Tell whether the platform can serve, dependency by dependency.
     *
     * Looks at each service and engine behind the gateway. The status is 503 while one of them that requests need is away; the body names it.
     */
    readonly ready: Method<NoRequest, Ready>;
  };
  readonly agents: {
    /**
     * Create an agent.
     *
     * With the template `business`, `medical` or `support` the agent starts with version 1 of a working configuration; with `blank` or null it has none.
     *
     * @throws ApiError TEMPLATE_NOT_FOUND, CONFLICT
     */
    readonly create: Method<AgentsCreateRequest, Agent>;
    /**
     * List the agents of the organization, newest first.
     *
     * Each agent has its assigned numbers, the version of its configuration and counts of what is attached to it.
     */
    readonly list: ListMethod<AgentsListRequest, Agent>;
    /**
     * List the languages, models, voices and time zones that a configuration may name.
     *
     * A configuration that names anything else is refused. `available` is false for a model or voice whose provider this deployment has no credentials for.
     */
    readonly voiceCatalog: Method<NoRequest, VoiceCatalog>;
    /**
     * Open a media session to try an agent in a browser.
     *
     * The answer holds the address of the media server and a token to join the room with. The session runs with the configuration in force and counts as a call in progress.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly previewSession: Method<AgentsPreviewSessionRequest, PreviewSession>;
    /**
     * Begin a conversation in text to try an agent.
     *
     * The conversation runs with the configuration in force, for ten minutes at the most, and ends after five minutes without a message. It takes a place among the calls of the organization, and is in the call log with the channel `preview`. One person has five of them at a time; a sixth ends the oldest one.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, TEXT_RUNTIME_NOT_CONFIGURED
     */
    readonly startPreviewConversation: Method<AgentsStartPreviewConversationRequest, PreviewConversation>;
    /**
     * Say something to an agent that is tried in text.
     *
     * Answers the words of the agent as they come: events `text` with a `delta`, an event `tool` with the turn of each tool that has run, then one event `done` with the whole turn. A message while another one is being answered is 409 `CONFLICT`. Only the person or key that began the conversation goes on with it.
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
     * End a conversation in text that tries an agent.
     *
     * Ending a conversation that has ended already changes nothing and answers the same.
     *
     * @throws ApiError CONVERSATION_NOT_FOUND
     */
    readonly endPreviewConversation: Method<AgentsEndPreviewConversationRequest, {
      sessionId: string;
      ended: true;
      durationSeconds: number;
    }>;
    /**
     * Rename an agent, switch it on or off, or note another template.
     *
     * Fields that are absent stay as they are. An inactive agent takes and makes no calls.
     *
     * @throws ApiError AGENT_NOT_FOUND, TEMPLATE_NOT_FOUND
     */
    readonly update: Method<AgentsUpdateRequest, Agent>;
    /**
     * Delete an agent and its configuration for good.
     *
     * Its calls, transcripts and statistics stay, with the name it had.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_IN_USE
     */
    readonly delete: Method<AgentsDeleteRequest, null>;
    /**
     * Save a new version of the configuration.
     *
     * The first save needs agentConfiguration:create, later ones agentConfiguration:update.
     *
     * @throws ApiError AGENT_NOT_FOUND, SECRET_NOT_FOUND, VERSION_CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly saveConfig: Method<AgentsSaveConfigRequest, AgentConfiguration>;
    /**
     * Read the configuration in force.
     *
     * Calls that begin now run with this version. An agent without a saved configuration answers 404 `CONFIG_NOT_FOUND`.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_NOT_FOUND
     */
    readonly getConfig: Method<AgentsGetConfigRequest, AgentConfiguration>;
    /**
     * List the versions of the configuration, newest first.
     *
     * Twenty at a time unless `limit` says otherwise. A version is never changed and never deleted.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listConfigVersions: ListMethod<AgentsListConfigVersionsRequest, ConfigurationVersion>;
    /**
     * Read one version of the configuration.
     *
     * A version never changes once it is saved, so a call can always be compared with the configuration it ran with.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_VERSION_NOT_FOUND
     */
    readonly getConfigVersion: Method<AgentsGetConfigVersionRequest, AgentConfiguration>;
    /**
     * Save an earlier version anew, as the newest one.
     *
     * It is judged as a save of today: a model, voice, secret or address that is no longer allowed refuses it with the code of saving. Header values that are not shown come back as that version had them.
     *
     * @throws ApiError AGENT_NOT_FOUND, CONFIG_VERSION_NOT_FOUND, SECRET_NOT_FOUND, VERSION_CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly restoreConfigVersion: Method<AgentsRestoreConfigVersionRequest, AgentConfiguration>;
  };
  readonly numbers: {
    /**
     * Search numbers that can be bought, each with a signed price quote.
     *
     * Each result carries a quote that is signed for this organization and expires at `quoteExpiresAt`. Buying takes the number, the provider and the quote of one result unchanged.
     */
    readonly search: ListMethod<NumbersSearchRequest, NumberSearchResult>;
    /**
     * List the numbers of the organization and the agents that answer them.
     *
     * Each number has its provider, its price and the agent that is assigned to it.
     */
    readonly list: ListMethod<NumbersListRequest, PhoneNumber>;
    /**
     * Buy a number for its quoted price.
     *
     * Needs the session of an owner or admin. The number is bought at the provider once, whatever happens to the request; a number that is still being provisioned has that status.
     *
     * @throws ApiError INSUFFICIENT_BALANCE, SPEND_LIMIT_REACHED, QUOTE_ALREADY_USED, NUMBER_UNAVAILABLE, QUOTE_EXPIRED
     */
    readonly buy: Method<NumbersBuyRequest, PhoneNumber>;
    /**
     * Let an agent answer a number, or no agent.
     *
     * Needs the session of an owner or admin. `agentId` null leaves the number without an agent: calls to it are not answered.
     *
     * @throws ApiError NUMBER_NOT_FOUND, AGENT_NOT_FOUND, CONFLICT
     */
    readonly assign: Method<NumbersAssignRequest, PhoneNumber>;
    /**
     * Give a number back to the provider, for good.
     *
     * Needs the session of an owner or admin. The provider may give the number to somebody else at once.
     *
     * @throws ApiError NUMBER_NOT_FOUND, NUMBER_IN_USE, CONFLICT
     */
    readonly release: Method<NumbersReleaseRequest, undefined>;
  };
  readonly calls: {
    /**
     * List calls, newest first.
     *
     * Filters combine. Deleted calls are not in the list; calls in progress are.
     */
    readonly list: ListMethod<CallsListRequest, CallLog>;
    /**
     * Take over a finished call from the voice runtime.
     *
     * The voice runtime hands a call over once it has ended. The same `eventId` again answers 200 with the stored result, so a runtime may repeat a hand-over whose answer was lost.
     *
     * @throws ApiError INGEST_CONFLICT, UNKNOWN_REFERENCE
     */
    readonly ingest: Method<CallsIngestRequest, {
      callId: string;
    }>;
    /**
     * List calls in progress.
     *
     * Calls that ring or are in progress, phone calls and browser sessions alike, each with the room name that ends it.
     */
    readonly live: ListMethod<NoRequest, LiveCall>;
    /**
     * End a call in progress.
     *
     * Removes everybody from the media room of the call. A room that has ended already answers 200 with `alreadyEnded`.
     *
     * @throws ApiError LIVE_CALL_NOT_FOUND
     */
    readonly endLive: Method<CallsEndLiveRequest, EndLiveCallResult>;
    /**
     * Download calls as CSV, newest first.
     *
     * In UTF-8, with a header, a million calls at the most. A cell that a spreadsheet would take for a formula begins with an apostrophe, as every number with a plus does. A file that ends early breaks the connection. One at a time for each organization.
     */
    readonly export: TextMethod<CallsExportRequest>;
    /**
     * Read one call.
     *
     * The link to the recording is signed and expires at `urlExpiresAt`; read the call again for another one.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly get: Method<CallsGetRequest, CallLog>;
    /**
     * Take a call out of the log and the statistics.
     *
     * The call is gone from lists, statistics and reads by id at once.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly delete: Method<CallsDeleteRequest, undefined>;
    /**
     * Read the transcript of a call, in order.
     *
     * Turns in the order in which they were spoken. While the call lasts the transcript grows.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly transcripts: ListMethod<CallsTranscriptsRequest, Transcript>;
    /**
     * Read the events of a call with their reasons, oldest first.
     *
     * The attempts of its outbound call belong to it, for readers with `outboundCalls:read`: the reasons why a phone was not called, put off, or called again. It holds no spoken words.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly timeline: Method<CallsTimelineRequest, CallTimeline>;
    /**
     * Tell the events of a call while it lasts.
     *
     * Turns, states and latencies, in batches of up to 100. A `seq` that was received before is ignored, so a batch may be repeated.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly progress: Method<CallsProgressRequest, undefined>;
    /**
     * Say where the recording of a call is to be uploaded.
     *
     * The address takes one PUT of this content type and of just so many bytes. The hand-over of the call then names the `storageKey`. Asked again, it answers a new address for the same key.
     *
     * @throws ApiError CALL_NOT_FOUND
     */
    readonly recordingUpload: Method<CallsRecordingUploadRequest, RecordingUpload>;
  };
  readonly dashboard: {
    /**
     * Summarize calls, outcomes and costs of a time range.
     *
     * Days begin at midnight in the time zone of the organization. A custom range takes `from` and `to` and spans at most 90 days.
     */
    readonly summary: Method<DashboardSummaryRequest, DashboardSummary>;
  };
  readonly outboundCalls: {
    /**
     * List outbound calls, newest first.
     *
     * Single calls and the calls of campaigns; `mode` tells them apart.
     */
    readonly list: ListMethod<OutboundCallsListRequest, OutboundCall>;
    /**
     * Dial one number now.
     *
     * The call is placed at once and consumes minutes. Send an Idempotency-Key: a repeated request then never dials twice.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, AGENT_NOT_FOUND, NUMBER_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, CALLER_NUMBER_NOT_OWNED, DESTINATION_NOT_ALLOWED, SUPPRESSED_DNC, OUTSIDE_CALLING_WINDOW
     */
    readonly quick: Method<OutboundCallsQuickRequest, OutboundCall>;
    /**
     * Get an address to upload a spreadsheet to.
     *
     * Send the file to `uploadUrl` with PUT and the same content type before it expires, then name `sourceFileKey` in the campaign.
     */
    readonly batchUploadUrl: Method<OutboundCallsBatchUploadUrlRequest, {
      uploadUrl: string;
      sourceFileKey: string;
      /** ISO 8601, UTC, milliseconds. */
      expiresAt?: string | undefined;
      maxBytes?: number | undefined;
    }>;
    /**
     * Start or schedule a campaign from an uploaded spreadsheet.
     *
     * The file is read after the answer: rows that cannot be called are counted and listed with a reason. Calls are placed within the calling window, at the pace and with the retries that the body sets.
     *
     * @throws ApiError AGENT_NOT_FOUND, NUMBER_NOT_FOUND, UPLOAD_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, UPLOAD_EXPIRED
     */
    readonly createBatch: Method<OutboundCallsCreateBatchRequest, BatchCampaign>;
    /**
     * List campaigns, newest first.
     *
     * Each campaign has its progress. `agentId` narrows the list to the campaigns of one agent.
     */
    readonly listBatches: ListMethod<OutboundCallsListBatchesRequest, BatchCampaign>;
    /**
     * Look at an uploaded spreadsheet as a campaign would read it.
     *
     * No row is stored and no person is called. A file that a campaign would refuse is answered with its `refusal`. Of a long file the first rows are read, and `complete` is false.
     *
     * @throws ApiError AGENT_NOT_FOUND, NUMBER_NOT_FOUND, UPLOAD_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, UPLOAD_EXPIRED
     */
    readonly previewBatch: Method<OutboundCallsPreviewBatchRequest, BatchPreview>;
    /**
     * Read one campaign with its progress.
     *
     * `progress` counts the recipients by state; `statusReason` says why a campaign is paused or has failed.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly getBatch: Method<OutboundCallsGetBatchRequest, BatchCampaign>;
    /**
     * Read the outcomes of the people of a campaign, by the hour.
     *
     * Counts by outcome for each hour in which the last call of somebody ended, by the clock of the organization.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly batchOutcomes: Method<OutboundCallsBatchOutcomesRequest, CampaignOutcomes>;
    /**
     * List the people of a campaign in the order of its file, each with the reason of its state.
     *
     * Rows that cannot be called are listed too, as `refused`. Every refused row is here, while `file.errors` of the campaign has the first hundred.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly listRecipients: ListMethod<OutboundCallsListRecipientsRequest, CampaignRecipient>;
    /**
     * Download the people of a campaign as CSV, in the order of its file.
     *
     * In UTF-8, with a header; `variables` is JSON. A cell that a spreadsheet would take for a formula begins with an apostrophe, as every number with a plus does. A file that ends early breaks the connection. One at a time for each organization.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND
     */
    readonly exportRecipients: TextMethod<OutboundCallsExportRecipientsRequest>;
    /**
     * Cancel a campaign.
     *
     * No call begins after the answer; calls in progress are ended. Cancelling a cancelled campaign answers the same.
     *
     * @throws ApiError CAMPAIGN_NOT_FOUND, CAMPAIGN_NOT_CANCELLABLE
     */
    readonly cancelBatch: Method<OutboundCallsCancelBatchRequest, BatchCampaign>;
    /**
     * Read the state of one outbound call.
     *
     * A small answer for polling. Webhooks and the event stream tell the same without polling.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly status: Method<OutboundCallsStatusRequest, OutboundCallStatusView>;
    /**
     * Read one outbound call with its attempts.
     *
     * `attempts` has every attempt with its call, its outcome and the reason.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly get: Method<OutboundCallsGetRequest, OutboundCall>;
    /**
     * Read the events of an outbound call with their reasons, oldest first.
     *
     * Each attempt with its end, the reason why it was not dialled or is made again, and the person who cancelled. The timeline of its call tells the events within an attempt.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND
     */
    readonly timeline: Method<OutboundCallsTimelineRequest, OutboundCallTimeline>;
    /**
     * Cancel an outbound call that has not ended.
     *
     * A call that has not been dialed is never dialed; a call in progress is hung up. A call that has ended answers 409 `CALL_NOT_CANCELLABLE`.
     *
     * @throws ApiError OUTBOUND_CALL_NOT_FOUND, CALL_NOT_CANCELLABLE
     */
    readonly cancel: Method<OutboundCallsCancelRequest, CancelResult>;
    /**
     * Make another attempt at a failed, busy or unanswered call.
     *
     * The outbound call keeps its id and gets one more attempt with a call id of its own. Any other status answers 409 `CALL_NOT_RETRYABLE`.
     *
     * @throws ApiError SPEND_LIMIT_REACHED, OUTBOUND_CALL_NOT_FOUND, AGENT_NOT_FOUND, CALL_NOT_RETRYABLE, AGENT_INACTIVE, AGENT_NOT_CONFIGURED, CALLER_NUMBER_NOT_OWNED
     */
    readonly retry: Method<OutboundCallsRetryRequest, OutboundCall>;
  };
  readonly knowledge: {
    /**
     * List knowledge sources, of one agent or of all.
     *
     * `agentId` narrows the list to the sources of one agent. `status` tells whether a source can be searched.
     */
    readonly list: ListMethod<KnowledgeListRequest, KnowledgeSource>;
    /**
     * Give an agent URLs or uploaded files to know.
     *
     * Reading happens after the answer; `status` of each source follows it. Files are uploaded first, to an address of `GET /kb/upload-url`.
     *
     * @throws ApiError AGENT_NOT_FOUND, UPLOAD_NOT_FOUND, UPLOAD_EXPIRED, URL_NOT_ALLOWED
     */
    readonly create: ListMethod<KnowledgeCreateRequest, KnowledgeSource>;
    /**
     * Get an address to upload a document to.
     *
     * Send the file to `uploadUrl` with PUT and the same content type before it expires, then create a source with `fileKey`.
     */
    readonly uploadUrl: Method<KnowledgeUploadUrlRequest, {
      uploadUrl: string;
      fileKey: string;
      /** ISO 8601, UTC, milliseconds. */
      expiresAt: string;
      maxBytes: number;
    }>;
    /**
     * Change a knowledge source and read it again.
     *
     * Until the source has been read again, agents answer from what it held before.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND, UPLOAD_NOT_FOUND, UPLOAD_EXPIRED, URL_NOT_ALLOWED
     */
    readonly update: Method<KnowledgeUpdateRequest, KnowledgeSource>;
    /**
     * Delete a knowledge source.
     *
     * Agents stop answering from it at once.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND
     */
    readonly delete: Method<KnowledgeDeleteRequest, undefined>;
    /**
     * Read a knowledge source again now.
     *
     * Fetches the pages or the file again and replaces what agents answer from once it has been read.
     *
     * @throws ApiError KNOWLEDGE_SOURCE_NOT_FOUND
     */
    readonly refresh: Method<KnowledgeRefreshRequest, KnowledgeSource>;
    /**
     * Find the passages that answer a question.
     *
     * Searches the sources of one agent as the agent does in a call, which shows what it would answer from.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly search: ListMethod<KnowledgeSearchRequest, Passage>;
    /**
     * Find the passages that answer a question, in the knowledge of the agent that holds this call.
     *
     * Authenticated by the token of the call, which reaches the knowledge of its agent alone.
     */
    readonly searchInCall: ListMethod<KnowledgeSearchInCallRequest, Passage>;
  };
  readonly tools: {
    /**
     * List the tools of the organization.
     *
     * Header values that may be credentials are masked.
     */
    readonly list: ListMethod<ToolsListRequest, Tool>;
    /**
     * Create a tool.
     *
     * The request may refer to parameters, variables and secrets. Addresses inside the network of the platform are refused.
     *
     * @throws ApiError SECRET_NOT_FOUND, NAME_TAKEN, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly create: Method<ToolsCreateRequest, Tool>;
    /**
     * List the tools that an agent may use.
     *
     * What the model of this agent is offered in a call.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<ToolsListForAgentRequest, Tool>;
    /**
     * Change a tool.
     *
     * Fields that are absent stay as they are. Calls that begin now use the changed tool.
     *
     * @throws ApiError TOOL_NOT_FOUND, SECRET_NOT_FOUND, NAME_TAKEN, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly update: Method<ToolsUpdateRequest, Tool>;
    /**
     * Delete a tool.
     *
     * Agents that use the tool lose it.
     *
     * @throws ApiError TOOL_NOT_FOUND
     */
    readonly delete: Method<ToolsDeleteRequest, undefined>;
    /**
     * Run a tool with arguments of your own, and see the request and its answer.
     *
     * The request is sent for real. An answer of the tool that is an error is a 200 here, with the reason in `error`.
     *
     * @throws ApiError TOOL_NOT_FOUND, AGENT_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly test: Method<ToolsTestRequest, ToolRun>;
    /**
     * Run a tool of the agent that holds this call.
     *
     * Authenticated by the token of the call. The platform sends the request, so the runtime never sees its credentials.
     *
     * @throws ApiError TOOL_NOT_FOUND
     */
    readonly runInCall: Method<ToolsRunInCallRequest, ToolResult>;
    /**
     * Let an agent use a tool.
     *
     * Attaching a tool twice answers the same.
     *
     * @throws ApiError TOOL_NOT_FOUND, AGENT_NOT_FOUND
     */
    readonly attach: Method<ToolsAttachRequest, {
      toolId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Take a tool away from an agent.
     *
     * Detaching a tool that is not attached answers the same.
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
     * List secrets, without their values.
     *
     * Names, versions and what refers to each secret. No operation answers a value.
     */
    readonly list: ListMethod<SecretsListRequest, Secret>;
    /**
     * Store a secret value.
     *
     * The value is encrypted before it is stored. Configurations refer to it by id, or by name as `{{secrets.NAME}}`.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly create: Method<SecretsCreateRequest, Secret>;
    /**
     * Give a secret a new value.
     *
     * References stay valid. The previous value can be kept for a while for signatures that are still on their way.
     *
     * @throws ApiError SECRET_NOT_FOUND
     */
    readonly rotate: Method<SecretsRotateRequest, Secret>;
    /**
     * Delete a secret that nothing uses.
     *
     * A secret that something refers to answers 409 `SECRET_IN_USE` with the references.
     *
     * @throws ApiError SECRET_NOT_FOUND, SECRET_IN_USE
     */
    readonly delete: Method<SecretsDeleteRequest, undefined>;
  };
  readonly widgets: {
    /**
     * List the widgets of an agent.
     *
     * Each widget has its looks, its origins and whether it is on.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<WidgetsListForAgentRequest, Widget>;
    /**
     * Put an agent on a website.
     *
     * Visitors of the listed origins can start conversations as soon as it is enabled, and each takes a place among the calls of the organization.
     *
     * @throws ApiError AGENT_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly create: Method<WidgetsCreateRequest, Widget>;
    /**
     * Read one widget.
     *
     * The full configuration, as members of the organization see it.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly get: Method<WidgetsGetRequest, Widget>;
    /**
     * Change a widget: looks, origins, consent, on or off.
     *
     * Fields that are absent stay as they are. Conversations that begin from then on use the changed widget.
     *
     * @throws ApiError WIDGET_NOT_FOUND, SECRET_NOT_FOUND
     */
    readonly update: Method<WidgetsUpdateRequest, Widget>;
    /**
     * Delete a widget.
     *
     * Pages that embed the widget show nothing from then on.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly delete: Method<WidgetsDeleteRequest, undefined>;
    /**
     * Read the looks of a widget.
     *
     * What a page needs to draw the widget. Answered to the origins of the widget alone.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly publicConfig: Method<WidgetsPublicConfigRequest, PublicWidgetConfig>;
    /**
     * Open a conversation in the browser.
     *
     * When no place is free and the widget has a queue, the answer is 429 `CONCURRENCY_LIMIT` with `Retry-After` and `error.details.queue`: `ticket`, `position` (1 is next) and `text`. The page asks again after `Retry-After`, with the same body and `queueTicket`. A ticket that was not shown for 30 seconds loses its place and is refused with 410 `QUEUE_PLACE_LOST`. A 429 without `details.queue` means that the queue is full, or that there is none.
     *
     * @throws ApiError WIDGET_NOT_FOUND, QUEUE_PLACE_LOST, MODE_NOT_OFFERED, CONSENT_REQUIRED
     */
    readonly startSession: Method<WidgetsStartSessionRequest, WidgetSession>;
    /**
     * Say something in a conversation in text.
     *
     * Answers the words of the agent as they come: events `text` with a `delta`, then one event `done` with the whole turn. A message while another one is being answered is 409 `CONFLICT`.
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
     * The `endToken` of the start proves that the caller is the visitor; it may come in the header `x-end-token` too. Ending twice answers the same.
     *
     * @throws ApiError WIDGET_NOT_FOUND
     */
    readonly endSession: Method<WidgetsEndSessionRequest, {
      sessionId: string;
      ended: true;
      durationSeconds: number;
    }>;
  };
  readonly mcp: {
    /**
     * List MCP servers that can be connected.
     *
     * Curated servers, and those that this organization has connected by their address.
     */
    readonly catalog: ListMethod<NoRequest, McpCatalogEntry>;
    /**
     * List connected MCP servers.
     *
     * Each connection has its state and the tools that it offers.
     */
    readonly connections: ListMethod<McpConnectionsRequest, McpConnection>;
    /**
     * Connect an MCP server, of the catalog or of your own.
     *
     * The server is contacted before the answer, and its tools are listed. Addresses inside the network of the platform are refused.
     *
     * @throws ApiError NOT_FOUND, SECRET_NOT_FOUND, CONFLICT, URL_NOT_ALLOWED, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly connect: Method<McpConnectRequest, McpConnection>;
    /**
     * List the MCP servers that an agent may use.
     *
     * Connections that are attached to the agent.
     *
     * @throws ApiError AGENT_NOT_FOUND
     */
    readonly listForAgent: ListMethod<McpListForAgentRequest, McpConnection>;
    /**
     * Read the tools of a connected server again.
     *
     * A server that cannot be read is no error here: the connection says so in `status`, and keeps its last good tools.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND
     */
    readonly refresh: Method<McpRefreshRequest, McpConnection>;
    /**
     * Change a connection, and which of its tools are offered.
     *
     * Fields that are absent stay as they are. Header values that are sent masked keep what is stored.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, SECRET_NOT_FOUND, SECRET_REFERENCE_NOT_ALLOWED
     */
    readonly update: Method<McpUpdateRequest, McpConnection>;
    /**
     * Disconnect an MCP server.
     *
     * Agents lose the tools of the server at once. Stored credentials are deleted.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND
     */
    readonly disconnect: Method<McpDisconnectRequest, undefined>;
    /**
     * Approve a tool as it is defined now.
     *
     * `hash` names the definition that was reviewed. A definition that has changed since answers 409.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, CONFLICT
     */
    readonly approve: Method<McpApproveRequest, McpConnection>;
    /**
     * Get the address at which a person authorizes a connection.
     *
     * For connections with auth type oauth2. The person opens the address in a browser that is signed in to the platform, signs in at the server and agrees. An address is good for one login and for ten minutes.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, CONFLICT
     */
    readonly authorize: Method<McpAuthorizeRequest, McpAuthorization>;
    /**
     * Let an agent use a connected server.
     *
     * Attaching a server twice answers the same.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, AGENT_NOT_FOUND, CONFLICT
     */
    readonly attach: Method<McpAttachRequest, {
      mcpConnectionId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Take a connected server away from an agent.
     *
     * Detaching a server that is not attached answers the same.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, AGENT_NOT_FOUND
     */
    readonly detach: Method<McpDetachRequest, {
      mcpConnectionId: string;
      agentId: string;
      attached: boolean;
    }>;
    /**
     * Call a tool of a connected server.
     *
     * The call is made for real, with the stored credentials of the connection. An error of the tool is part of a 200.
     *
     * @throws ApiError MCP_CONNECTION_NOT_FOUND, MCP_TOOL_NOT_FOUND, AGENT_NOT_FOUND, SECRET_NOT_FOUND, MCP_TOOL_NOT_APPROVED, MCP_AUTH_REQUIRED
     */
    readonly execute: Method<McpExecuteRequest, McpExecuteResult>;
  };
  readonly internal: {
    /**
     * Give the voice runtime all it needs to hold a conversation.
     *
     * Needs the internal key. With `callId`, the answer also carries a token that is good for this call alone.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly agentConfig: Method<InternalAgentConfigRequest, RuntimeConfig>;
    /**
     * Give the voice runtime the agent that answers a number.
     *
     * Needs the internal key. Answers the configuration of the agent that is assigned to the number.
     *
     * @throws ApiError NUMBER_NOT_FOUND, AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly numberConfig: Method<InternalNumberConfigRequest, RuntimeConfig>;
  };
  readonly settings: {
    /**
     * Get the organization's settings.
     *
     * Time zone, allowed countries, limits and calling window. Absent limits are null.
     */
    readonly get: Method<NoRequest, Settings>;
    /**
     * Change the organization's settings.
     *
     * Another time zone takes effect at once, for calls of the past too. The limits of the operator bound the calls at the same time and the countries.
     *
     * @throws ApiError LIMIT_TOO_HIGH
     */
    readonly update: Method<SettingsUpdateRequest, Settings>;
  };
  readonly suppressions: {
    /**
     * List the numbers that are never called, newest first.
     *
     * `phoneNumber` looks up one number.
     */
    readonly list: ListMethod<SuppressionsListRequest, Suppression>;
    /**
     * Never call these numbers (again).
     *
     * Takes effect at once, for campaigns that run too. Phones that ring already go on.
     */
    readonly create: ListMethod<SuppressionsCreateRequest, Suppression>;
    /**
     * Let a number be called again.
     *
     * Campaigns that are running may call the number from then on, if they have it.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly delete: Method<SuppressionsDeleteRequest, undefined>;
  };
  readonly spend: {
    /**
     * Get the spent and reserved money, and its limits.
     *
     * Without `from` and `to` the last 30 days; at most 90 days, the first and the last included, as dates such as 2026-11-22.
     */
    readonly get: Method<SpendGetRequest, Spend>;
    /**
     * Tell the most that one call of an agent can cost.
     *
     * The rate of the destination, for as long as the agent lets a call last. Without a number, or with one that has no plus, the rate is the highest of the table.
     *
     * @throws ApiError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED
     */
    readonly worstCase: Method<SpendWorstCaseRequest, WorstCase>;
  };
  readonly caller: {
    /**
     * Read the caller behind the credential of this request.
     *
     * Who the credential belongs to, its organization, role and permissions. Useful to check a key.
     */
    readonly get: Method<NoRequest, Caller>;
  };
  readonly webhooks: {
    /**
     * List the messages to webhooks about calls, newest first.
     *
     * Messages are kept for 30 days. Afterwards a call still says whether its messages were delivered (`webhookDelivery`).
     */
    readonly deliveries: ListMethod<WebhooksDeliveriesRequest, WebhookDelivery>;
    /**
     * Send a message to a webhook again.
     *
     * The message keeps its id and its words, and is signed anew. It is tried at once, and after a failure on the same schedule as a new one.
     *
     * @throws ApiError WEBHOOK_DELIVERY_NOT_FOUND, CALL_NOT_FOUND, WEBHOOK_DELIVERY_PENDING, WEBHOOK_NOT_CONFIGURED
     */
    readonly replay: Method<WebhooksReplayRequest, WebhookDelivery>;
    /**
     * Send a signed message of the type `webhook.test`, and see the answer.
     *
     * Sent once, to the webhook of the agent's configuration in force or to the given address.
     *
     * @throws ApiError AGENT_NOT_FOUND, WEBHOOK_NOT_CONFIGURED, URL_NOT_ALLOWED
     */
    readonly test: Method<WebhooksTestRequest, WebhookTestResult>;
  };
  readonly events: {
    /**
     * Be told of changes in the organization while they happen.
     *
     * Each event names a thing that changed: its id and its state, and no spoken words. A reader gets the events of the things that it may read. The stream begins with `open`. A reader that comes back names the last id that it has seen, in the header `Last-Event-ID` or as `after`, and gets all events since then. The event `reload` stands for events that are not told any more: the reader reads everything on its screen anew. The stream ends when the credential or its permissions change, and when the process stops; the reader opens another one then.
     */
    readonly stream: StreamMethod<EventsStreamRequest, {
      open: {
        /** True when nothing lies between the id and this stream. */
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
     * Sign up with an e-mail address and a password.
     *
     * Signs the person in where addresses need no verification. `x-setup-code` lets the first account in.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly signUpEmail: Method<AuthSignUpEmailRequest, {
      user: AuthUser;
    }>;
    /**
     * Sign in with an e-mail address and a password.
     *
     * An account with a second factor gets `twoFactorRedirect` and has no session yet.
     */
    readonly signInEmail: Method<AuthSignInEmailRequest, {
      user: AuthUser;
    } | {
      twoFactorRedirect: true;
    }>;
    /**
     * End this session.
     *
     * The cookie is cleared, and the session opens nothing any more.
     */
    readonly signOut: Method<NoRequest, {
      success: boolean;
    }>;
    /**
     * Read the session and its person; null for a stranger.
     *
     * Answers 200 with null when nobody is signed in, so that a page can look without an error.
     */
    readonly getSession: Method<NoRequest, {
      session: AuthSession;
      user: AuthUser;
    } | null>;
    /**
     * List the sessions of the person who is signed in.
     *
     * The device and address of each session, as they were when it began.
     */
    readonly listSessions: Method<NoRequest, AuthListedSession[]>;
    /**
     * End one session of the person who is signed in.
     *
     * The session opens nothing any more.
     */
    readonly revokeSession: Method<AuthRevokeSessionRequest, {
      status: boolean;
    }>;
    /**
     * End every session of the person who is signed in.
     *
     * This session ends too.
     */
    readonly revokeSessions: Method<NoRequest, {
      status: boolean;
    }>;
    /**
     * End every session of the person who is signed in except this one.
     *
     * This session goes on.
     */
    readonly revokeOtherSessions: Method<NoRequest, {
      status: boolean;
    }>;
    /**
     * Set another password, which ends every other session.
     *
     * Takes the present password. Wrong ones are counted, and further attempts are delayed.
     */
    readonly changePassword: Method<AuthChangePasswordRequest, {
      user: AuthUser;
    }>;
    /**
     * Change the name of the person who is signed in.
     *
     * Other members of the person's organizations see the new name.
     */
    readonly updateUser: Method<AuthUpdateUserRequest, {
      status: boolean;
    }>;
    /**
     * Send the mail that verifies an address once more.
     *
     * Answers the same whether or not the address has an account. Mails to one address are limited.
     */
    readonly sendVerificationEmail: Method<AuthSendVerificationEmailRequest, {
      status: boolean;
    }>;
    /**
     * Send a mail with which a new password can be chosen.
     *
     * Answers the same whether or not the address has an account. Mails to one address are limited.
     */
    readonly requestPasswordReset: Method<AuthRequestPasswordResetRequest, {
      status: boolean;
    }>;
    /**
     * Choose a new password with the token of a mail, which ends every session of the account.
     *
     * A token is good for a limited time and for one password.
     */
    readonly resetPassword: Method<AuthResetPasswordRequest, {
      status: boolean;
    }>;
    /**
     * Begin with a second factor; the first code from the app completes it.
     *
     * Takes the password. The answer holds the address for an authenticator app and the backup codes, once.
     */
    readonly twoFactorEnable: Method<AuthTwoFactorEnableRequest, {
      totpURI: string;
      /** Each signs in once; shown this once. */
      backupCodes: string[];
    }>;
    /**
     * Sign in without a second factor from now on.
     *
     * Takes the password. An organization that requires a second factor refuses the session from then on.
     */
    readonly twoFactorDisable: Method<AuthTwoFactorDisableRequest, {
      status: boolean;
    }>;
    /**
     * Complete a sign-in, or the second factor itself, with a code from the app.
     *
     * A code opens something once. Ten wrong codes in a row lock the second factor for 15 minutes.
     */
    readonly twoFactorVerifyTotp: Method<AuthTwoFactorVerifyTotpRequest, {
      user: AuthUser;
    }>;
    /**
     * Complete a sign-in with a backup code, which is used up then.
     *
     * Each backup code is good once. Wrong codes are counted, and further attempts are delayed.
     *
     * @throws ApiError CONFLICT
     */
    readonly twoFactorVerifyBackupCode: Method<AuthTwoFactorVerifyBackupCodeRequest, {
      user: AuthUser;
    }>;
    /**
     * Make new backup codes; the old ones open nothing then.
     *
     * Takes the password. The answer holds the codes, once.
     */
    readonly twoFactorGenerateBackupCodes: Method<AuthTwoFactorGenerateBackupCodesRequest, {
      /** Each signs in once; shown this once. */
      backupCodes: string[];
    }>;
    /**
     * Require a second factor of every member's sessions, or no more; an owner decides.
     *
     * The owner who requires it has one. API keys go on without.
     */
    readonly organizationRequireSecondFactor: Method<AuthOrganizationRequireSecondFactorRequest, AuthOrganization>;
    /**
     * List the organizations of the person who is signed in.
     *
     * Every organization that the person is a member of.
     */
    readonly organizationList: Method<NoRequest, AuthOrganization[]>;
    /**
     * Make another organization, with the person who is signed in as its owner.
     *
     * The new organization becomes the active one of this session, unless `keepCurrentActiveOrganization` is true.
     *
     * @throws ApiError NAME_TAKEN
     */
    readonly organizationCreate: Method<AuthOrganizationCreateRequest, AuthOrganization>;
    /**
     * Change the name or the slug of the active organization.
     *
     * A slug that is taken answers 409 `NAME_TAKEN`.
     *
     * @throws ApiError NOT_FOUND, NAME_TAKEN
     */
    readonly organizationUpdate: Method<AuthOrganizationUpdateRequest, AuthOrganization>;
    /**
     * Remove the active organization for good, which only an owner may do.
     *
     * Refused with ORGANIZATION_IN_USE while it owns numbers, a campaign of it has not ended, or a call is in progress; `details` counts them. Its API keys and sessions end at once, and every service deletes its data of it.
     *
     * @throws ApiError NOT_FOUND, CONFLICT, ORGANIZATION_IN_USE
     */
    readonly organizationDelete: Method<AuthOrganizationDeleteRequest, AuthOrganization>;
    /**
     * Choose the organization that this session works in.
     *
     * Every later request of this session acts on that organization.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationSetActive: Method<AuthOrganizationSetActiveRequest, AuthOrganization>;
    /**
     * Read an organization with its members.
     *
     * The active organization, unless another one of the person is named.
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
     * Each member with name, address and role.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationListMembers: Method<AuthOrganizationListMembersRequest, {
      members: AuthMember[];
      total: number;
    }>;
    /**
     * Give a member of the active organization another role.
     *
     * An organization keeps at least one owner. Keys that the member made lose the permissions that the role no longer has.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationUpdateMemberRole: Method<AuthOrganizationUpdateMemberRoleRequest, AuthMember>;
    /**
     * Remove a member from the active organization.
     *
     * The member's sessions lose the organization, and API keys that the member made end.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationRemoveMember: Method<AuthOrganizationRemoveMemberRequest, {
      member: AuthMember;
    }>;
    /**
     * Leave an organization.
     *
     * The last owner cannot leave. API keys that the person made end.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly organizationLeave: Method<AuthOrganizationLeaveRequest, AuthMember>;
    /**
     * Invite an address to the active organization.
     *
     * A new invitation takes the place of one that waits for the same address. An admin cannot replace or renew an invitation with a role that only an owner gives.
     *
     * @throws ApiError CONFLICT
     */
    readonly organizationInviteMember: Method<AuthOrganizationInviteMemberRequest, AuthInvitation>;
    /**
     * Take an invitation of the active organization back.
     *
     * An admin cannot take back an invitation with a role that only an owner gives.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationCancelInvitation: Method<AuthOrganizationCancelInvitationRequest, AuthInvitation>;
    /**
     * List the invitations of the active organization.
     *
     * Invitations of every state, with address and role.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationListInvitations: Method<AuthOrganizationListInvitationsRequest, AuthInvitation[]>;
    /**
     * Join the organization that has invited the person who is signed in.
     *
     * The address of the invitation has to be the verified address of the person.
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
     * The invitation cannot be accepted afterwards.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationRejectInvitation: Method<AuthOrganizationRejectInvitationRequest, {
      invitation: AuthInvitation;
      /** Always null. */
      member: null;
    }>;
    /**
     * Read an invitation to the person who is signed in.
     *
     * An invitation to another address answers like one that does not exist.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly organizationGetInvitation: Method<AuthOrganizationGetInvitationRequest, AuthInvitation>;
    /**
     * List the invitations to the person who is signed in.
     *
     * Invitations that wait for an answer, by the address of the account.
     */
    readonly organizationListUserInvitations: Method<NoRequest, AuthInvitation[]>;
    /**
     * Make an API key for the active organization; the answer shows it once.
     *
     * It carries at most the permissions of its maker, lives 365 days unless told otherwise, and falls with its maker.
     */
    readonly apiKeyCreate: Method<AuthApiKeyCreateRequest, ApiKeyOnce>;
    /**
     * List the API keys of the active organization.
     *
     * Keys that have ended stay in the list with their `disabledReason`. No key itself is shown.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly apiKeyList: Method<AuthApiKeyListRequest, {
      apiKeys: ApiKey[];
      total: number;
    }>;
    /**
     * Rename an API key, switch it off or on, or give it another end or other addresses.
     *
     * A key that has ended cannot be changed any more and answers 409 `CONFLICT`.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly apiKeyUpdate: Method<AuthApiKeyUpdateRequest, ApiKey>;
    /**
     * Revoke an API key; it stays in the list.
     *
     * The key is refused everywhere within five seconds.
     *
     * @throws ApiError NOT_FOUND
     */
    readonly apiKeyDelete: Method<AuthApiKeyDeleteRequest, {
      success: boolean;
    }>;
    /**
     * Make the next key with the same rights; the previous one stays good for a while.
     *
     * The next key lives as long as the previous one was made to live. A key is rotated once.
     *
     * @throws ApiError NOT_FOUND, CONFLICT
     */
    readonly apiKeyRotate: Method<AuthApiKeyRotateRequest, ApiKeyOnce>;
  };
}
