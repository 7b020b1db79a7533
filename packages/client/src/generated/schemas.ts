// The values of the interface. Written by `npm run gen` from the interface document; changes here are lost.

import type { Open } from '../method/method.js';

/** A voice agent, with its numbers and counts. */
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

/** Saved configuration of an agent, with warnings about it. */
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
  /** Absent on versions that were saved before the setting existed. */
  redaction?: {
    /** Personal data that is replaced by a placeholder before a transcript is stored, logged or sent. At most 5 items. */
    kinds: Array<"card" | "account" | "telephone" | "mail" | "name">;
  } | undefined;
  allowedOverrides: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId">;
  extra: { [key: string]: Json };
  /** Fields of this version that a new version would reject, with the reason. */
  warnings?: Array<{
    path: string;
    message: string;
  }> | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

/** Configuration of an agent. */
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
  redaction?: {
    /** Personal data that is replaced by a placeholder before a transcript is stored, logged or sent. At most 5 items. */
    kinds?: Array<"card" | "account" | "telephone" | "mail" | "name"> | undefined;
  } | undefined;
  /** At most 4 items. */
  allowedOverrides?: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId"> | undefined;
  extra?: { [key: string]: Json } | undefined;
  /** The current version as you last read it, 0 for none; a mismatch returns VERSION_CONFLICT. At least 0. */
  expectedVersion?: number | undefined;
}>;

/** A new agent. */
export interface AgentInput {
  /** Name of the agent, shown to operators only. From 2 to 120 characters. */
  name: string;
  /** An inactive agent neither takes nor makes calls. */
  isActive: boolean;
  /** Template to start from: a slug, the UUID of a template, or null. */
  templateId: "business" | "medical" | "support" | "blank" | string | null;
}

/** Changes to an agent; absent fields stay as they are. */
export interface AgentUpdate {
  /** Name of the agent, shown to operators only. From 2 to 120 characters. */
  name?: string | undefined;
  /** An inactive agent neither takes nor makes calls. */
  isActive?: boolean | undefined;
  /** Template to start from: a slug, the UUID of a template, or null. */
  templateId?: "business" | "medical" | "support" | "blank" | string | null | undefined;
}

/** The steps to an answer, in milliseconds. */
export interface AnswerTimings {
  /** Silence until the caller's turn counted as over, without the recognition. At least 0. */
  endOfTurnMs?: number | undefined;
  /** Recognition of the caller's last words. At least 0. */
  recognitionMs?: number | undefined;
  /** From the end of the turn to the first words. At least 0. */
  firstTokenMs?: number | undefined;
  /** From the first words to their first sound. At least 0. */
  firstSoundMs?: number | undefined;
}

/** The steps to an answer, in milliseconds. */
export interface AnswerTimingsRequest {
  /** Silence until the caller's turn counted as over, without the recognition. At least 0. */
  endOfTurnMs?: number | undefined;
  /** Recognition of the caller's last words. At least 0. */
  recognitionMs?: number | undefined;
  /** From the end of the turn to the first words. At least 0. */
  firstTokenMs?: number | undefined;
  /** From the first words to their first sound. At least 0. */
  firstSoundMs?: number | undefined;
}

/** What answered an outbound call. */
export type AnsweredBy = "human" | "machine_voicemail" | "machine_ivr" | "machine_unavailable" | "fax" | "no_speech" | "uncertain";

/** An API key; the key itself is not shown again. */
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
  /** Never: tools that cost money or delete something run over MCP without a confirmation. */
  mcpConfirm: "always" | "never";
  disabledReason: "maker_removed" | "maker_lost_permission" | "expired" | "revoked" | null;
}

/** A new API key, with the key itself, which is shown only here. */
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
  /** Never: tools that cost money or delete something run over MCP without a confirmation. */
  mcpConfirm: "always" | "never";
  disabledReason: "maker_removed" | "maker_lost_permission" | "expired" | "revoked" | null;
  key: string;
}

/** One attempt to reach the callee of an outbound call. */
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

/** An invitation to an organization. */
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

/** A session, with the token by which it can be revoked. */
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

/** A member of an organization. */
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

/** An organization. */
export interface AuthOrganization {
  id: string;
  name: string;
  slug: string;
  createdAt: string;
  secondFactorRequired?: boolean | null | undefined;
}

/** A session of a signed-in person. */
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

/** A person with an account. */
export interface AuthUser {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  twoFactorEnabled?: boolean | null | undefined;
  createdAt: string;
  updatedAt: string;
}

