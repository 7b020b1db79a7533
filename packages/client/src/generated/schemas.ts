// The values of the interface. Written by `npm run gen` from the interface document; changes here are lost.

import type { Open } from '../method/method.js';

export interface Agent {
  id: string;
  name: string;
  isActive: boolean;
  templateId: string | null;
  hasConfig: boolean;
  configVersion: number | null;
  phoneNumbers: Array<{
    id: string;
    phoneNumber: string;
  }>;
  counts: {
    tools: number;
    knowledgeSources: number;
    widgets: number;
    mcpConnections: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  lastCallAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface AgentConfiguration {
  agentId: string;
  version: number;
  agent_language: string;
  firstMessage: string;
  systemPrompt: string;
  sttModel: string;
  llmModel: string;
  ttsModel: string;
  voiceId: string;
  data_needed: Array<{
    id: string;
    type: "string" | "number" | "integer" | "boolean" | "enum";
    /** From 1 to 1000 characters. */
    description: string;
    /** From 1 to 50 items. */
    enumValues?: string[] | undefined;
    required?: boolean | undefined;
  }>;
  data_evaluation: Array<{
    id: string;
    /** From 1 to 120 characters. */
    name: string;
    /** From 1 to 2000 characters. */
    prompt: string;
    scoring?: "binary" | "numeric" | undefined;
    /** From 1 to 100. */
    maxScore?: number | undefined;
    useKnowledgeBase?: boolean | undefined;
  }>;
  initiation_webhook: {
    /** From 1 to 2048 characters. */
    url: string;
    method: "POST";
    headers: { [key: string]: string | {
      secretId: string;
    } };
    body?: { [key: string]: Json } | undefined;
    /** From 500 to 7000. */
    timeoutMs: number;
    enabled: boolean;
    signingSecretId?: string | undefined;
  } | null;
  post_call_webhook: {
    /** From 1 to 2048 characters. */
    url: string;
    method: "POST";
    headers: { [key: string]: string | {
      secretId: string;
    } };
    body?: { [key: string]: Json } | undefined;
    /** From 1000 to 30000. */
    timeoutMs: number;
    enabled: boolean;
    signingSecretId?: string | undefined;
    /** At least 1 items. */
    events: Array<"call.started" | "call.ended" | "call.analyzed" | "call.failed">;
  } | null;
  variables: { [key: string]: {
    /** From 0 to 2000 characters. */
    default: string | null;
    /** From 0 to 500 characters. */
    description?: string | undefined;
    required?: boolean | undefined;
  } };
  preemptive_generation: boolean;
  ivr_navigation_enabled: boolean;
  timezone: string;
  rag: {
    enabled: boolean;
    /** From 1 to 20. */
    topK: number;
    /** From 0 to 2. */
    maxDistance: number;
    /** From 500 to 50000. */
    maxChars: number;
    /** From 1 to 128 characters. */
    embeddingModel: string;
    rewriteQuery: boolean;
  };
  limits: {
    /** From 60 to 7200. */
    maxDurationSeconds: number;
    /** From 10 to 600. */
    silenceTimeoutSeconds: number;
    /** From 1 to 10000. */
    maxConcurrentCalls: number | null;
    /** From 1 to 1000000. */
    dailyCalls: number | null;
  };
  voicemail: {
    detection: boolean;
    action: "hangup" | "leave_message" | "continue";
    /** From 1 to 2000 characters. */
    message?: string | undefined;
    /** From 0 to 60. */
    maxBeepWaitSeconds: number;
  };
  recording: {
    enabled: boolean;
    /** From 1 to 3650. */
    retentionDays: number | null;
    consent: "none" | "announce" | "verbal";
    /** From 1 to 1000 characters. */
    announcement?: string | undefined;
  };
  allowedOverrides: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId">;
  extra: { [key: string]: Json };
  /** Fields of this version that would be refused in a new one, with the reason. */
  warnings?: Array<{
    path: string;
    message: string;
  }> | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export type AgentConfigurationInput = Open<{
  /** From 2 to 35 characters. */
  agent_language: string;
  /** From 1 to 2000 characters. */
  firstMessage: string;
  /** From 1 to 100000 characters. */
  systemPrompt: string;
  /** From 1 to 128 characters. */
  llmModel: string;
  /** From 1 to 128 characters. */
  sttModel: string;
  /** From 1 to 128 characters. */
  ttsModel: string;
  /** From 1 to 128 characters. */
  voiceId: string;
  /** At most 50 items. */
  data_needed?: Array<{
    id: string;
    type: "string" | "number" | "integer" | "boolean" | "enum";
    /** From 1 to 1000 characters. */
    description: string;
    /** From 1 to 50 items. */
    enumValues?: string[] | undefined;
    required?: boolean | undefined;
  }> | undefined;
  /** At most 50 items. */
  data_evaluation?: Array<{
    id: string;
    /** From 1 to 120 characters. */
    name: string;
    /** From 1 to 2000 characters. */
    prompt: string;
    scoring?: "binary" | "numeric" | undefined;
    /** From 1 to 100. */
    maxScore?: number | undefined;
    useKnowledgeBase?: boolean | undefined;
  }> | undefined;
  initiation_webhook?: {
    /** From 1 to 2048 characters. */
    url: string;
    /** `POST` unless given. */
    method?: "POST" | undefined;
    headers?: { [key: string]: string | {
      secretId: string;
    } } | undefined;
    body?: { [key: string]: Json } | undefined;
    /** From 500 to 7000. `3000` unless given. */
    timeoutMs?: number | undefined;
    /** `true` unless given. */
    enabled?: boolean | undefined;
    signingSecretId?: string | undefined;
  } | null | undefined;
  post_call_webhook?: {
    /** From 1 to 2048 characters. */
    url: string;
    /** `POST` unless given. */
    method?: "POST" | undefined;
    headers?: { [key: string]: string | {
      secretId: string;
    } } | undefined;
    body?: { [key: string]: Json } | undefined;
    /** From 1000 to 30000. `10000` unless given. */
    timeoutMs?: number | undefined;
    /** `true` unless given. */
    enabled?: boolean | undefined;
    signingSecretId?: string | undefined;
    /** At least 1 items. */
    events?: Array<"call.started" | "call.ended" | "call.analyzed" | "call.failed"> | undefined;
  } | null | undefined;
  variables?: { [key: string]: string | {
    /** From 0 to 2000 characters. */
    default: string | null;
    /** From 0 to 500 characters. */
    description?: string | undefined;
    required?: boolean | undefined;
  } } | undefined;
  /** `false` unless given. */
  preemptive_generation?: boolean | undefined;
  /** `false` unless given. */
  ivr_navigation_enabled?: boolean | undefined;
  /** From 1 to 64 characters. `UTC` unless given. */
  timezone?: string | undefined;
  rag?: {
    /** `true` unless given. */
    enabled?: boolean | undefined;
    /** From 1 to 20. `5` unless given. */
    topK?: number | undefined;
    /** From 0 to 2. `0.6` unless given. */
    maxDistance?: number | undefined;
    /** From 500 to 50000. `8000` unless given. */
    maxChars?: number | undefined;
    /** From 1 to 128 characters. `text-embedding-3-small` unless given. */
    embeddingModel?: string | undefined;
    /** `false` unless given. */
    rewriteQuery?: boolean | undefined;
  } | undefined;
  limits?: {
    /** From 60 to 7200. `3600` unless given. */
    maxDurationSeconds?: number | undefined;
    /** From 10 to 600. `60` unless given. */
    silenceTimeoutSeconds?: number | undefined;
    /** From 1 to 10000. */
    maxConcurrentCalls?: number | null | undefined;
    /** From 1 to 1000000. */
    dailyCalls?: number | null | undefined;
  } | undefined;
  voicemail?: {
    /** `true` unless given. */
    detection?: boolean | undefined;
    /** `hangup` unless given. */
    action?: "hangup" | "leave_message" | "continue" | undefined;
    /** From 1 to 2000 characters. */
    message?: string | undefined;
    /** From 0 to 60. `30` unless given. */
    maxBeepWaitSeconds?: number | undefined;
  } | undefined;
  recording?: {
    /** `false` unless given. */
    enabled?: boolean | undefined;
    /** From 1 to 3650. */
    retentionDays?: number | null | undefined;
    /** `none` unless given. */
    consent?: "none" | "announce" | "verbal" | undefined;
    /** From 1 to 1000 characters. */
    announcement?: string | undefined;
  } | undefined;
  /** At most 4 items. */
  allowedOverrides?: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId"> | undefined;
  extra?: { [key: string]: Json } | undefined;
  /** The version in force, as the caller read it, 0 for none; another one answers VERSION_CONFLICT. At least 0. */
  expectedVersion?: number | undefined;
}>;

export interface AgentInput {
  /** The name of the agent among operators. From 2 to 120 characters. */
  name: string;
  /** An inactive agent takes and makes no calls. */
  isActive: boolean;
  /** The template to start from: a slug, the uuid of a template, or null. */
  templateId: "business" | "medical" | "support" | "blank" | string | null;
}

export interface AgentUpdate {
  /** The name of the agent among operators. From 2 to 120 characters. */
  name?: string | undefined;
  /** An inactive agent takes and makes no calls. */
  isActive?: boolean | undefined;
  /** The template to start from: a slug, the uuid of a template, or null. */
  templateId?: "business" | "medical" | "support" | "blank" | string | null | undefined;
}

export type AnsweredBy = "human" | "machine_voicemail" | "machine_ivr" | "machine_unavailable" | "fax" | "no_speech" | "uncertain";

export interface ApiKey {
  id: string;
  name: string | null;
  prefix: string | null;
  permissions: string[];
  createdBy: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  enabled: boolean;
  allowedAddresses: string[] | null;
  /** Never: over MCP, tools that cost money or destroy something do it at once, without a confirmation. */
  mcpConfirm: "always" | "never";
  disabledReason: "maker_removed" | "maker_lost_permission" | "expired" | "revoked" | null;
}

export interface ApiKeyOnce {
  id: string;
  name: string | null;
  prefix: string | null;
  permissions: string[];
  createdBy: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  enabled: boolean;
  allowedAddresses: string[] | null;
  /** Never: over MCP, tools that cost money or destroy something do it at once, without a confirmation. */
  mcpConfirm: "always" | "never";
  disabledReason: "maker_removed" | "maker_lost_permission" | "expired" | "revoked" | null;
  key: string;
}

export interface Attempt {
  attempt: number;
  attemptId: string;
  callId: string;
  roomName: string;
  status: CallStatus;
  outcome: Outcome | null;
  endedReason: EndedReason | null;
  sipStatus: number | null;
  providerCallId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  answeredAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string | null;
}

export interface AuthInvitation {
  id: string;
  organizationId: string;
  email: string;
  /** One of owner, admin, member, viewer. */
  role?: string | null | undefined;
  status: string;
  inviterId: string;
  expiresAt: string;
  organizationName?: string | undefined;
  organizationSlug?: string | undefined;
  inviterEmail?: string | undefined;
}

export interface AuthListedSession {
  id: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  ipAddress?: string | null | undefined;
  userAgent?: string | null | undefined;
  activeOrganizationId?: string | null | undefined;
  token: string;
}

export interface AuthMember {
  id: string;
  organizationId: string;
  userId: string;
  /** One of owner, admin, member, viewer. */
  role: string;
  createdAt: string;
  user?: {
    id: string;
    name: string;
    email: string;
  } | undefined;
}

export interface AuthOrganization {
  id: string;
  name: string;
  slug: string;
  createdAt: string;
  secondFactorRequired?: boolean | null | undefined;
}

export interface AuthSession {
  id: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  ipAddress?: string | null | undefined;
  userAgent?: string | null | undefined;
  activeOrganizationId?: string | null | undefined;
}

export interface AuthUser {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  twoFactorEnabled?: boolean | null | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface BatchCampaign {
  id: string;
  name: string;
  agentId: string;
  agentName: string;
  fromNumber: string;
  sourceFileKey: string;
  sourceFileName: string;
  status: "validating" | "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed";
  statusReason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  scheduledAt: string | null;
  timezone: string;
  ringingTimeoutSeconds: number;
  callsPerSecond: number;
  maxConcurrency: number | null;
  callingWindow: {
    /** 0 is Monday; the days on which the window begins. From 1 to 7 items. */
    days: number[];
    start: string;
    /** Before the start: on the next day; 24:00 is midnight. */
    end: string;
    basis: "campaign" | "recipient";
  } | null;
  retryPolicy: {
    /** From 1 to 10. */
    maxAttempts: number;
    /** From 30 to 86400. */
    delaySeconds: number;
    on: Array<"busy" | "no_answer" | "voicemail" | "failed">;
  };
  circuitBreaker: {
    enabled: boolean;
    /** From 0 to 1. */
    failureThreshold: number;
    /** From 30 to 600. */
    windowSeconds: number;
    /** From 1 to 1000. */
    minCalls: number;
  };
  budget: {
    /** From 1 to 1000000000000. */
    maxCostMicros: number;
  } | null;
  progress: {
    /** At least 0. */
    total: number;
    /** At least 0. */
    pending: number;
    /** At least 0. */
    queued: number;
    /** At least 0. */
    inProgress: number;
    /** At least 0. */
    completed: number;
    /** At least 0. */
    voicemail: number;
    /** At least 0. */
    noAnswer: number;
    /** At least 0. */
    busy: number;
    /** At least 0. */
    failed: number;
    /** At least 0. */
    cancelled: number;
    /** At least 0. */
    skipped: number;
    /** From 0 to 100. */
    percent: number;
    /** At least 0. */
    attempts: number;
  };
  file: {
    /** At least 0. */
    rows: number;
    /** At least 0. */
    accepted: number;
    /** At least 0. */
    rejected: number;
    /** At least 0. */
    duplicates: number;
    columns: string[];
    errors: Array<{
      row: number;
      column: string | null;
      code: "INVALID_PHONE" | "DUPLICATE" | "MISSING_PHONE" | "ROW_TOO_LONG" | "SUPPRESSED";
      message: string;
    }>;
    warnings?: Array<{
      code: "HIDDEN_ROWS" | "NO_VALUE" | "VALUE_LEFT_OUT" | "COLUMN_RENAMED" | "COLUMN_IGNORED" | "PLACEHOLDER_UNFILLED" | "PLACEHOLDER_IMPOSSIBLE";
      column: string | null;
      /** The rows that it is about; 0 for the header or for a text of the agent. At least 0. */
      rows: number;
      firstRow: number | null;
      message: string;
    }> | undefined;
  };
  estimate: {
    minutes: number;
    /** Millionths of a unit of currency. */
    costMicros: number;
    /** ISO 8601, UTC, milliseconds. */
    finishesAt: string | null;
  } | null;
  /** Millionths of a unit of currency. */
  costMicros: number;
  createdBy: string;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  completedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  cancelledAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string | null;
}

export interface BatchPreview {
  /** False: the file is longer than a preview reads, and everything here is about its first rows. */
  complete: boolean;
  /** Why a campaign of this file would fail. */
  refusal: {
    code: "FILE_INVALID" | "FILE_TYPE_MISMATCH" | "FILE_TOO_LARGE";
    message: string;
  } | null;
  columns: Array<{
    header: string;
    /** Override: the column says something otherwise than the agent, such as its language. */
    use: "phone_number" | "override" | "variable" | "none";
    /** The column holds the name of the callee. */
    isName: boolean;
    /** The variables that the column fills. */
    variables: string[];
    /** The agent's texts have a placeholder for one of the variables, or the agent allows the override; tools and webhooks are not asked. */
    isUsed: boolean;
  }>;
  /** The placeholders of the agent's texts. */
  placeholders: Array<{
    name: string;
    hasColumn: boolean;
    /** Where there is no column, the agent says the default. */
    hasDefault: boolean;
  }>;
  rows: {
    /** The sum of the others. At least 0. */
    total: number;
    /** At least 0. */
    good: number;
    /** At least 0. */
    duplicates: number;
    /** At least 0. */
    suppressed: number;
    unusable: {
      /** At least 0. */
      INVALID_PHONE: number;
      /** At least 0. */
      MISSING_PHONE: number;
      /** At least 0. */
      ROW_TOO_LONG: number;
    };
  };
  /** The first 20 rows that would be called. */
  sample: Array<{
    row: number;
    /** E.164. */
    phoneNumber: string;
    /** ISO 3166-1 alpha-2. */
    country: string | null;
    /** That of the row, or all in which the owner of the number may be. */
    timezones: string[];
    /** When the calling window lets the first call begin; null: not within two weeks. */
    callableFrom: string | null;
    name: string | null;
    variables: { [key: string]: string };
  }>;
  /** The first 100 rows that would not be called. */
  errors: Array<{
    row: number;
    column: string | null;
    code: "INVALID_PHONE" | "DUPLICATE" | "MISSING_PHONE" | "ROW_TOO_LONG" | "SUPPRESSED";
    message: string;
  }>;
  /** What to look at before the good rows are called. */
  warnings?: Array<{
    code: "HIDDEN_ROWS" | "NO_VALUE" | "VALUE_LEFT_OUT" | "COLUMN_RENAMED" | "COLUMN_IGNORED" | "PLACEHOLDER_UNFILLED" | "PLACEHOLDER_IMPOSSIBLE";
    column: string | null;
    /** The rows that it is about; 0 for the header or for a text of the agent. At least 0. */
    rows: number;
    firstRow: number | null;
    message: string;
  }> | undefined;
  cost: {
    /** ISO 4217. */
    currency: string;
    /** Calls of one person at the most. At least 0. */
    attempts: number;
    /** A call is hung up after this time. */
    longestSeconds: number;
    /** The most that all good rows can cost: every attempt, for as long as a call may last. */
    worstCaseMicros: number;
    /** Good rows whose destination has no rate; they are counted with the highest rate of the table. At least 0. */
    unknownRates: number;
  };
  /** Until the first calls of all good rows are over, without pauses of the calling window. */
  estimate: {
    /** At least 0. */
    seconds: number;
  };
}

export interface Budget {
  /** From 1 to 1000000000000. */
  maxCostMicros: number;
}

export interface CallActor {
  type: "call";
  id: string;
  agentId: string;
}

export interface CallAnalyzedMessage {
  /** The same at every try; also in the header `webhook-id`. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  /** Orders the messages of one call. */
  sequence: number;
  type: "call.analyzed";
  data: {
    call: WebhookCall;
    transcript: Transcript[];
    /** `body` of the configured webhook, with its placeholders filled. */
    custom?: Json | undefined;
  };
}

export interface CallLog {
  id: string;
  agentId: string;
  agentName: string;
  configVersion: number;
  channel: "phone" | "widget" | "preview";
  direction: "inbound" | "outbound";
  status: CallStatus;
  outcome: Outcome | null;
  endedReason: EndedReason | null;
  error: EndedError | null;
  answeredBy: AnsweredBy | null;
  fromNumber: string | null;
  toNumber: string | null;
  phoneNumberId: string | null;
  provider: "TWILIO" | "TELNYX" | null;
  providerCallId: string | null;
  roomName: string;
  outboundCallId: string | null;
  campaignId: string | null;
  widgetId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  answeredAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string | null;
  ringSeconds: number | null;
  /** Talk time. */
  durationSeconds: number | null;
  dynamicVariables: { [key: string]: string };
  metadata: { [key: string]: Json };
  recording: {
    available: boolean;
    url: string | null;
    /** ISO 8601, UTC, milliseconds. */
    urlExpiresAt: string | null;
    durationSeconds: number | null;
    channels: 1 | 2;
    /** ISO 8601, UTC, milliseconds. */
    deletedAt: string | null;
  };
  consent: {
    type: "none" | "announce" | "verbal" | "widget";
    granted: boolean | null;
    /** ISO 8601, UTC, milliseconds. */
    at: string | null;
    /** From 1 to 64 characters. */
    textVersion: string | null;
  };
  transfer: {
    type: "cold" | "warm" | "agent";
    /** From 1 to 256 characters. */
    destination: string;
    status: "ongoing" | "succeeded" | "failed";
  } | null;
  analysisStatus: "pending" | "completed" | "failed" | "skipped";
  summary: string | null;
  successful: "success" | "failure" | "unknown" | null;
  dataCollected: { [key: string]: {
    value: Json;
    /** From 0 to 2000 characters. */
    rationale: string | null;
  } };
  evaluation: Array<{
    /** From 1 to 64 characters. */
    id: string;
    /** From 1 to 120 characters. */
    name: string;
    result: "success" | "failure" | "unknown";
    score: number | null;
    /** From 0 to 2000 characters. */
    rationale: string | null;
  }>;
  latency: {
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
  } | null;
  cost: {
    /** Millionths of a unit of currency. */
    totalMicros: number;
    currency: string;
    items: Array<{
      kind: "telephony" | "stt" | "llm" | "tts" | "recording" | "platform";
      /** Millionths of a unit of currency. */
      micros: number;
      quantity: number;
      unit: string;
    }>;
  } | null;
  /** At least 0. */
  messageCount: number;
  webhookDelivery: "none" | "pending" | "delivered" | "failed";
  initiation: InitiationResult | null;
  /** Runs of tools, as the platform recorded them; only where one call is read. */
  toolRuns?: Array<{
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    /** Sensitive arguments are "•••"; null: too large, or erased. */
    arguments: { [key: string]: Json } | null;
    /** At least 0. */
    durationMs: number;
    /** ISO 8601, UTC, milliseconds. */
    at: string;
  }> | undefined;
  /** Runs beyond the 200 that are shown, at most 800. At least 0. */
  moreToolRuns?: number | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  deletedAt: string | null;
}

export interface CallMessage {
  /** The same at every try; also in the header `webhook-id`. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  /** Orders the messages of one call. */
  sequence: number;
  type: "call.started" | "call.ended" | "call.failed";
  data: {
    call: WebhookCall;
    /** `body` of the configured webhook, with its placeholders filled. */
    custom?: Json | undefined;
  };
}

export type CallStatus = "scheduled" | "queued" | "initiated" | "ringing" | "in_progress" | "completed" | "no_answer" | "busy" | "failed" | "cancelled";

export interface CallTimeline {
  /** Oldest first. A cause stands before its effect, also where a time was told to the second and seems to be earlier. */
  entries: CallTimelineEntry[];
  /** True when there are more than 1,000 entries; the first are shown. */
  isCut: boolean;
  /** Sources that did not answer now. `outbound`: attempts, their decisions and retries; they take outboundCalls:read too. */
  missing: Array<"outbound">;
}

export type CallTimelineEntry = TimelineCallStarted | TimelineCallAnswered | TimelineParticipantJoined | TimelineParticipantLeft | TimelineCallEndRequested | TimelineRoomClosed | TimelineCallEnded | TimelineCallHandedOver | TimelineRecordingDeleted | TimelineToolRan | TimelineInitiationAsked | TimelineWebhookDue | TimelineOutboundPlaced | TimelineOutboundCancelled | TimelineOutboundRetried | TimelineAttemptStarted | TimelineAttemptAnswered | TimelineAttemptRejected | TimelineAttemptInDoubt | TimelineAttemptAdopted | TimelineAttemptAbandoned | TimelineAttemptOutcomeUnknown | TimelineAttemptEnded | TimelineAttemptHungUp;

export interface Caller {
  organizationId: string;
  actor: UserActor | KeyActor | PlatformActor | CallActor | VisitorActor;
  role: "owner" | "admin" | "member" | "viewer" | "key" | "platform" | "call" | "visitor";
  permissions: string[];
  /** Never: over MCP, tools that cost money or destroy something do it at once, without a confirmation. */
  mcpConfirm: "always" | "never";
  /** Of a person: the e-mail address is verified, or counts as verified; absent for others. */
  verified?: boolean | undefined;
}

export interface CampaignOutcomes {
  /** The organization's, by whose clock the hours begin. */
  timezone: string;
  /** Oldest first: people whose last call ended in the hour; hours without any are left out. */
  hours: Array<{
    /** The beginning of the hour. */
    at: string;
    /** At least 0. */
    completed: number;
    /** At least 0. */
    voicemail: number;
    /** At least 0. */
    noAnswer: number;
    /** At least 0. */
    busy: number;
    /** At least 0. */
    failed: number;
    /** At least 0. */
    cancelled: number;
    /** At least 0. */
    skipped: number;
  }>;
  /** False: outcomes of more than 31 days before the last one are left out. */
  complete: boolean;
}

export interface CampaignRecipient {
  /** The row of the file; the header is row 1. */
  rowNumber: number;
  /** E.164; of a refused row as the file has it, null where the cell is empty. */
  phoneNumber: string | null;
  /** From the column with the name of the callee, or the variable `name`. */
  name: string | null;
  /** Empty for a refused row. */
  variables: { [key: string]: string };
  /** That of the row, or all in which the owner of the number may be; empty for a refused row. */
  timezones: string[];
  state: RecipientState;
  /** Why the person waits, was not called, or how the last call ended; null for a person who is being called. */
  reason: {
    code: RecipientReasonCode;
    message: string;
  } | null;
  /** Calls made so far. At least 0. */
  attempts: number;
  /** Null until the first call is placed. */
  outboundCallId: string | null;
  /** Of the last attempt. */
  callId: string | null;
  /** No call begins before; null where that is at once or not known. */
  nextAttemptAt: string | null;
  /** Millionths of a unit of currency. */
  costMicros: number;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface CancelResult {
  id: string;
  status: CallStatus;
  cancelled: boolean;
}

export interface ColumnMapping {
  /** The column with the numbers to call. From 1 to 256 characters. */
  phoneNumber?: string | undefined;
  /** The column with the name of the callee. From 1 to 256 characters. */
  name?: string | undefined;
  /** The column of each placeholder, by the name of the placeholder. */
  variables?: { [key: string]: string } | undefined;
}

export interface ConfigurationForRuntime {
  agentId: string;
  version: number;
  agent_language: string;
  firstMessage: string;
  systemPrompt: string;
  sttModel: string;
  llmModel: string;
  ttsModel: string;
  voiceId: string;
  data_needed: Array<{
    id: string;
    type: "string" | "number" | "integer" | "boolean" | "enum";
    /** From 1 to 1000 characters. */
    description: string;
    /** From 1 to 50 items. */
    enumValues?: string[] | undefined;
    required?: boolean | undefined;
  }>;
  data_evaluation: Array<{
    id: string;
    /** From 1 to 120 characters. */
    name: string;
    /** From 1 to 2000 characters. */
    prompt: string;
    scoring?: "binary" | "numeric" | undefined;
    /** From 1 to 100. */
    maxScore?: number | undefined;
    useKnowledgeBase?: boolean | undefined;
  }>;
  variables: { [key: string]: {
    /** From 0 to 2000 characters. */
    default: string | null;
    /** From 0 to 500 characters. */
    description?: string | undefined;
    required?: boolean | undefined;
  } };
  preemptive_generation: boolean;
  ivr_navigation_enabled: boolean;
  timezone: string;
  rag: {
    enabled: boolean;
    /** From 1 to 20. */
    topK: number;
    /** From 0 to 2. */
    maxDistance: number;
    /** From 500 to 50000. */
    maxChars: number;
    /** From 1 to 128 characters. */
    embeddingModel: string;
    rewriteQuery: boolean;
  };
  limits: {
    /** From 60 to 7200. */
    maxDurationSeconds: number;
    /** From 10 to 600. */
    silenceTimeoutSeconds: number;
    /** From 1 to 10000. */
    maxConcurrentCalls: number | null;
    /** From 1 to 1000000. */
    dailyCalls: number | null;
  };
  voicemail: {
    detection: boolean;
    action: "hangup" | "leave_message" | "continue";
    /** From 1 to 2000 characters. */
    message?: string | undefined;
    /** From 0 to 60. */
    maxBeepWaitSeconds: number;
  };
  recording: {
    enabled: boolean;
    /** From 1 to 3650. */
    retentionDays: number | null;
    consent: "none" | "announce" | "verbal";
    /** From 1 to 1000 characters. */
    announcement?: string | undefined;
  };
  allowedOverrides: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId">;
  extra: { [key: string]: Json };
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface ConfigurationVersion {
  version: number;
  /** ISO 8601, UTC, milliseconds. */
  savedAt: string;
  /** `user:` or `key:` and an id, as in `createdBy` of campaigns; null for versions of older releases. */
  savedBy: string | null;
  /** The version that this save repeats. */
  restoredFrom: number | null;
  inForce: boolean;
  /** Fields that differ from the version before, by name; none for version 1. */
  changed: string[];
}

export interface DashboardSummary {
  range: "24h" | "7d" | "30d" | "custom";
  /** ISO 8601, UTC, milliseconds. */
  from: string;
  /** ISO 8601, UTC, milliseconds. */
  to: string;
  timezone: string;
  bucket: "hour" | "day";
  kpis: {
    /** At least 0. */
    totalCalls: number;
    /** At least 0. */
    answeredCalls: number;
    /** From 0 to 1. */
    answerRate: number | null;
    /** From 0 to 1. */
    voicemailRate: number | null;
    averageDurationSeconds: number | null;
    totalMinutes: number;
    /** From 0 to 1. */
    successRate: number | null;
    /** From 0 to 1. */
    transferRate: number | null;
    /** At least 0. */
    liveCalls: number;
    /** At least 0. */
    peakConcurrency: number;
    /** Millionths of a unit of currency. */
    totalCostMicros: number;
    currency: string;
  };
  previous: {
    /** At least 0. */
    totalCalls: number;
    /** From 0 to 1. */
    answerRate: number | null;
    averageDurationSeconds: number | null;
    /** Millionths of a unit of currency. */
    totalCostMicros: number;
  };
  byDirection: {
    /** At least 0. */
    inbound: number;
    /** At least 0. */
    outbound: number;
  };
  byChannel: {
    /** At least 0. */
    phone: number;
    /** At least 0. */
    widget: number;
    /** At least 0. */
    preview: number;
  };
  outcomes: Array<{
    outcome: Outcome;
    /** At least 0. */
    count: number;
    share: number;
  }>;
  endedReasons: Array<{
    reason: EndedReason;
    /** At least 0. */
    count: number;
  }>;
  agents: Array<{
    agentId: string;
    name: string;
    /** At least 0. */
    calls: number;
    /** From 0 to 1. */
    answerRate: number | null;
    averageDurationSeconds: number | null;
    /** From 0 to 1. */
    successRate: number | null;
    /** Millionths of a unit of currency. */
    costMicros: number;
  }>;
  timeline: Array<{
    /** ISO 8601, UTC, milliseconds. */
    at: string;
    /** At least 0. */
    calls: number;
    /** At least 0. */
    answered: number;
    /** At least 0. */
    failed: number;
    minutes: number;
    /** Millionths of a unit of currency. */
    costMicros: number;
  }>;
  latency: {
    e2eP50Ms: number | null;
    e2eP95Ms: number | null;
  };
}

export interface EndLiveCallResult {
  roomName: string;
  callId: string | null;
  ended: boolean;
  alreadyEnded: boolean;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string;
}

export interface EndedError {
  reason: EndedReason;
  /** From 1 to 64 characters. */
  providerCode?: string | undefined;
  sipStatus?: number | undefined;
  /** From 0 to 1000 characters. */
  detail?: string | undefined;
}

export interface EndedErrorRequest {
  reason: EndedReason;
  /** From 1 to 64 characters. */
  providerCode?: string | undefined;
  sipStatus?: number | undefined;
  /** From 0 to 1000 characters. */
  detail?: string | undefined;
}

export type EndedReason = "user_hangup" | "agent_hangup" | "operator_ended" | "call_transferred" | "voicemail_reached" | "ivr_reached" | "silence_timeout" | "max_duration_reached" | "consent_declined" | "no_answer" | "busy" | "declined" | "invalid_destination" | "marked_as_spam" | "cancelled_by_user" | "campaign_cancelled" | "suppressed_dnc" | "outside_calling_window" | "country_not_allowed" | "concurrency_limit" | "insufficient_balance" | "provider_rejected" | "provider_unavailable" | "sip_error" | "media_failure" | "agent_unavailable" | "error_llm" | "error_stt" | "error_tts" | "error_runtime" | "room_lost" | "outcome_unknown" | "unknown";

export interface Health {
  status: "ok";
  service: string;
  version: string;
  apiVersion: string;
  /** ISO 8601, UTC, milliseconds. */
  time: string;
  uptimeSeconds: number;
}

export interface Initiation {
  /** Failed: the call goes on with the configuration of the agent. */
  outcome: "applied" | "rejected" | "failed";
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  /** At least 0. */
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  ignored: string[];
  /** Reject: hang up. */
  action: "continue" | "reject";
  dynamicVariables: { [key: string]: string };
  metadata: { [key: string]: Json };
}

export interface InitiationMessage {
  /** The same at every try; also in the header `webhook-id`. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  type: "call.initiation";
  data: {
    callId: string | null;
    agentId: string;
    direction: "inbound" | "outbound" | null;
    channel: "phone" | "widget" | "preview" | null;
    callerNumber: string | null;
    calledNumber: string | null;
    provider: "TWILIO" | "TELNYX" | null;
    providerCallId: string | null;
    campaignId: string | null;
    dynamicVariables: { [key: string]: string };
    metadata: { [key: string]: Json };
    /** `body` of the configured webhook, with its placeholders filled. */
    custom?: Json | undefined;
  };
}

export interface InitiationResult {
  /** Failed: the call goes on with the configuration of the agent. */
  outcome: "applied" | "rejected" | "failed";
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  /** At least 0. */
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  ignored: string[];
}

export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface KeyActor {
  type: "key";
  id: string;
}

export interface KnowledgeSource {
  id: string;
  agentId: string;
  type: "url" | "file";
  name: string;
  url: string | null;
  fileKey: string | null;
  fileName: string | null;
  mimeType: string | null;
  sizeBytes: number | null;
  contentHash: string | null;
  status: "pending" | "processing" | "ready" | "failed" | "reprocessing";
  error: {
    code: "FETCH_FAILED" | "UNSUPPORTED_TYPE" | "TOO_LARGE" | "TOO_SMALL" | "PARSE_FAILED" | "EMBEDDING_FAILED" | "URL_NOT_ALLOWED" | "ROBOTS_REFUSED";
    message: string;
  } | null;
  /** While a try that failed is to be repeated. */
  waiting?: {
    /** Of the last try. */
    error: {
      code: "FETCH_FAILED" | "UNSUPPORTED_TYPE" | "TOO_LARGE" | "TOO_SMALL" | "PARSE_FAILED" | "EMBEDDING_FAILED" | "URL_NOT_ALLOWED" | "ROBOTS_REFUSED";
      message: string;
    };
    /** Tries that have failed. */
    tries: number;
    /** The source fails after so many. */
    maxTries: number;
    /** In the past while that try runs. */
    nextTryAt: string;
  } | null | undefined;
  /** What is missing in the passages that are found. */
  warnings?: Array<{
    code: "PAGES_WITHOUT_TEXT";
    message: string;
    /** Of the page or document; null for a file. */
    url: string | null;
  }> | undefined;
  include?: Array<"aside" | "footer"> | undefined;
  usageMode: "auto" | "prompt";
  chunkCount: number;
  charCount: number;
  embeddingModel: string | null;
  /** While the source is read. */
  progress: {
    pagesFound: number;
    pagesDone: number;
    chunks: number;
  } | null;
  /** Null for a file. */
  crawl: {
    mode: "page" | "sitemap" | "site";
    maxPages: number;
  } | null;
  refreshIntervalHours: number | null;
  /** ISO 8601, UTC, milliseconds. */
  lastIngestedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface LiveCall {
  callId: string;
  roomName: string;
  agentId: string;
  agentName: string;
  channel: "phone" | "widget" | "preview";
  direction: "inbound" | "outbound";
  status: "ringing" | "in_progress";
  fromNumber: string | null;
  toNumber: string | null;
  campaignId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  answeredAt: string | null;
  durationSeconds: number;
  /** At least 0. */
  participants: number;
  lastMessage: string | null;
}

export interface LiveEvent {
  type: "call.started" | "call.answered" | "call.ended" | "call.changed" | "call.transcript" | "outbound-call.changed" | "campaign.changed" | "agent.created" | "agent.updated" | "agent.deleted" | "agent.configured" | "number.changed" | "knowledge-source.changed" | "tool.changed" | "secret.changed" | "mcp-connection.changed" | "widget.changed" | "settings.changed" | "member.changed" | "invitation.changed" | "suppression.changed" | "webhook-delivery.changed";
  /** ISO 8601, UTC, milliseconds. */
  occurredAt: string;
  resource: {
    kind: "call" | "outboundCall" | "campaign" | "agent" | "number" | "knowledgeSource" | "tool" | "secret" | "mcpConnection" | "widget" | "settings" | "member" | "invitation" | "suppression" | "webhookDelivery";
    /** Null for settings and invitations, and where several things of the kind may have changed. */
    id: string | null;
  };
  agentId?: string | undefined;
  /** The status now, where the event tells it. */
  status?: string | undefined;
  /** The change, where the type does not name it. */
  change?: string | undefined;
  /** Grows with every change; of two, the higher one holds. */
  version?: number | undefined;
  /** Failed tries of a knowledge source that waits for the next one. */
  tries?: number | undefined;
  /** Turns of the transcript so far. */
  turns?: number | undefined;
}

export interface McpAuthorization {
  authorizationUrl: string;
  /** ISO 8601, UTC, milliseconds. */
  expiresAt: string;
}

export interface McpCatalogEntry {
  slug: string;
  name: string;
  description: string;
  category: string;
  iconUrl: string | null;
  url: string;
  transport: "streamable_http" | "sse";
  auth: {
    type: "none" | "bearer" | "header" | "oauth2";
    headerName?: string | undefined;
  };
  source: "curated" | "custom";
  docsUrl: string | null;
  connectedId: string | null;
}

export interface McpConnection {
  id: string;
  catalogSlug: string | null;
  name: string;
  url: string;
  transport: "streamable_http" | "sse";
  auth: {
    type: "none" | "bearer" | "header" | "oauth2";
    headerName?: string | undefined;
    clientId?: string | undefined;
    secretId: string | null;
  };
  headers: { [key: string]: string | {
    secretId: string;
  } };
  status: "connecting" | "connected" | "error" | "auth_required";
  lastError: string | null;
  health: {
    state: "ok" | "auth_expired" | "drifted" | "unreachable";
    /** ISO 8601, UTC, milliseconds. */
    since: string;
    advice: string | null;
  };
  serverInfo: {
    name: string;
    version: string;
    protocolVersion: string;
  } | null;
  tools: Array<{
    name: string;
    title: string | null;
    description: string;
    inputSchema: { [key: string]: Json };
    annotations: { [key: string]: Json } | null;
    enabled: boolean;
    /** SHA-256 of the definition, in hex. */
    hash: string;
    /** Null: no person has approved this tool. */
    approvedHash: string | null;
    changedSinceApproval: boolean;
    /** The definition approved last, to see the changes since then; null: not known. */
    approvedDefinition?: {
      title: string | null;
      description: string;
      inputSchema: { [key: string]: Json };
    } | null | undefined;
    /** Agents get the tool, and it can be executed. */
    offered: boolean;
    /** As agents see it; unique in the organization. */
    offeredName: string;
  }>;
  warnings: Array<{
    /** Name of the tool, shortened and without invisible characters; its place in the list where it has none, and empty for the list itself. */
    tool: string;
    code: "hidden_instructions" | "name_not_usable" | "name_repeated" | "description_too_long" | "schema_too_large" | "schema_too_deep" | "schema_not_usable" | "header_not_usable" | "definition_not_usable" | "field_mended" | "too_many_tools" | "list_incomplete" | "more_warnings";
    /** The field of the tool or of the list, such as inputSchema.type. */
    field?: string | undefined;
    message: string;
  }>;
  approvalPolicy: "auto" | "per_tool";
  timeoutMs: number;
  agentIds: string[];
  /** ISO 8601, UTC, milliseconds. */
  lastRefreshedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface McpExecuteResult {
  content: Array<{ [key: string]: Json }>;
  structuredContent?: { [key: string]: Json } | undefined;
  isError: boolean;
  durationMs: number;
}

export interface ModelOption {
  id: string;
  name: string;
  provider: string;
  /** BCP 47 codes, or only "*" for every language of the catalog. */
  languages: string[];
  streaming: boolean;
  /** Millionths of a unit of currency. */
  costMicrosPerMinute: number | null;
  typicalLatencyMs: number | null;
  available: boolean;
  unavailableReason: string | null;
}

export interface NumberSearchResult {
  phoneNumber: string;
  friendlyName: string;
  locality?: string | undefined;
  region?: string | undefined;
  isoCountry?: string | undefined;
  /** Millionths of a unit of currency. */
  providerMonthlyCostMicros: number;
  /** Millionths of a unit of currency. */
  monthlyPriceMicros: number;
  /** ISO 4217, of both prices; a platform of an older release does not tell it. */
  currency?: string | undefined;
  quoteId: string;
  /** ISO 8601, UTC, milliseconds. */
  quoteExpiresAt: string;
  rateCatalogVersion: string;
}

export interface OutboundCall {
  id: string;
  mode: "quick" | "batch";
  status: CallStatus;
  outcome: Outcome | null;
  endedReason: EndedReason | null;
  error: EndedError | null;
  answeredBy: AnsweredBy | null;
  agentId: string;
  fromNumber: string;
  phoneNumber: string;
  username: string | null;
  provider: "TWILIO" | "TELNYX" | null;
  providerCallId: string | null;
  firstMessage: string | null;
  systemPrompt: string | null;
  dynamicVariables: { [key: string]: string };
  metadata: { [key: string]: Json };
  sid: string | null;
  campaignId: string | null;
  rowNumber: number | null;
  attempt: number;
  retryable: boolean;
  /** Only when one call is read. */
  attempts?: Attempt[] | undefined;
  /** ISO 8601, UTC, milliseconds. */
  nextAttemptAt: string | null;
  callId: string | null;
  roomName: string | null;
  ringingTimeoutSeconds: number;
  /** ISO 8601, UTC, milliseconds. */
  scheduledAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  queuedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  dialedAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  answeredAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string | null;
  durationSeconds: number | null;
  /** Millionths of a unit of currency. */
  costMicros: number | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface OutboundCallStatusView {
  id: string;
  status: CallStatus;
  outcome: Outcome | null;
  endedReason: EndedReason | null;
  attempt: number;
  callId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  nextAttemptAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  terminal: boolean;
}

export interface OutboundCallTimeline {
  entries: OutboundTimelineEntry[];
  /** True when there are more than 1,000 entries; the first are shown. */
  isCut: boolean;
}

export type OutboundTimelineEntry = TimelineOutboundPlaced | TimelineOutboundCancelled | TimelineOutboundRetried | TimelineAttemptStarted | TimelineAttemptAnswered | TimelineAttemptRejected | TimelineAttemptInDoubt | TimelineAttemptAdopted | TimelineAttemptAbandoned | TimelineAttemptOutcomeUnknown | TimelineAttemptEnded | TimelineAttemptHungUp;

export type Outcome = "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "cancelled" | "transferred";

export interface Passage {
  knowledgeSourceId: string;
  chunkId: string;
  sourceName: string;
  url: string | null;
  /** Titles above the passage, outermost first. */
  headings: string[];
  /** Rows of a table have the titles of their columns before them. */
  text: string;
  /** Text around a short passage, from the same section above it; for a model, beside the passage. */
  context?: string | null | undefined;
  /** Larger is better; comparable within one answer only. */
  score: number;
  /** Offset in the text of its page, in characters. */
  start: number;
  end: number;
}

export interface PhoneNumber {
  id: string;
  provider: "TWILIO" | "TELNYX";
  phoneNumber: string;
  friendlyName: string;
  isoCountry: string;
  locality: string | null;
  region: string | null;
  capabilities: {
    voice: boolean;
    sms: boolean;
  };
  status: "provisioning" | "active" | "releasing" | "released" | "failed";
  providerNumberId: string | null;
  agentId: string | null;
  agentName: string | null;
  /** Millionths of a unit of currency. */
  providerMonthlyCostMicros: number;
  /** Millionths of a unit of currency. */
  monthlyPriceMicros: number;
  currency: string;
  rateCatalogVersion: string;
  purchasedBy: string;
  /** ISO 8601, UTC, milliseconds. */
  purchasedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface PlatformActor {
  type: "platform";
  id: string;
}

export interface PreviewConversation {
  sessionId: string;
  agentId: string;
  /** Of the conversation in the call log, with the channel preview. */
  callId: string;
  configVersion: number;
  /** The first words of the agent; null where it lets the other side begin. */
  firstMessage: string | null;
  maxDurationSeconds: number;
  /** When the conversation ends at the latest. */
  expiresAt: string;
}

export interface PreviewSession {
  sessionId: string;
  agentId: string;
  callId: string;
  roomName: string;
  serverUrl: string;
  token: string;
  identity: string;
  configVersion: number;
  iceServers?: Array<{
    urls: string[];
    username?: string | undefined;
    credential?: string | undefined;
  }> | undefined;
  maxDurationSeconds: number;
  /** ISO 8601, UTC, milliseconds. */
  expiresAt: string;
}

export interface PublicWidgetConfig {
  id: string;
  theme: {
    mode: "light" | "dark" | "auto";
    variant: "compact" | "full" | "inline";
    position: "bottom-right" | "bottom-left" | "top-right" | "top-left";
    primaryColor: string;
    backgroundColor: string;
    textColor: string;
    /** From 0 to 64. */
    borderRadius: number;
    /** From 1 to 2048 characters. */
    avatarUrl: string | null;
    texts: {
      /** From 1 to 60 characters. */
      launcher: string;
      /** From 1 to 120 characters. */
      title: string;
      /** From 1 to 60 characters. */
      start: string;
      /** From 1 to 60 characters. */
      end: string;
      /** From 1 to 60 characters. */
      listening: string;
      /** From 1 to 60 characters. */
      speaking: string;
      /** From 1 to 60 characters. */
      consentAccept: string;
    };
  };
  consent: {
    required: boolean;
    /** From 1 to 2000 characters. */
    text: string | null;
    /** From 1 to 2048 characters. */
    privacyUrl: string | null;
    /** From 1 to 64 characters. */
    version: string;
  };
  modes: Array<"voice" | "text">;
  agentName: string;
  /** The language of the agent (BCP 47); und: not known. */
  language: string;
  queue: {
    enabled: boolean;
    /** The text that visitors read while they wait. From 1 to 300 characters. */
    text: string | null;
  };
  /** Always true. */
  enabled: true;
  maxSessionSeconds: number;
}

export interface Ready {
  status: "ready" | "degraded";
  checks: { [key: string]: {
    status: "up" | "down" | "skipped";
    required: boolean;
    latencyMs: number | null;
    message: string | null;
    /** ISO 8601, UTC, milliseconds. */
    checkedAt: string;
  } };
  projectionLagMs: number;
}

export type RecipientReasonCode = "INVALID_PHONE" | "DUPLICATE" | "MISSING_PHONE" | "ROW_TOO_LONG" | "SUPPRESSED" | "user_hangup" | "agent_hangup" | "operator_ended" | "call_transferred" | "voicemail_reached" | "ivr_reached" | "silence_timeout" | "max_duration_reached" | "consent_declined" | "no_answer" | "busy" | "declined" | "invalid_destination" | "marked_as_spam" | "cancelled_by_user" | "campaign_cancelled" | "suppressed_dnc" | "outside_calling_window" | "country_not_allowed" | "concurrency_limit" | "insufficient_balance" | "provider_rejected" | "provider_unavailable" | "sip_error" | "media_failure" | "agent_unavailable" | "error_llm" | "error_stt" | "error_tts" | "error_runtime" | "room_lost" | "outcome_unknown" | "unknown" | "file_being_read" | "campaign_scheduled" | "waiting_for_turn" | "waiting_for_retry" | "circuit_breaker" | "number_unavailable" | "budget_reached" | "spend_limit_reached";

/** `pending` waits, `queued` is about to be dialled, `in_progress` rings or talks; `skipped` may not be called; `refused` is a row of the file that cannot be called. The others are outcomes. */
export type RecipientState = "pending" | "queued" | "in_progress" | "completed" | "voicemail" | "no_answer" | "busy" | "failed" | "cancelled" | "skipped" | "refused";

export interface RecordingUpload {
  storageKey: string;
  /** Takes one PUT, with this `Content-Type`. */
  uploadUrl: string;
  contentType: "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/mp4" | "audio/webm";
  /** ISO 8601, UTC, milliseconds. */
  expiresAt: string;
}

export interface RuntimeConfig {
  agent: {
    id: string;
    name: string;
    organizationId: string;
    isActive: boolean;
  };
  config: ConfigurationForRuntime;
  tools: ToolForRuntime[];
  mcpTools: Array<{
    name: string;
    description: string;
    /** JSON Schema of the arguments that the model fills in. */
    parameters: { [key: string]: Json };
    executionMode: "immediate" | "after_speech" | "async";
    fillerMessage: string | null;
    interruptible: boolean;
    timeoutMs: number;
    serverName: string;
  }>;
  knowledge: {
    /** Auto: search it in the call. */
    mode: "auto" | "prompt" | "none";
    /** To put behind the system prompt. */
    prompt: string | null;
  };
  /** The called number, where the runtime asked by it. */
  phoneNumber?: string | undefined;
  /** Null: the agent has no initiation webhook. */
  initiation: Initiation | null;
  runtime: {
    /** The addresses of the platform begin with it. */
    baseUrl: string;
    /** Good for this one call; null: no call was named, it has ended, or it is not of the agent and its organization. */
    callToken: string | null;
    /** Of the token. */
    expiresAt: string | null;
  };
  /** Parts that are missing from this answer because their service is away. */
  warnings: string[];
}

export interface Secret {
  id: string;
  name: string;
  description: string | null;
  redactedValue: string;
  version: number;
  usedBy: Array<{
    id: string;
    type: "agent" | "tool" | "widget" | "mcp_connection" | "knowledge_source";
    name: string;
  }>;
  /** ISO 8601, UTC, milliseconds. */
  lastUsedAt: string | null;
  createdBy: string;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

export interface Settings {
  /** IANA time zone; decides where days begin, on the dashboard and elsewhere. From 1 to 64 characters. */
  timezone: string;
  /** From 1 to 10000. */
  maxConcurrentCalls: number;
  /** The part of those calls that is kept free for inbound calls. From 0 to 10000. */
  inboundReserve: number;
  callingWindow: {
    /** 0 is Monday; the days on which the window begins. From 1 to 7 items. */
    days: number[];
    start: string;
    /** Before the start: on the next day; 24:00 is midnight. */
    end: string;
    basis: "campaign" | "recipient";
  } | null;
  /** From 1 to 100. */
  dailyAttemptsPerNumber: number | null;
  /** The highest cost of all quick calls of one day together; null leaves it to the limits of the operator. */
  quickCallBudget: Budget | null;
  /** Countries that may be called; empty: those of the own numbers. */
  allowedCountries: string[];
}

/** Days and months are those of the organization's time zone. */
export interface Spend {
  /** ISO 4217. */
  currency: string;
  /** Set by the operator of this platform; null: no limit. */
  limits: {
    /** Millionths of one unit of the currency. At least 0. */
    dayMicros: number | null;
    /** Millionths of one unit of the currency. At least 0. */
    monthMicros: number | null;
    /** At least 0. */
    numbers: number | null;
    /** At least 0. */
    concurrentCalls: number | null;
    countries: string[] | null;
  };
  /** Today. */
  day: {
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Worst case of calls and purchases under way. At least 0. */
    reservedMicros: number;
  };
  /** This calendar month. */
  month: {
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Worst case of calls and purchases under way. At least 0. */
    reservedMicros: number;
  };
  /** The money spent on each day of the range, oldest first. */
  byDay: Array<{
    date: string;
    /** Millionths of one unit of the currency. At least 0. */
    callsMicros: number;
    /** Millionths of one unit of the currency. At least 0. */
    numbersMicros: number;
  }>;
  /** Campaigns with spent or reserved money in the range, with all that they ever cost; latest first, 500 at most. */
  byCampaign: Array<{
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Worst case of calls and purchases under way. At least 0. */
    reservedMicros: number;
    campaignId: string;
    name: string;
    /** Millionths of one unit of the currency. From 0 to 9007199254740991. */
    budgetMicros: number | null;
  }>;
}

export interface StreamFailure {
  code: string;
  message: string;
  requestId: string;
}

export interface Suppression {
  id: string;
  /** E.164. */
  phoneNumber: string;
  reason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

export interface TimelineActor {
  /** `user`, `key`, `call` or `platform`. */
  type: string;
  /** Of the person, key or call; the name of the service for `platform`. */
  id: string;
}

export interface TimelineAttemptAbandoned {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.abandoned";
  attemptNumber: number | null;
  details: {
    callId: string;
    endedReason: EndedReason | null;
    /** When the next attempt may begin by itself; null when none follows by itself. */
    nextAttemptAt: string | null;
  };
}

export interface TimelineAttemptAdopted {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.adopted";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

export interface TimelineAttemptAnswered {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.answered";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

export interface TimelineAttemptEnded {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.ended";
  attemptNumber: number | null;
  details: {
    callId: string;
    status: CallStatus;
    outcome: Outcome | null;
    endedReason: EndedReason | null;
    answeredBy: AnsweredBy | null;
    durationSeconds: number | null;
    /** When the next attempt may begin by itself; null when none follows by itself. */
    nextAttemptAt: string | null;
  };
}

export interface TimelineAttemptHungUp {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.hung_up";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

export interface TimelineAttemptInDoubt {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.in_doubt";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

export interface TimelineAttemptOutcomeUnknown {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.outcome_unknown";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

export interface TimelineAttemptRejected {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.rejected";
  attemptNumber: number | null;
  details: {
    callId: string;
    status: CallStatus;
    endedReason: EndedReason;
    sipStatus: number | null;
    /** When the next attempt may begin by itself; null when none follows by itself. */
    nextAttemptAt: string | null;
  };
}

export interface TimelineAttemptStarted {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "attempt.started";
  attemptNumber: number | null;
  details: {
    callId: string;
    provider: "TWILIO" | "TELNYX" | null;
    configVersion: number;
    /** ISO 8601, UTC, milliseconds. */
    deadlineAt: string;
  };
}

export interface TimelineCallAnswered {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "call.answered";
  details: Record<string, never>;
}

export interface TimelineCallEndRequested {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "call.end_requested";
  details: Record<string, never>;
}

export interface TimelineCallEnded {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "call.ended";
  details: {
    status: CallStatus;
    endedReason: EndedReason;
    answeredBy: AnsweredBy | null;
    durationSeconds: number | null;
    sipStatus: number | null;
    toldBy: "dialer" | "runtime" | "inferred";
  };
}

export interface TimelineCallHandedOver {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "call.handed_over";
  details: {
    messageCount: number;
    analysisStatus: "pending" | "completed" | "failed" | "skipped";
    successful: "success" | "failure" | "unknown" | null;
    transfer: {
      type: "cold" | "warm" | "agent";
      status: "ongoing" | "succeeded" | "failed";
    } | null;
    costMicros: number | null;
  };
}

export interface TimelineCallStarted {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "call.started";
  details: {
    channel: "phone" | "widget" | "preview";
    direction: "inbound" | "outbound";
    toldBy: "dialer" | "runtime" | "room";
  };
}

export interface TimelineInitiationAsked {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "initiation.asked";
  details: {
    outcome: string;
    statusCode: number | null;
    durationMs: number;
    error: string | null;
  };
}

export interface TimelineOutboundCancelled {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "outbound.cancelled";
  details: {
    reason: EndedReason;
  };
}

export interface TimelineOutboundPlaced {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "outbound.placed";
  details: {
    mode: "quick" | "batch";
    agentId: string;
    campaignId: string | null;
    rowNumber: number | null;
  };
}

export interface TimelineOutboundRetried {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "outbound.retried";
  details: Record<string, never>;
}

export interface TimelineParticipantJoined {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "participant.joined";
  details: {
    participant: "agent" | "person" | "other";
    present: number;
  };
}

export interface TimelineParticipantLeft {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "participant.left";
  details: {
    participant: "agent" | "person" | "other";
    present: number;
    /** Null where the media server did not say. */
    leftBy: "itself" | "others" | null;
  };
}

export interface TimelineRecordingDeleted {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "recording.deleted";
  details: Record<string, never>;
}

export interface TimelineRoomClosed {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "room.closed";
  details: Record<string, never>;
}

export interface TimelineToolRan {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "tool.ran";
  details: {
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    durationMs: number;
  };
}

export interface TimelineWebhookDue {
  /** When it happened, which may be before it was known. */
  at: string;
  /** The cause: a person, key, call or service; null: unknown. */
  actor: TimelineActor | null;
  kind: "webhook.due";
  details: {
    deliveryId: string;
    type: string;
    /** `pending` until the first try, `retrying` after a try that failed, `failed` once it is given up. */
    status: "pending" | "retrying" | "delivered" | "failed";
    tries: number;
    problem: "status" | "redirect" | "timeout" | "unreachable" | "unresolved" | "tls" | "bad_response" | "url_not_allowed" | "secret_not_found" | "call_deleted" | "endpoint_disabled" | "cannot_open" | "internal" | null;
  };
}

export interface Tool {
  id: string;
  type: "http";
  name: string;
  /** From 1 to 2000 characters. */
  description: string;
  request: {
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** From 1 to 2048 characters. */
    url: string;
    headers: { [key: string]: string | {
      secretId: string;
    } };
    contentType: "application/json" | "application/x-www-form-urlencoded";
    bodyTemplate: { [key: string]: Json } | null;
  };
  parameters: Array<{
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
  }>;
  /** From 1000 to 60000. */
  timeoutMs: number;
  executionMode: "immediate" | "after_speech" | "async";
  /** From 1 to 500 characters. */
  fillerMessage: string | null;
  interruptible: boolean;
  response: {
    /** From 1 to 100000. */
    maxChars: number;
    /** At most 100 items. */
    include: string[];
    /** At most 50 items. */
    assignments: Array<{
      /** From 1 to 64 characters. */
      variable: string;
      /** From 1 to 256 characters. */
      path: string;
    }>;
  };
  onError: "hide" | "summarize" | "passthrough";
  isActive: boolean;
  agentIds: string[];
  stats24h: {
    runs: number;
    failures: number;
    p95Ms: number | null;
  };
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface ToolForRuntime {
  name: string;
  description: string;
  /** JSON Schema of the arguments that the model fills in. */
  parameters: { [key: string]: Json };
  executionMode: "immediate" | "after_speech" | "async";
  fillerMessage: string | null;
  interruptible: boolean;
  timeoutMs: number;
}

export interface ToolResult {
  result: Json;
  assignments: { [key: string]: string };
  /** At least 0. */
  durationMs: number;
  isError: boolean;
}

export interface ToolRun {
  /** As it was sent, with "•••" for secrets; null when nothing was sent. */
  request: {
    method: string;
    url: string;
    headers: { [key: string]: string };
    body: string | null;
  } | null;
  response: {
    status: number;
    headers: { [key: string]: string };
    body: string;
    truncated: boolean;
  } | null;
  result: Json;
  assignments: { [key: string]: string };
  /** At least 0. */
  durationMs: number;
  error: {
    code: "TIMEOUT" | "URL_NOT_ALLOWED" | "TOO_LARGE" | "BAD_STATUS" | "NETWORK" | "INVALID_ARGUMENTS";
    message: string;
  } | null;
}

export interface Transcript {
  id: string;
  callId: string;
  /** At least 0. */
  seq: number;
  role: "agent" | "user" | "system" | "tool";
  /** From 0 to 20000 characters. */
  text: string;
  /** From 0 to 20000 characters. */
  spokenText: string | null;
  interrupted: boolean;
  /** At least 0. */
  startMs: number;
  /** From 0 to 9007199254740991. */
  endMs: number | null;
  /** From 0 to 1. */
  confidence: number | null;
  /** From 1 to 35 characters. */
  language: string | null;
  toolCall: {
    /** From 1 to 64 characters. */
    toolId: string | null;
    /** From 1 to 128 characters. */
    name: string;
    arguments: { [key: string]: Json };
    result: Json;
    status: "ok" | "error" | "timeout";
    /** At least 0. */
    durationMs: number;
  } | null;
  /** At most 50 items. */
  sources: Array<{
    /** From 1 to 64 characters. */
    knowledgeSourceId: string;
    /** From 1 to 128 characters. */
    chunkId: string;
    score: number;
  }>;
  /** From 0 to 9007199254740991. */
  latencyMs: number | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

export interface TranscriptTurn {
  /** At least 0. */
  seq: number;
  role: "agent" | "user" | "system" | "tool";
  /** From 0 to 20000 characters. */
  text: string;
  /** From 0 to 20000 characters. */
  spokenText: string | null;
  interrupted: boolean;
  /** At least 0. */
  startMs: number;
  /** At least 0. */
  endMs: number | null;
  /** From 0 to 1. */
  confidence: number | null;
  /** From 1 to 35 characters. */
  language: string | null;
  toolCall: {
    /** From 1 to 64 characters. */
    toolId: string | null;
    /** From 1 to 128 characters. */
    name: string;
    arguments: { [key: string]: Json };
    result: Json;
    status: "ok" | "error" | "timeout";
    /** At least 0. */
    durationMs: number;
  } | null;
  /** At most 50 items. */
  sources: Array<{
    /** From 1 to 64 characters. */
    knowledgeSourceId: string;
    /** From 1 to 128 characters. */
    chunkId: string;
    score: number;
  }>;
  /** At least 0. */
  latencyMs: number | null;
  createdAt?: string | undefined;
}

export interface TranscriptTurnRequest {
  /** At least 0. */
  seq: number;
  role: "agent" | "user" | "system" | "tool";
  /** From 0 to 20000 characters. */
  text: string;
  /** From 0 to 20000 characters. */
  spokenText?: string | null | undefined;
  /** `false` unless given. */
  interrupted?: boolean | undefined;
  /** At least 0. */
  startMs: number;
  /** At least 0. */
  endMs?: number | null | undefined;
  /** From 0 to 1. */
  confidence?: number | null | undefined;
  /** From 1 to 35 characters. */
  language?: string | null | undefined;
  toolCall?: {
    /** From 1 to 64 characters. */
    toolId: string | null;
    /** From 1 to 128 characters. */
    name: string;
    arguments: { [key: string]: Json };
    result: Json;
    status: "ok" | "error" | "timeout";
    /** At least 0. */
    durationMs: number;
  } | null | undefined;
  /** At most 50 items. */
  sources?: Array<{
    /** From 1 to 64 characters. */
    knowledgeSourceId: string;
    /** From 1 to 128 characters. */
    chunkId: string;
    score: number;
  }> | undefined;
  /** At least 0. */
  latencyMs?: number | null | undefined;
  createdAt?: string | undefined;
}

export interface UserActor {
  type: "user";
  id: string;
}

export interface VisitorActor {
  type: "visitor";
  id: string;
  origin: string | null;
}

export interface Voice {
  id: string;
  name: string;
  provider: string;
  gender: "female" | "male" | "neutral" | null;
  languages: string[];
  accent: string | null;
  /** The text-to-speech models that have this voice. */
  ttsModels: string[];
  previewUrl: string | null;
  available: boolean;
}

export interface VoiceCatalog {
  version: string;
  currency: string;
  languages: Array<{
    code: string;
    name: string;
  }>;
  sttModels: ModelOption[];
  llmModels: ModelOption[];
  ttsModels: ModelOption[];
  voices: Voice[];
  defaults: {
    agent_language: string;
    sttModel: string;
    llmModel: string;
    ttsModel: string;
    voiceId: string;
    timezone: string;
  };
  timezones: string[];
}

export interface WebhookCall {
  id: string;
  agentId: string;
  agentName: string;
  configVersion: number;
  channel: "phone" | "widget" | "preview";
  direction: "inbound" | "outbound";
  status: CallStatus;
  outcome: Outcome | null;
  endedReason: EndedReason | null;
  error: EndedError | null;
  answeredBy: AnsweredBy | null;
  fromNumber: string | null;
  toNumber: string | null;
  phoneNumberId: string | null;
  provider: "TWILIO" | "TELNYX" | null;
  providerCallId: string | null;
  roomName: string;
  outboundCallId: string | null;
  campaignId: string | null;
  widgetId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  startedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  answeredAt: string | null;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string | null;
  ringSeconds: number | null;
  /** Talk time. */
  durationSeconds: number | null;
  dynamicVariables: { [key: string]: string };
  metadata: { [key: string]: Json };
  recording: {
    available: boolean;
    url: string | null;
    /** ISO 8601, UTC, milliseconds. */
    urlExpiresAt: string | null;
    durationSeconds: number | null;
    channels: 1 | 2;
    /** ISO 8601, UTC, milliseconds. */
    deletedAt: string | null;
  };
  consent: {
    type: "none" | "announce" | "verbal" | "widget";
    granted: boolean | null;
    /** ISO 8601, UTC, milliseconds. */
    at: string | null;
    /** From 1 to 64 characters. */
    textVersion: string | null;
  };
  transfer: {
    type: "cold" | "warm" | "agent";
    /** From 1 to 256 characters. */
    destination: string;
    status: "ongoing" | "succeeded" | "failed";
  } | null;
  analysisStatus: "pending" | "completed" | "failed" | "skipped";
  summary: string | null;
  successful: "success" | "failure" | "unknown" | null;
  dataCollected: { [key: string]: {
    value: Json;
    /** From 0 to 2000 characters. */
    rationale: string | null;
  } };
  evaluation: Array<{
    /** From 1 to 64 characters. */
    id: string;
    /** From 1 to 120 characters. */
    name: string;
    result: "success" | "failure" | "unknown";
    score: number | null;
    /** From 0 to 2000 characters. */
    rationale: string | null;
  }>;
  latency: {
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
  } | null;
  cost: {
    /** Millionths of a unit of currency. */
    totalMicros: number;
    currency: string;
    items: Array<{
      kind: "telephony" | "stt" | "llm" | "tts" | "recording" | "platform";
      /** Millionths of a unit of currency. */
      micros: number;
      quantity: number;
      unit: string;
    }>;
  } | null;
  /** At least 0. */
  messageCount: number;
  webhookDelivery: "none" | "pending" | "delivered" | "failed";
  /** Runs of tools, as the platform recorded them; only where one call is read. */
  toolRuns?: Array<{
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    /** Sensitive arguments are "•••"; null: too large, or erased. */
    arguments: { [key: string]: Json } | null;
    /** At least 0. */
    durationMs: number;
    /** ISO 8601, UTC, milliseconds. */
    at: string;
  }> | undefined;
  /** Runs beyond the 200 that are shown, at most 800. At least 0. */
  moreToolRuns?: number | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  deletedAt: string | null;
}

export interface WebhookDelivery {
  /** The header `webhook-id` of every try. */
  id: string;
  callId: string;
  agentId: string | null;
  type: "call.started" | "call.ended" | "call.analyzed" | "call.failed";
  /** Orders the messages of one call. */
  sequence: number;
  /** Scheme, host and port of the receiver's address; the rest of the address may hold a key. */
  origin: string;
  /** `pending` until the first try, `retrying` after a try that failed, `failed` once it is given up. */
  status: "pending" | "retrying" | "delivered" | "failed";
  /** When the event of the call happened. */
  occurredAt: string;
  /** When the message was first due. */
  createdAt: string;
  tries: number;
  /** The last tries, at most 40, oldest first. */
  attempts: Array<{
    /** ISO 8601, UTC, milliseconds. */
    at: string;
    /** Of the answer; null when there was none. */
    statusCode: number | null;
    durationMs: number;
    /** Null for a try that arrived. */
    problem: WebhookProblem | null;
  }>;
  lastProblem: WebhookProblem | null;
  /** ISO 8601, UTC, milliseconds. */
  nextAttemptAt: string | null;
  /** Since when nothing is sent to this address: it answered 410, or failed for five days. A replay opens it. */
  receiverClosedAt: string | null;
}

/** A message to a webhook, signed by the Standard Webhooks scheme. */
export type WebhookMessage = CallMessage | CallAnalyzedMessage | InitiationMessage | WebhookTestMessage;

export interface WebhookProblem {
  code: "status" | "redirect" | "timeout" | "unreachable" | "unresolved" | "tls" | "bad_response" | "url_not_allowed" | "secret_not_found" | "call_deleted" | "endpoint_disabled" | "cannot_open" | "internal";
  /** One sentence for people. */
  text: string;
}

export interface WebhookReplay {
  /** `recorded`: the webhook that the call ran with. `current`: the one that the agent has now, with any events. `recorded` unless given. */
  to?: "recorded" | "current" | undefined;
}

export interface WebhookTest {
  agentId: string;
  /** Another address than the saved one. It gets the signature, and none of the webhook's headers and body. From 1 to 2048 characters. */
  url?: string | undefined;
}

export interface WebhookTestMessage {
  /** The same at every try; also in the header `webhook-id`. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  type: "webhook.test";
  data: {
    agentId: string;
    /** `body` of the configured webhook, with its placeholders filled. */
    custom?: Json | undefined;
  };
}

export interface WebhookTestResult {
  /** The header `webhook-id`. */
  messageId: string;
  /** Scheme, host and port of the receiver's address; the rest of the address may hold a key. */
  origin: string;
  /** True for a status from 200 to 299, and for no other. */
  delivered: boolean;
  /** Of the answer; null when there was none. */
  statusCode: number | null;
  durationMs: number;
  problem: WebhookProblem | null;
  /** The first 1,024 characters of the answer, with "•••" for secrets; null when there was none. */
  answer: string | null;
}

export interface Widget {
  id: string;
  agentId: string;
  name: string;
  enabled: boolean;
  theme: {
    mode: "light" | "dark" | "auto";
    variant: "compact" | "full" | "inline";
    position: "bottom-right" | "bottom-left" | "top-right" | "top-left";
    primaryColor: string;
    backgroundColor: string;
    textColor: string;
    /** From 0 to 64. */
    borderRadius: number;
    /** From 1 to 2048 characters. */
    avatarUrl: string | null;
    texts: {
      /** From 1 to 60 characters. */
      launcher: string;
      /** From 1 to 120 characters. */
      title: string;
      /** From 1 to 60 characters. */
      start: string;
      /** From 1 to 60 characters. */
      end: string;
      /** From 1 to 60 characters. */
      listening: string;
      /** From 1 to 60 characters. */
      speaking: string;
      /** From 1 to 60 characters. */
      consentAccept: string;
    };
  };
  allowedOrigins: string[];
  consent: {
    required: boolean;
    /** From 1 to 2000 characters. */
    text: string | null;
    /** From 1 to 2048 characters. */
    privacyUrl: string | null;
    /** From 1 to 64 characters. */
    version: string;
  };
  limits: {
    /** From 30 to 3600. */
    maxSessionSeconds: number;
    /** From 1 to 1000. */
    maxConcurrentSessions: number;
    /** From 1 to 10000. */
    sessionsPerIpPerHour: number;
    /** In 24 hours; null: no limit. From 1 to 1000000. */
    dailySessions: number | null;
  };
  queue: {
    enabled: boolean;
    /** Visitors who wait at the same time. From 1 to 1000. */
    maxWaiting: number;
    /** The text that visitors read while they wait. From 1 to 300 characters. */
    text: string | null;
  };
  modes: Array<"voice" | "text">;
  allowedVariables: string[];
  requireVisitorToken: boolean;
  visitorTokenSecretId: string | null;
  embedSnippet: string;
  stats: {
    sessions30d: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface WidgetSession {
  sessionId: string;
  mode: "voice" | "text";
  endToken: string;
  /** Null in text. */
  roomName: string | null;
  /** Of the media server; null in text. */
  serverUrl: string | null;
  /** For the media server; null in text. */
  token: string | null;
  iceServers?: Array<{
    urls: string[];
    username?: string | undefined;
    credential?: string | undefined;
  }> | undefined;
  /** Where messages are posted; null in voice. */
  messagesUrl: string | null;
  /** The first words of the agent, in text; null in voice, where it says them. */
  firstMessage: string | null;
  maxDurationSeconds: number;
  /** When the session ends at the latest. */
  expiresAt: string;
}

export interface WorstCase {
  /** ISO 4217. */
  currency: string;
  /** Of a started minute. At least 0. */
  rateMicros: number;
  /** The call is hung up after this time. */
  longestSeconds: number;
  /** The most that one call can cost on the telephone. At least 0. */
  worstCaseMicros: number;
}