/** A campaign: outbound calls to the recipients in a file. */
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
  /** Whose calling window is closed, while the campaign is paused for it. */
  closedBy?: "operator" | "organization" | "campaign" | undefined;
  /** ISO 8601, UTC, milliseconds. */
  scheduledAt: string | null;
  timezone: string;
  ringingTimeoutSeconds: number;
  callsPerSecond: number;
  maxConcurrency: number | null;
  callingWindow: {
    /** Days on which the window opens; 0 is Monday. From 1 to 7 items. */
    days: number[];
    start: string;
    /** A time before the start is on the next day; 24:00 is midnight. */
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
      /** Affected rows; 0 for the header or for one of the agent's texts. At least 0. */
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

/** What a campaign would do with a file, without placing a call. */
export interface BatchPreview {
  /** False if the file is longer than a preview reads; the preview then covers its first rows only. */
  complete: boolean;
  /** Why a campaign with this file would fail. */
  refusal: {
    code: "FILE_INVALID" | "FILE_TYPE_MISMATCH" | "FILE_TOO_LARGE";
    message: string;
  } | null;
  columns: Array<{
    header: string;
    /** Override: the column replaces a setting of the agent, such as its language. */
    use: "phone_number" | "override" | "variable" | "none";
    /** The column contains the name of the callee. */
    isName: boolean;
    /** Variables that the column sets. */
    variables: string[];
    /** True if the agent's texts use one of the variables, or the agent allows the override; tools and webhooks are not considered. */
    isUsed: boolean;
  }>;
  /** Placeholders in the agent's texts. */
  placeholders: Array<{
    name: string;
    hasColumn: boolean;
    /** Used if no column sets the variable. */
    hasDefault: boolean;
  }>;
  rows: {
    /** Sum of the other counts. At least 0. */
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
  /** First 20 rows that would be called. */
  sample: Array<{
    row: number;
    /** E.164. */
    phoneNumber: string;
    /** ISO 3166-1 alpha-2. */
    country: string | null;
    /** The row's time zone, or every zone that the number may belong to. */
    timezones: string[];
    /** When the calling window first allows a call; null if not within two weeks. */
    callableFrom: string | null;
    name: string | null;
    variables: { [key: string]: string };
  }>;
  /** First 100 rows that would not be called. */
  errors: Array<{
    row: number;
    column: string | null;
    code: "INVALID_PHONE" | "DUPLICATE" | "MISSING_PHONE" | "ROW_TOO_LONG" | "SUPPRESSED";
    message: string;
  }>;
  /** What to check before the callable rows are called. */
  warnings?: Array<{
    code: "HIDDEN_ROWS" | "NO_VALUE" | "VALUE_LEFT_OUT" | "COLUMN_RENAMED" | "COLUMN_IGNORED" | "PLACEHOLDER_UNFILLED" | "PLACEHOLDER_IMPOSSIBLE";
    column: string | null;
    /** Affected rows; 0 for the header or for one of the agent's texts. At least 0. */
    rows: number;
    firstRow: number | null;
    message: string;
  }> | undefined;
  cost: {
    /** ISO 4217. */
    currency: string;
    /** Maximum number of calls to one recipient. At least 0. */
    attempts: number;
    /** Calls are hung up after this time. */
    longestSeconds: number;
    /** Maximum cost of all callable rows: every attempt, for the maximum duration of a call. */
    worstCaseMicros: number;
    /** Callable rows whose destination has no rate; they are estimated at the highest rate of the table. At least 0. */
    unknownRates: number;
  };
  /** Until every callable row has been called once, not counting time outside the calling window. */
  estimate: {
    /** At least 0. */
    seconds: number;
  };
}

/** The most that a campaign may cost. */
export interface Budget {
  /** From 1 to 1000000000000. */
  maxCostMicros: number;
}

/** The agent of a call. */
export interface CallActor {
  type: "call";
  id: string;
  agentId: string;
}

/** A call has been analyzed. */
export interface CallAnalyzedMessage {
  /** Identical for every attempt; also in the `webhook-id` header. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  /** Order of the messages of one call. */
  sequence: number;
  type: "call.analyzed";
  data: {
    call: WebhookCall;
    transcript: Transcript[];
    /** `body` of the configured webhook, with its placeholders replaced. */
    custom?: Json | undefined;
  };
}

/** A call, from its start to its analysis. */
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
    /** `seq` of the turns that prove it. At most 20 items. */
    turns?: number[] | undefined;
    /** Words of one of these turns. From 0 to 1000 characters. */
    quote?: string | undefined;
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
    /** `seq` of the turns that prove it. At most 20 items. */
    turns?: number[] | undefined;
    /** Words of one of these turns. From 0 to 1000 characters. */
    quote?: string | undefined;
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
      /** The model with whose price it was calculated. */
      model?: string | undefined;
      /** The model that was used and has no price: the general price of the kind was applied. */
      unpricedModel?: string | undefined;
      direction?: "input" | "output" | undefined;
      /** Price of `per` units; absent on calls that were priced before it existed. */
      rate?: {
        /** Millionths of a unit of currency. */
        micros: number;
        /** At least 1. */
        per: number;
      } | undefined;
    }>;
  } | null;
  /** At least 0. */
  messageCount: number;
  webhookDelivery: "none" | "pending" | "delivered" | "failed";
  initiation: InitiationResult | null;
  /** Tool runs recorded by the platform; only when a single call is read. */
  toolRuns?: Array<{
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    /** Sensitive arguments are shown as "•••"; null if too large or erased. */
    arguments: { [key: string]: Json } | null;
    /** At least 0. */
    durationMs: number;
    /** ISO 8601, UTC, milliseconds. */
    at: string;
  }> | undefined;
  /** True if the person asked not to be called again. */
  optedOut?: boolean | undefined;
  /** Number of runs beyond the first 200, at most 800. At least 0. */
  moreToolRuns?: number | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  deletedAt: string | null;
}

/** A call has started, ended or failed. */
export interface CallMessage {
  /** Identical for every attempt; also in the `webhook-id` header. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  /** Order of the messages of one call. */
  sequence: number;
  type: "call.started" | "call.ended" | "call.failed";
  data: {
    call: WebhookCall;
    /** `body` of the configured webhook, with its placeholders replaced. */
    custom?: Json | undefined;
  };
}

/** State of a call. */
export type CallStatus = "scheduled" | "queued" | "initiated" | "ringing" | "in_progress" | "completed" | "no_answer" | "busy" | "failed" | "cancelled";

/** The steps of a call and of the outbound call that led to it, oldest first. */
export interface CallTimeline {
  /** Oldest first; a cause precedes its effect even if its time, reported in seconds, seems later. */
  entries: CallTimelineEntry[];
  /** True if there are more than 1,000 entries; the first 1,000 are returned. */
  isCut: boolean;
  /** Sources that are currently unavailable. `outbound`: attempts, decisions and retries, which also require outboundCalls:read. */
  missing: Array<"outbound">;
}

/** One step in the life of a call. */
export type CallTimelineEntry = TimelineCallStarted | TimelineCallAnswered | TimelineParticipantJoined | TimelineParticipantLeft | TimelineCallEndRequested | TimelineRoomClosed | TimelineCallEnded | TimelineCallHandedOver | TimelineRecordingDeleted | TimelineToolRan | TimelineInitiationAsked | TimelineWebhookDue | TimelineOutboundPlaced | TimelineOutboundCancelled | TimelineOutboundRetried | TimelineAttemptStarted | TimelineAttemptAnswered | TimelineAttemptRejected | TimelineAttemptInDoubt | TimelineAttemptAdopted | TimelineAttemptAbandoned | TimelineAttemptOutcomeUnknown | TimelineAttemptEnded | TimelineAttemptHungUp;

/** The caller behind a credential. */
export interface Caller {
  organizationId: string;
  actor: UserActor | KeyActor | PlatformActor | CallActor | VisitorActor;
  role: "owner" | "admin" | "member" | "viewer" | "key" | "platform" | "call" | "visitor";
  permissions: string[];
  /** Never: tools that cost money or delete something run over MCP without a confirmation. */
  mcpConfirm: "always" | "never";
  /** For a user: whether the email address counts as verified; absent for other callers. */
  verified?: boolean | undefined;
}

/** Outcomes of a campaign, hour by hour. */
export interface CampaignOutcomes {
  /** The organization's time zone, in which the hours start. */
  timezone: string;
  /** Oldest first; recipients whose last call ended in that hour; empty hours are omitted. */
  hours: Array<{
    /** Start of the hour. */
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
  /** False if outcomes more than 31 days before the last one are omitted. */
  complete: boolean;
}

/** A recipient of a campaign: one row of its file. */
export interface CampaignRecipient {
  /** Row in the file; the header is row 1. */
  rowNumber: number;
  /** E.164; for a refused row as written in the file, null if the cell is empty. */
  phoneNumber: string | null;
  /** From the column with the name of the callee, or the variable `name`. */
  name: string | null;
  /** Empty for a refused row. */
  variables: { [key: string]: string };
  /** The row's time zone, or every zone that the number may belong to; empty for a refused row. */
  timezones: string[];
  state: RecipientState;
  /** Why the recipient is waiting or was not called, or how the last call ended; null while a call is in progress. */
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
  /** Earliest time of the next call; null if immediately or unknown. */
  nextAttemptAt: string | null;
  /** Millionths of a unit of currency. */
  costMicros: number;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

/** Result of cancelling an outbound call. */
export interface CancelResult {
  id: string;
  status: CallStatus;
  cancelled: boolean;
}

/** Meaning of the columns of a campaign's file. */
export interface ColumnMapping {
  /** Column with the numbers to call. From 1 to 256 characters. */
  phoneNumber?: string | undefined;
  /** Column with the name of the callee. From 1 to 256 characters. */
  name?: string | undefined;
  /** Column for each placeholder, by placeholder name. */
  variables?: { [key: string]: string } | undefined;
}

/** Configuration of an agent, as the voice runtime reads it. */
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
  /** Absent on versions that were saved before the setting existed. */
  redaction?: {
    /** Personal data that is replaced by a placeholder before a transcript is stored, logged or sent. At most 5 items. */
    kinds: Array<"card" | "account" | "telephone" | "mail" | "name">;
  } | undefined;
  allowedOverrides: Array<"firstMessage" | "systemPrompt" | "agent_language" | "voiceId">;
  extra: { [key: string]: Json };
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

/** A saved version of the configuration of an agent. */
export interface ConfigurationVersion {
  version: number;
  /** ISO 8601, UTC, milliseconds. */
  savedAt: string;
  /** `user:` or `key:` and an ID, as in `createdBy` of campaigns; null for versions saved by older releases. */
  savedBy: string | null;
  /** Version that this one restores. */
  restoredFrom: number | null;
  inForce: boolean;
  /** Names of fields that differ from the previous version; empty for version 1. */
  changed: string[];
}

/** Figures of a period, with those of the period before. */
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

/** Result of ending a call in progress. */
export interface EndLiveCallResult {
  roomName: string;
  callId: string | null;
  ended: boolean;
  alreadyEnded: boolean;
  /** ISO 8601, UTC, milliseconds. */
  endedAt: string;
}

/** The error that ended a call. */
export interface EndedError {
  reason: EndedReason;
  /** From 1 to 64 characters. */
  providerCode?: string | undefined;
  sipStatus?: number | undefined;
  /** From 0 to 1000 characters. */
  detail?: string | undefined;
}

/** The error that ended a call. */
export interface EndedErrorRequest {
  reason: EndedReason;
  /** From 1 to 64 characters. */
  providerCode?: string | undefined;
  sipStatus?: number | undefined;
  /** From 0 to 1000 characters. */
  detail?: string | undefined;
}

/** Why a call ended. */
export type EndedReason = "user_hangup" | "agent_hangup" | "operator_ended" | "call_transferred" | "voicemail_reached" | "ivr_reached" | "silence_timeout" | "max_duration_reached" | "consent_declined" | "no_answer" | "busy" | "declined" | "invalid_destination" | "marked_as_spam" | "cancelled_by_user" | "campaign_cancelled" | "suppressed_dnc" | "outside_calling_window" | "country_not_allowed" | "concurrency_limit" | "insufficient_balance" | "provider_rejected" | "provider_unavailable" | "sip_error" | "media_failure" | "agent_unavailable" | "error_llm" | "error_stt" | "error_tts" | "error_runtime" | "room_lost" | "outcome_unknown" | "unknown";

/** An erasure, and what it waits for. */
export interface ErasureState {
  id: string;
  status: "running" | "finished";
  /** ISO 8601, UTC, milliseconds. */
  requestedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  finishedAt: string | null;
  /** Services in which something is left, such as a call in progress. */
  waitingFor: string[];
}

/** A model that replaced another one within a turn. */
export interface Fallback {
  kind: "stt" | "llm" | "tts";
  /** The model that failed. From 1 to 128 characters. */
  from: string;
  /** The model that answered. From 1 to 128 characters. */
  to: string;
  /** Such as `timeout`, `rateLimited`, `serverError`. From 1 to 64 characters. */
  reason: string;
}

/** A model that replaced another one within a turn. */
export interface FallbackRequest {
  kind: "stt" | "llm" | "tts";
  /** The model that failed. From 1 to 128 characters. */
  from: string;
  /** The model that answered. From 1 to 128 characters. */
  to: string;
  /** Such as `timeout`, `rateLimited`, `serverError`. From 1 to 64 characters. */
  reason: string;
}

/** State of the gateway process. */
export interface Health {
  status: "ok";
  service: string;
  version: string;
  apiVersion: string;
  /** ISO 8601, UTC, milliseconds. */
  time: string;
  uptimeSeconds: number;
}

/** Outcome of the initiation webhook, with the values that it set for the call. */
export interface Initiation {
  /** Failed: the call continues with the agent's configuration. */
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

/** A call is about to start; the answer may change its configuration. */
export interface InitiationMessage {
  /** Identical for every attempt; also in the `webhook-id` header. */
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
    /** `body` of the configured webhook, with its placeholders replaced. */
    custom?: Json | undefined;
  };
}

/** Outcome of the initiation webhook of a call. */
export interface InitiationResult {
  /** Failed: the call continues with the agent's configuration. */
  outcome: "applied" | "rejected" | "failed";
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  /** At least 0. */
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  ignored: string[];
}

/** One thing that is wrong with a request. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** An API key. */
export interface KeyActor {
  type: "key";
  id: string;
}

/** A source of knowledge for agents: a website or a file. */
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
  /** Set while a failed attempt is going to be retried. */
  waiting?: {
    /** Error of the last attempt. */
    error: {
      code: "FETCH_FAILED" | "UNSUPPORTED_TYPE" | "TOO_LARGE" | "TOO_SMALL" | "PARSE_FAILED" | "EMBEDDING_FAILED" | "URL_NOT_ALLOWED" | "ROBOTS_REFUSED";
      message: string;
    };
    /** Number of failed attempts. */
    tries: number;
    /** Attempts after which the source fails. */
    maxTries: number;
    /** In the past while that attempt is running. */
    nextTryAt: string;
  } | null | undefined;
  /** Content that could not be read and is missing from search results. */
  warnings?: Array<{
    code: "PAGES_WITHOUT_TEXT";
    message: string;
    /** URL of the page or document; null for a file. */
    url: string | null;
  }> | undefined;
  include?: Array<"aside" | "footer"> | undefined;
  usageMode: "auto" | "prompt";
  chunkCount: number;
  charCount: number;
  embeddingModel: string | null;
  /** Set while the source is being read. */
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

/** A call in progress. */
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

/** A change in the organization, as it happens. */
export interface LiveEvent {
  type: "call.started" | "call.answered" | "call.ended" | "call.changed" | "call.transcript" | "outbound-call.changed" | "campaign.changed" | "agent.created" | "agent.updated" | "agent.deleted" | "agent.configured" | "number.changed" | "knowledge-source.changed" | "tool.changed" | "secret.changed" | "mcp-connection.changed" | "widget.changed" | "settings.changed" | "member.changed" | "invitation.changed" | "suppression.changed" | "webhook-delivery.changed";
  /** ISO 8601, UTC, milliseconds. */
  occurredAt: string;
  resource: {
    kind: "call" | "outboundCall" | "campaign" | "agent" | "number" | "knowledgeSource" | "tool" | "secret" | "mcpConnection" | "widget" | "settings" | "member" | "invitation" | "suppression" | "webhookDelivery";
    /** Null for settings and invitations, and if several resources of this type may have changed. */
    id: string | null;
  };
  agentId?: string | undefined;
  /** The current status, if the event includes it. */
  status?: string | undefined;
  /** What changed, if the type does not say so. */
  change?: string | undefined;
  /** Increases with every change; a higher version supersedes a lower one. */
  version?: number | undefined;
  /** Failed attempts to read a knowledge source that is retrying. */
  tries?: number | undefined;
  /** Number of transcript turns so far. */
  turns?: number | undefined;
}

/** Where a person signs in at the MCP server. */
export interface McpAuthorization {
  authorizationUrl: string;
  /** ISO 8601, UTC, milliseconds. */
  expiresAt: string;
}

/** An MCP server that can be connected. */
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

/** A connection of the organization to an MCP server. */
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
    /** SHA-256 of the definition, hexadecimal. */
    hash: string;
    /** Null if the tool has not been approved. */
    approvedHash: string | null;
    changedSinceApproval: boolean;
    /** The last approved definition, for comparison; null if unknown. */
    approvedDefinition?: {
      title: string | null;
      description: string;
      inputSchema: { [key: string]: Json };
    } | null | undefined;
    /** Whether agents get the tool and it can be executed. */
    offered: boolean;
    /** Name that agents see; unique in the organization. */
    offeredName: string;
  }>;
  warnings: Array<{
    /** Name of the tool, shortened and without invisible characters; its position in the list if it has no name; empty for the list itself. */
    tool: string;
    code: "hidden_instructions" | "name_not_usable" | "name_repeated" | "description_too_long" | "schema_too_large" | "schema_too_deep" | "schema_not_usable" | "header_not_usable" | "definition_not_usable" | "field_mended" | "too_many_tools" | "list_incomplete" | "more_warnings";
    /** Field of the tool or of the list, such as inputSchema.type. */
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

/** Result of a tool of an MCP server. */
export interface McpExecuteResult {
  content: Array<{ [key: string]: Json }>;
  structuredContent?: { [key: string]: Json } | undefined;
  isError: boolean;
  durationMs: number;
}

/** A model of the organization, as a call reaches it. */
export interface ModelForCall {
  id: string;
  kind: "llm" | "stt" | "tts";
  baseUrl: string;
  /** The server's own name of the model. */
  model: string;
  firstChunkMs: number | null;
  fallbacks: string[];
  /** The server's key, sealed for `publicKey`; null for a server that wants none. */
  sealedKey: string | null;
  /** False when the key cannot be had, so that the fall-backs answer. */
  isUsable: boolean;
}

/** A model at a server that speaks the OpenAI protocol. */
export interface ModelInput {
  id: string;
  kind: "llm" | "stt" | "tts";
  /** From 1 to 100 characters. */
  name: string;
  /** Where `/chat/completions`, `/audio/transcriptions` or `/audio/speech` is; https. From 1 to 2048 characters. */
  baseUrl: string;
  /** The server's own name of the model. From 1 to 200 characters. */
  model: string;
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
}

/** A model that an agent can use. */
export interface ModelOption {
  id: string;
  name: string;
  provider: string;
  /** BCP 47 codes, or only "*" for every language in the catalog. */
  languages: string[];
  streaming: boolean;
  /** Millionths of a unit of currency. */
  costMicrosPerMinute: number | null;
  typicalLatencyMs: number | null;
  available: boolean;
  unavailableReason: string | null;
  /** Ids of the models that take over when it fails, in order. */
  fallbacks?: string[] | undefined;
}

/** One small request to a model, and what came of it. */
export interface ModelTest {
  modelId: string;
  kind: "llm" | "stt" | "tts";
  ok: boolean;
  /** To the first word, or the first audio; null when none came. */
  firstByteMs: number | null;
  totalMs: number;
  /** What an llm answered or stt recognized; at most 500 characters. */
  text: string | null;
  /** What tts spoke. */
  audio: {
    contentType: "audio/wav";
    bytes: number;
    durationMs: number;
    /** The file, to listen to; null when it is long. */
    base64: string | null;
  } | null;
  error: {
    code: "KEY_MISSING" | "KEY_REFUSED" | "NOT_REACHABLE" | "ADDRESS_NOT_ALLOWED" | "TIMEOUT" | "NOT_THE_PROTOCOL" | "EMPTY" | "TOO_LARGE" | "UNKNOWN_MODEL" | "RATE_LIMITED" | "REFUSED" | "SERVER_ERROR" | "NOT_TESTABLE";
    message: string;
    /** HTTP status of the server; null without one. */
    status: number | null;
    /** Beginning of what the server answered, at most 200 characters, without the key. */
    excerpt: string | null;
  } | null;
}

/** A phone number for sale. */
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
  /** ISO 4217, of both prices; absent from older releases. */
  currency?: string | undefined;
  quoteId: string;
  /** ISO 8601, UTC, milliseconds. */
  quoteExpiresAt: string;
  rateCatalogVersion: string;
}

/** A model of the organization. */
export interface OrganizationModel {
  /** `custom/<name>`, as configurations name it. */
  id: string;
  kind: "llm" | "stt" | "tts";
  /** From 1 to 100 characters. */
  name: string;
  /** Where `/chat/completions`, `/audio/transcriptions` or `/audio/speech` is; https. From 1 to 2048 characters. */
  baseUrl: string;
  /** The server's own name of the model. From 1 to 200 characters. */
  model: string;
  /** Codes of the voice catalog, or "*" for every language in it. From 1 to 100 items. */
  languages: string[];
  voices: Array<{
    /** The server's own name of the voice; agents choose `custom/<name>/<id>`. */
    id: string;
    /** From 1 to 100 characters. */
    name: string;
    /** Codes of the voice catalog, or "*" for every language in it. From 1 to 100 items. */
    languages: string[];
  }>;
  prices: {
    /** Millionths of a unit of currency. From 0 to 1000000000000. */
    perMillionInputTokens?: number | undefined;
    /** Millionths of a unit of currency. From 0 to 1000000000000. */
    perMillionOutputTokens?: number | undefined;
    /** Millionths of a unit of currency. From 0 to 1000000000000. */
    perMinute?: number | undefined;
    /** Millionths of a unit of currency. From 0 to 1000000000000. */
    perMillionCharacters?: number | undefined;
  } | null;
  /** From 1 to 60000. */
  typicalLatencyMs: number | null;
  /** Of `llm`: milliseconds to the first word, for a slow model; null for 1,500. From 100 to 30000. */
  firstChunkMs: number | null;
  /** Models of the same kind that answer in this order when this one fails. At most 5 items. */
  fallbacks: string[];
  /** The secret with the key of the server; null for a server that wants none. It is sent to the origin of `baseUrl` only. */
  secretId: string | null;
  /** Agents whose current configuration names the model or one of its voices. */
  usedBy: Array<{
    id: string;
    name: string;
  }>;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

/** An outbound call, with its attempts. */
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
  /** Only when a single call is read. */
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

/** State of an outbound call, for polling. */
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

/** The steps of an outbound call, oldest first. */
export interface OutboundCallTimeline {
  entries: OutboundTimelineEntry[];
  /** True if there are more than 1,000 entries; the first 1,000 are returned. */
  isCut: boolean;
}

/** One step in the life of an outbound call. */
export type OutboundTimelineEntry = TimelineOutboundPlaced | TimelineOutboundCancelled | TimelineOutboundRetried | TimelineAttemptStarted | TimelineAttemptAnswered | TimelineAttemptRejected | TimelineAttemptInDoubt | TimelineAttemptAdopted | TimelineAttemptAbandoned | TimelineAttemptOutcomeUnknown | TimelineAttemptEnded | TimelineAttemptHungUp;

/** What a call came to, once it has ended. */
export type Outcome = "answered" | "voicemail" | "no_answer" | "busy" | "failed" | "cancelled" | "transferred";

/** A passage of a knowledge source that matches a search. */
export interface Passage {
  knowledgeSourceId: string;
  chunkId: string;
  sourceName: string;
  url: string | null;
  /** Headings above the passage, outermost first. */
  headings: string[];
  /** Table rows are prefixed with their column titles. */
  text: string;
  /** Preceding text of the same section, for short passages; give it to the model with the passage. */
  context?: string | null | undefined;
  /** Higher is better; comparable within one response only. */
  score: number;
  /** Offset in the text of the page, in characters. */
  start: number;
  end: number;
}

/** What an organization has recorded about one telephone number. */
export interface PersonCounts {
  /** Calls in both directions, with their transcripts. */
  calls: number;
  recordings: number;
  outboundCalls: number;
  /** Rows of campaigns. */
  recipients: number;
}

/** What would be erased, or the erasure that was started. */
export interface PersonErasureStep {
  found: PersonCounts;
  /** Confirms the erasure when it is sent back; null once it was confirmed. */
  confirmation: string | null;
  /** ISO 8601, UTC, milliseconds. */
  confirmBefore: string | null;
  /** Null until it is confirmed. */
  erasure: ErasureState | null;
}

/** A phone number of the organization. */
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

/** The platform itself; `id` is the service. */
export interface PlatformActor {
  type: "platform";
  id: string;
}

/** A conversation by text with an agent, to try it. */
export interface PreviewConversation {
  sessionId: string;
  agentId: string;
  /** ID of the conversation in the call log, under the channel `preview`. */
  callId: string;
  configVersion: number;
  /** The agent's greeting; null if the agent lets the other side speak first. */
  firstMessage: string | null;
  maxDurationSeconds: number;
  /** When the conversation ends at the latest. */
  expiresAt: string;
}

/** A conversation by voice with an agent, to try it in the browser. */
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

/** What a page needs to show a widget. */
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
  /** The agent's language (BCP 47); und if unknown. */
  language: string;
  queue: {
    enabled: boolean;
    /** Text shown to visitors while they wait. From 1 to 300 characters. */
    text: string | null;
  };
  /** Always true. */
  enabled: true;
  maxSessionSeconds: number;
}

/** State of each service and engine behind the gateway. */
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

/** Why a recipient of a campaign is in its state. */
export type RecipientReasonCode = "INVALID_PHONE" | "DUPLICATE" | "MISSING_PHONE" | "ROW_TOO_LONG" | "SUPPRESSED" | "user_hangup" | "agent_hangup" | "operator_ended" | "call_transferred" | "voicemail_reached" | "ivr_reached" | "silence_timeout" | "max_duration_reached" | "consent_declined" | "no_answer" | "busy" | "declined" | "invalid_destination" | "marked_as_spam" | "cancelled_by_user" | "campaign_cancelled" | "suppressed_dnc" | "outside_calling_window" | "country_not_allowed" | "concurrency_limit" | "insufficient_balance" | "provider_rejected" | "provider_unavailable" | "sip_error" | "media_failure" | "agent_unavailable" | "error_llm" | "error_stt" | "error_tts" | "error_runtime" | "room_lost" | "outcome_unknown" | "unknown" | "file_being_read" | "campaign_scheduled" | "waiting_for_turn" | "waiting_for_retry" | "circuit_breaker" | "number_unavailable" | "budget_reached" | "spend_limit_reached";

/** `pending`: not called yet. `queued`: about to be dialed. `in_progress`: ringing or talking. `skipped`: must not be called. `refused`: a row of the file that cannot be called. The other states are outcomes. */
export type RecipientState = "pending" | "queued" | "in_progress" | "completed" | "voicemail" | "no_answer" | "busy" | "failed" | "cancelled" | "skipped" | "refused";

/** Where the voice runtime uploads the recording of a call. */
export interface RecordingUpload {
  storageKey: string;
  /** Accepts a single PUT with this `Content-Type`. */
  uploadUrl: string;
  contentType: "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/mp4" | "audio/webm";
  /** ISO 8601, UTC, milliseconds. */
  expiresAt: string;
}

/** All that the voice runtime needs for a call. */
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
    /** Auto: search during the call. */
    mode: "auto" | "prompt" | "none";
    /** Text to append to the system prompt. */
    prompt: string | null;
  };
  /** The called number, if the configuration was requested by number. */
  phoneNumber?: string | undefined;
  /** Null if the agent has no initiation webhook. */
  initiation: Initiation | null;
  runtime: {
    /** Prefix of the platform's URLs. */
    baseUrl: string;
    /** Valid for this call only; null if no call was given, it has ended, or it belongs to another agent or organization. */
    callToken: string | null;
    /** Expiry of the token. */
    expiresAt: string | null;
  };
  /** Parts missing from this response because their service is unavailable. */
  warnings: string[];
}

/** A secret; its value is never shown. */
export interface Secret {
  id: string;
  name: string;
  description: string | null;
  redactedValue: string;
  version: number;
  usedBy: Array<{
    id: string;
    type: "agent" | "tool" | "widget" | "mcp_connection" | "knowledge_source" | "model";
    name: string;
  }>;
  /** Origins that the secret may be sent to. */
  allowedOrigins: string[];
  /** ISO 8601, UTC, milliseconds. */
  lastUsedAt: string | null;
  createdBy: string;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

/** Settings of an organization. */
export interface Settings {
  /** IANA time zone; determines when days start, on the dashboard and elsewhere. From 1 to 64 characters. */
  timezone: string;
  /** From 1 to 10000. */
  maxConcurrentCalls: number;
  /** Share of those calls reserved for inbound calls. From 0 to 10000. */
  inboundReserve: number;
  callingWindow: {
    /** Days on which the window opens; 0 is Monday. From 1 to 7 items. */
    days: number[];
    start: string;
    /** A time before the start is on the next day; 24:00 is midnight. */
    end: string;
    basis: "campaign" | "recipient";
  } | null;
  /** From 1 to 100. */
  dailyAttemptsPerNumber: number | null;
  /** Maximum cost of all quick calls per day; null applies only the operator's limits. */
  quickCallBudget: Budget | null;
  /** Narrow: a person is called when it is open in the zones of their number and in the named one; replace: the named zone alone counts. */
  namedTimezones?: "narrow" | "replace" | undefined;
  /** Countries that can be called; empty for those of the organization's numbers. */
  allowedCountries: string[];
  /** Days after which calls are deleted, with their transcripts and recordings; null applies the operator's default. From 1 to 3650. */
  callRetentionDays?: number | null | undefined;
}

/** Days and months are in the organization's time zone. */
export interface Spend {
  /** ISO 4217. */
  currency: string;
  /** Set by the operator; null for no limit. */
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
    /** Hours in which people may be called, at the place where they are. */
    callingWindow?: {
      start: string;
      end: string;
    } | null | undefined;
    /** Attempts to reach one number on one day, by the clock of the place that the number belongs to. At least 1. */
    dailyAttempts?: number | null | undefined;
    /** Counts against dayMicros: this UTC day. */
    day?: {
      /** Millionths of one unit of the currency. At least 0. */
      spentMicros: number;
      /** Maximum cost of calls and purchases in progress. At least 0. */
      reservedMicros: number;
    } | undefined;
    /** Counts against monthMicros: this calendar month (UTC). */
    month?: {
      /** Millionths of one unit of the currency. At least 0. */
      spentMicros: number;
      /** Maximum cost of calls and purchases in progress. At least 0. */
      reservedMicros: number;
    } | undefined;
  };
  /** Today. */
  day: {
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Maximum cost of calls and purchases in progress. At least 0. */
    reservedMicros: number;
  };
  /** This calendar month. */
  month: {
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Maximum cost of calls and purchases in progress. At least 0. */
    reservedMicros: number;
  };
  /** Spending per day of the range, oldest first. */
  byDay: Array<{
    date: string;
    /** Millionths of one unit of the currency. At least 0. */
    callsMicros: number;
    /** Millionths of one unit of the currency. At least 0. */
    numbersMicros: number;
  }>;
  /** Campaigns with spending or reservations in the range, with their total cost; latest first, at most 500. */
  byCampaign: Array<{
    /** Millionths of one unit of the currency. At least 0. */
    spentMicros: number;
    /** Maximum cost of calls and purchases in progress. At least 0. */
    reservedMicros: number;
    campaignId: string;
    name: string;
    /** Millionths of one unit of the currency. From 0 to 9007199254740991. */
    budgetMicros: number | null;
  }>;
}

/** What the organization stores, and what it may store. */
export interface StorageUse {
  /** Documents of knowledge sources. */
  knowledgeBytes: {
    /** At least 0. */
    used: number;
    /** 0 for nothing at all. At least 0. */
    limit: number;
  };
  /** Pieces of text made of documents and pages. */
  knowledgeChunks: {
    /** At least 0. */
    used: number;
    /** 0 for nothing at all. At least 0. */
    limit: number;
  };
  /** Files of campaigns, which are deleted after a day. */
  campaignFileBytes: {
    /** At least 0. */
    used: number;
    /** 0 for nothing at all. At least 0. */
    limit: number;
  };
  /** Recordings; a call whose recording does not fit is not recorded. */
  recordingBytes: {
    /** At least 0. */
    used: number;
    /** 0 for nothing at all. At least 0. */
    limit: number;
  };
}

/** Why a stream ended early. */
export interface StreamFailure {
  code: string;
  message: string;
  requestId: string;
}

/** A number that is never called. */
export interface Suppression {
  id: string;
  /** E.164; empty for a person who was erased. */
  phoneNumber: string;
  reason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** Request: a person or key added it; call: the person asked for it in a call. */
  source?: "request" | "call" | "erasure" | undefined;
  /** `user:<id>`, `key:<id>` or `platform:<service>`. */
  addedBy?: string | null | undefined;
}

/** A change of the suppression list. Facts are never changed. */
export interface SuppressionFact {
  change: "added" | "removed";
  source: "request" | "call" | "erasure" | "operator";
  /** `user:<id>`, `key:<id>` or `platform:<service>`. */
  actor: string;
  /** Call in which the person asked for it. */
  callId: string | null;
  reason: string | null;
  /** ISO 8601, UTC, milliseconds. */
  at: string;
}

/** Who or what caused an entry of a timeline. */
export interface TimelineActor {
  /** `user`, `key`, `call` or `platform`. */
  type: string;
  /** ID of the user, key or call; the service name for `platform`. */
  id: string;
}

/** The step `attempt.abandoned` of a timeline. */
export interface TimelineAttemptAbandoned {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.abandoned";
  attemptNumber: number | null;
  details: {
    callId: string;
    endedReason: EndedReason | null;
    /** Earliest time of the next automatic attempt; null if there is none. */
    nextAttemptAt: string | null;
  };
}

/** The step `attempt.adopted` of a timeline. */
export interface TimelineAttemptAdopted {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.adopted";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

/** The step `attempt.answered` of a timeline. */
export interface TimelineAttemptAnswered {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.answered";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

/** The step `attempt.ended` of a timeline. */
export interface TimelineAttemptEnded {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
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
    /** Earliest time of the next automatic attempt; null if there is none. */
    nextAttemptAt: string | null;
  };
}

/** The step `attempt.hung_up` of a timeline. */
export interface TimelineAttemptHungUp {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.hung_up";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

/** The step `attempt.in_doubt` of a timeline. */
export interface TimelineAttemptInDoubt {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.in_doubt";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

/** The step `attempt.outcome_unknown` of a timeline. */
export interface TimelineAttemptOutcomeUnknown {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.outcome_unknown";
  attemptNumber: number | null;
  details: {
    callId: string;
  };
}

/** The step `attempt.rejected` of a timeline. */
export interface TimelineAttemptRejected {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "attempt.rejected";
  attemptNumber: number | null;
  details: {
    callId: string;
    status: CallStatus;
    endedReason: EndedReason;
    sipStatus: number | null;
    /** Earliest time of the next automatic attempt; null if there is none. */
    nextAttemptAt: string | null;
  };
}

/** The step `attempt.started` of a timeline. */
export interface TimelineAttemptStarted {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
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

/** The step `call.answered` of a timeline. */
export interface TimelineCallAnswered {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "call.answered";
  details: Record<string, never>;
}

/** The step `call.end_requested` of a timeline. */
export interface TimelineCallEndRequested {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "call.end_requested";
  details: Record<string, never>;
}

/** The step `call.ended` of a timeline. */
export interface TimelineCallEnded {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
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

/** The step `call.handed_over` of a timeline. */
export interface TimelineCallHandedOver {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
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

/** The step `call.started` of a timeline. */
export interface TimelineCallStarted {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "call.started";
  details: {
    channel: "phone" | "widget" | "preview";
    direction: "inbound" | "outbound";
    toldBy: "dialer" | "runtime" | "room";
  };
}

/** The step `initiation.asked` of a timeline. */
export interface TimelineInitiationAsked {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "initiation.asked";
  details: {
    outcome: string;
    statusCode: number | null;
    durationMs: number;
    error: string | null;
  };
}

/** The step `outbound.cancelled` of a timeline. */
export interface TimelineOutboundCancelled {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "outbound.cancelled";
  details: {
    reason: EndedReason;
  };
}

/** The step `outbound.placed` of a timeline. */
export interface TimelineOutboundPlaced {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "outbound.placed";
  details: {
    mode: "quick" | "batch";
    agentId: string;
    campaignId: string | null;
    rowNumber: number | null;
  };
}

/** The step `outbound.retried` of a timeline. */
export interface TimelineOutboundRetried {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "outbound.retried";
  details: Record<string, never>;
}

/** The step `participant.joined` of a timeline. */
export interface TimelineParticipantJoined {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "participant.joined";
  details: {
    participant: "agent" | "person" | "other";
    present: number;
  };
}

/** The step `participant.left` of a timeline. */
export interface TimelineParticipantLeft {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "participant.left";
  details: {
    participant: "agent" | "person" | "other";
    present: number;
    /** Null if the media server did not report it. */
    leftBy: "itself" | "others" | null;
  };
}

/** The step `recording.deleted` of a timeline. */
export interface TimelineRecordingDeleted {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "recording.deleted";
  details: Record<string, never>;
}

/** The step `room.closed` of a timeline. */
export interface TimelineRoomClosed {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "room.closed";
  details: Record<string, never>;
}

/** The step `tool.ran` of a timeline. */
export interface TimelineToolRan {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "tool.ran";
  details: {
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    durationMs: number;
  };
}

/** The step `webhook.due` of a timeline. */
export interface TimelineWebhookDue {
  /** When it happened; may be earlier than when it became known. */
  at: string;
  /** Who or what caused it: a user, key, call or service; null if unknown. */
  actor: TimelineActor | null;
  kind: "webhook.due";
  details: {
    deliveryId: string;
    type: string;
    /** `pending` until the first attempt, `retrying` after a failed attempt, `failed` after the last one. */
    status: "pending" | "retrying" | "delivered" | "failed";
    tries: number;
    problem: "status" | "redirect" | "timeout" | "unreachable" | "unresolved" | "tls" | "bad_response" | "url_not_allowed" | "secret_not_found" | "call_deleted" | "endpoint_disabled" | "cannot_open" | "internal" | null;
  };
}

/** A tool that agents use: a request to an HTTP service. */
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
    /** Call records show the argument as "•••". */
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

/** A tool, as the voice runtime offers it to the model. */
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

/** Result of a tool in a call. */
export interface ToolResult {
  result: Json;
  assignments: { [key: string]: string };
  /** At least 0. */
  durationMs: number;
  isError: boolean;
}

/** A test run of a tool, with the request and the response. */
export interface ToolRun {
  /** The request as sent, with secrets shown as "•••"; null if nothing was sent. */
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

/** One turn in the transcript of a call. */
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
  /** Language model that gave this turn of the agent; null if rules did. From 1 to 128 characters. */
  model?: string | null | undefined;
  /** Model that recognized this turn of the caller. From 1 to 128 characters. */
  sttModel?: string | undefined;
  /** Model that spoke this turn of the agent. From 1 to 128 characters. */
  ttsModel?: string | undefined;
  /** At most 10 items. */
  fallbacks?: Fallback[] | undefined;
  /** Of an answer of the agent. */
  timings?: AnswerTimings | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
}

/** One turn of a conversation, as the voice runtime reports it. */
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
  /** Language model that gave this turn of the agent; null if rules did. From 1 to 128 characters. */
  model?: string | null | undefined;
  /** Model that recognized this turn of the caller. From 1 to 128 characters. */
  sttModel?: string | undefined;
  /** Model that spoke this turn of the agent. From 1 to 128 characters. */
  ttsModel?: string | undefined;
  /** At most 10 items. */
  fallbacks?: Fallback[] | undefined;
  /** Of an answer of the agent. */
  timings?: AnswerTimings | undefined;
  createdAt?: string | undefined;
}

/** One turn of a conversation, as the voice runtime reports it. */
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
  /** Language model that gave this turn of the agent; null if rules did. From 1 to 128 characters. */
  model?: string | null | undefined;
  /** Model that recognized this turn of the caller. From 1 to 128 characters. */
  sttModel?: string | undefined;
  /** Model that spoke this turn of the agent. From 1 to 128 characters. */
  ttsModel?: string | undefined;
  /** At most 10 items. */
  fallbacks?: FallbackRequest[] | undefined;
  /** Of an answer of the agent. */
  timings?: AnswerTimingsRequest | undefined;
  createdAt?: string | undefined;
}

/** A signed-in user. */
export interface UserActor {
  type: "user";
  id: string;
}

/** A visitor of a website with a widget. */
export interface VisitorActor {
  type: "visitor";
  id: string;
  origin: string | null;
}

/** A voice that an agent can have. */
export interface Voice {
  id: string;
  name: string;
  provider: string;
  gender: "female" | "male" | "neutral" | null;
  languages: string[];
  accent: string | null;
  /** Text-to-speech models that offer this voice. */
  ttsModels: string[];
  previewUrl: string | null;
  available: boolean;
}

/** Languages, models and voices that agents can use. */
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

/** A call, as messages to webhooks carry it. */
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
    /** `seq` of the turns that prove it. At most 20 items. */
    turns?: number[] | undefined;
    /** Words of one of these turns. From 0 to 1000 characters. */
    quote?: string | undefined;
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
    /** `seq` of the turns that prove it. At most 20 items. */
    turns?: number[] | undefined;
    /** Words of one of these turns. From 0 to 1000 characters. */
    quote?: string | undefined;
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
      /** The model with whose price it was calculated. */
      model?: string | undefined;
      /** The model that was used and has no price: the general price of the kind was applied. */
      unpricedModel?: string | undefined;
      direction?: "input" | "output" | undefined;
      /** Price of `per` units; absent on calls that were priced before it existed. */
      rate?: {
        /** Millionths of a unit of currency. */
        micros: number;
        /** At least 1. */
        per: number;
      } | undefined;
    }>;
  } | null;
  /** At least 0. */
  messageCount: number;
  webhookDelivery: "none" | "pending" | "delivered" | "failed";
  /** Tool runs recorded by the platform; only when a single call is read. */
  toolRuns?: Array<{
    toolId: string;
    name: string;
    status: "ok" | "error" | "timeout";
    /** Sensitive arguments are shown as "•••"; null if too large or erased. */
    arguments: { [key: string]: Json } | null;
    /** At least 0. */
    durationMs: number;
    /** ISO 8601, UTC, milliseconds. */
    at: string;
  }> | undefined;
  /** True if the person asked not to be called again. */
  optedOut?: boolean | undefined;
  /** Number of runs beyond the first 200, at most 800. At least 0. */
  moreToolRuns?: number | undefined;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** ISO 8601, UTC, milliseconds. */
  deletedAt: string | null;
}

/** A message to a webhook, with its attempts. */
export interface WebhookDelivery {
  /** Value of the `webhook-id` header in every attempt. */
  id: string;
  callId: string;
  agentId: string | null;
  type: "call.started" | "call.ended" | "call.analyzed" | "call.failed";
  /** Order of the messages of one call. */
  sequence: number;
  /** Scheme, host and port of the receiver; the rest of the URL may contain a key. */
  origin: string;
  /** `pending` until the first attempt, `retrying` after a failed attempt, `failed` after the last one. */
  status: "pending" | "retrying" | "delivered" | "failed";
  /** When the event happened. */
  occurredAt: string;
  /** When the first attempt was due. */
  createdAt: string;
  tries: number;
  /** The last 40 attempts, oldest first. */
  attempts: Array<{
    /** ISO 8601, UTC, milliseconds. */
    at: string;
    /** Status of the response; null if there was none. */
    statusCode: number | null;
    durationMs: number;
    /** Null for a successful attempt. */
    problem: WebhookProblem | null;
  }>;
  lastProblem: WebhookProblem | null;
  /** ISO 8601, UTC, milliseconds. */
  nextAttemptAt: string | null;
  /** When deliveries to this URL were stopped, because it returned 410 or failed for five days; a redelivery resumes them. */
  receiverClosedAt: string | null;
}

/** Webhook message, signed according to Standard Webhooks. */
export type WebhookMessage = CallMessage | CallAnalyzedMessage | InitiationMessage | WebhookTestMessage;

/** Why a delivery failed. */
export interface WebhookProblem {
  code: "status" | "redirect" | "timeout" | "unreachable" | "unresolved" | "tls" | "bad_response" | "url_not_allowed" | "secret_not_found" | "call_deleted" | "endpoint_disabled" | "cannot_open" | "internal";
  /** Human-readable sentence. */
  text: string;
}

/** Which webhook gets the message again. */
export interface WebhookReplay {
  /** `recorded`: the webhook configured when the call took place. `current`: the agent's current webhook, regardless of its event filter. `recorded` unless given. */
  to?: "recorded" | "current" | undefined;
}

/** The webhook to send a test message to. */
export interface WebhookTest {
  agentId: string;
  /** URL to test instead of the saved one. The request is signed, but has none of the webhook's headers or body. From 1 to 2048 characters. */
  url?: string | undefined;
}

/** A test message of a person who sets up a webhook. */
export interface WebhookTestMessage {
  /** Identical for every attempt; also in the `webhook-id` header. */
  id: string;
  /** When it happened. */
  timestamp: string;
  apiVersion: string;
  organizationId: string;
  type: "webhook.test";
  data: {
    agentId: string;
    /** `body` of the configured webhook, with its placeholders replaced. */
    custom?: Json | undefined;
  };
}

/** Result of a test message. */
export interface WebhookTestResult {
  /** Value of the `webhook-id` header. */
  messageId: string;
  /** Scheme, host and port of the receiver; the rest of the URL may contain a key. */
  origin: string;
  /** True for a status from 200 to 299. */
  delivered: boolean;
  /** Status of the response; null if there was none. */
  statusCode: number | null;
  durationMs: number;
  problem: WebhookProblem | null;
  /** First 1,024 characters of the response, with secrets shown as "•••"; null if there was none. */
  answer: string | null;
}

/** A widget that shows an agent on websites. */
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
    /** Per 24 hours; null for no limit. From 1 to 1000000. */
    dailySessions: number | null;
  };
  queue: {
    enabled: boolean;
    /** Maximum number of visitors waiting at the same time. From 1 to 1000. */
    maxWaiting: number;
    /** Text shown to visitors while they wait. From 1 to 300 characters. */
    text: string | null;
  };
  modes: Array<"voice" | "text">;
  allowedVariables: string[];
  signedVariables?: string[] | undefined;
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

/** A conversation of a visitor with the agent of a widget. */
export interface WidgetSession {
  sessionId: string;
  mode: "voice" | "text";
  endToken: string;
  /** Null for text. */
  roomName: string | null;
  /** URL of the media server; null for text. */
  serverUrl: string | null;
  /** Token for the media server; null for text. */
  token: string | null;
  iceServers?: Array<{
    urls: string[];
    username?: string | undefined;
    credential?: string | undefined;
  }> | undefined;
  /** URL to post messages to; null for voice. */
  messagesUrl: string | null;
  /** The agent's greeting for text; null for voice, where it is spoken. */
  firstMessage: string | null;
  maxDurationSeconds: number;
  /** When the session ends at the latest. */
  expiresAt: string;
}

/** What one call can cost at most. */
export interface WorstCase {
  /** ISO 4217. */
  currency: string;
  /** Price per started minute. At least 0. */
  rateMicros: number;
  /** Calls are hung up after this time. */
  longestSeconds: number;
  /** Maximum telephony cost of one call. At least 0. */
  worstCaseMicros: number;
}
