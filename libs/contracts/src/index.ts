export {
  type KeyChangeBody,
  type NewKeyBody,
  type RotationBody,
  ShownKey,
} from './accounts/api-key-bodies.js';
export { type AuthOperation, authBodyLimit } from './accounts/auth-operation.js';
export { type AnyAuthOperation, type AuthOperationId, authOperations } from './accounts/auth-operations.js';
export { type CallablesOf, callables } from './callables.js';
export { consumersOf, type EventConsumer, eventConsumers } from './event-consumers.js';
export { apiVersion, Envelope, ErrorBody, IssueShape, StreamFailure } from './events/envelope.js';
export {
  defineEvent,
  type EventDefinition,
  EventEnvelope,
  type EventOf,
  eventSubject,
  type IntegrationEvent,
  makeEvent,
  type PersonalMembers,
  travellingData,
} from './events/event.js';
export { earlierEvents, events } from './events/events.js';
export {
  type AnsweringProcess,
  arrivalLimitMs,
  longestWorkMs,
  stopLimitMsOf,
  usualWaitLimitMs,
} from './leaving.js';
export { type McpClient, mcpCallbackPath, mcpClient, mcpClientDocumentPath } from './mcp-client.js';
export {
  type AnyOperation,
  contract,
  type OperationId,
  operationById,
  operations,
} from './operations/contract.js';
export {
  type LiveEvent,
  type LiveEventType,
  liveEventPermissions,
  liveEventsOf,
  liveEventTypes,
  type ReloadReason,
  reloadReasons,
  toldEvents,
} from './operations/live-events.js';
export {
  type Auth,
  type Bucket,
  type Callable,
  type Composed,
  type ComposedRequest,
  type Data,
  type Deprecated,
  type Input,
  isAnswered,
  isOperation,
  isReleased,
  isStreaming,
  type Mcp,
  mayAsk,
  needsVerified,
  type Operation,
  onlyReads,
  operation,
  type RequestOf,
  type Result,
  type Safety,
  type ServiceRequest,
  type StreamEvent,
  type StreamEvents,
  type StreamedEvent,
  type StreamingRow,
  serviceRequest,
  subjectOf,
  subjectsOf,
  takesIdempotencyKey,
} from './operations/operation.js';
export {
  allPermissions,
  isPermission,
  isReading,
  type Permission,
  permissionStatements,
  type Role,
  rolePermissions,
  roles,
} from './operations/permissions.js';
export { CallFacts, RoomEvent } from './service-requests/calls-logs.js';
export { type AnyServiceRequest, serviceRequests } from './service-requests/index.js';
export { CallerNumber } from './service-requests/telephony-numbers.js';
export { SealedSecret } from './service-requests/tools-secrets.js';
export { canonicalRange, parseRange } from './values/address-range.js';
export { Agent, PreviewSession, templateSlugs } from './values/agent.js';
export {
  AgentConfiguration,
  AgentConfigurationBody,
  AgentConfigurationInput,
  HeaderValue,
  Overridable,
  PersonalKind,
} from './values/agent-configuration.js';
export {
  AgentFacts,
  AgentUseFacts,
  AtStartFacts,
  CallStanding,
  OperatorLimits,
  SettingsFacts,
} from './values/agent-facts.js';
export { PreviewConversation, PreviewConversationEnd } from './values/agent-trial.js';
export { AttemptFacts } from './values/attempt-facts.js';
export { BatchPreview } from './values/batch-preview.js';
export {
  AnswerTimings,
  CallLog,
  Cost,
  DashboardSummary,
  Fallback,
  IngestInput,
  LiveCall,
  maxTranscriptTurns,
  Transcript,
  TranscriptTurn,
} from './values/call.js';
export { CallAtStart } from './values/call-at-start.js';
export { CallEndFacts, CallInRoom, CallTimelineFacts } from './values/call-facts.js';
export { CallProgress, ProgressEvent } from './values/call-progress.js';
export {
  AnalysisStatus,
  AnsweredBy,
  CallStatus,
  Channel,
  Direction,
  EndedError,
  EndedReason,
  isCancellable,
  isRetryable,
  isTerminal,
  OutboundCallMode,
  Outcome,
  outcomeOf,
  Provider,
} from './values/call-status.js';
export { type CallOfValues, valuesOfCall } from './values/call-values.js';
export { Caller } from './values/caller.js';
export { CallerView, McpConfirm } from './values/caller-view.js';
export { CampaignOutcomes } from './values/campaign-outcomes.js';
export {
  CampaignRecipient,
  RecipientReasonCode,
  RecipientState,
  WaitingReason,
} from './values/campaign-recipient.js';
export { ConfigurationVersion } from './values/configuration-version.js';
export { Initiation, InitiationResult } from './values/initiation.js';
export { parseLossless } from './values/json-number.js';
export { KnowledgeForRuntime, KnowledgeSource, Passage } from './values/knowledge.js';
export {
  McpAuthorization,
  McpCatalogEntry,
  McpConnection,
  McpConnectionInput,
  McpConnectionUpdate,
  McpExecuteResult,
  McpLoginAnswer,
  McpLoginOutcome,
  McpTool,
  McpToolForRuntime,
  McpWarning,
} from './values/mcp.js';
export {
  ModelForCall,
  ModelForService,
  ModelInput,
  type ModelKind,
  ModelTest,
  type ModelTestFailure,
  ModelUpdate,
  OrganizationModel,
} from './values/model.js';
export { NumberSearchResult, NumberStatus, PhoneNumber } from './values/number.js';
export {
  BegunPurchase,
  NumberHold,
  NumberPurchaseFacts,
  NumberReleaseFacts,
} from './values/number-facts.js';
export { admitsOrigin } from './values/origin.js';
export { Attempt, ColumnMapping, OutboundCall, OutboundCallStatusView } from './values/outbound-call.js';
export { ErasureState, PersonCounts, PersonErasureStep } from './values/person.js';
export {
  fillText,
  type ImpossiblePlaceholder,
  impossiblePlaceholders,
  impossiblePlaceholdersIn,
  isEmptyValue,
  type PlacedText,
  placeholderProblem,
  placeholdersIn,
  replacePlaceholders,
  type SystemName,
  textsIn,
  type Values,
  withoutEmptyValues,
} from './values/placeholders.js';
export { RecordingUpload, RecordingUploadInput, recordingTypes } from './values/recording.js';
export {
  type AgentAtStart,
  type AnsweredTurn,
  BrowserRoom,
  CallContext,
  type ConfigurationForRuntime,
  callContext,
  RuntimeConfig,
  roomMetadataOf,
  TelephoneRoom,
  TextTurnRequest,
  textTurnEvents,
} from './values/runtime.js';
export type { SecretMentionsReport, SecretUses } from './values/secret-mentions.js';
export { maxSecretOrigins, originOfUrl } from './values/secret-origin.js';
export { type ServiceName, serviceNames } from './values/service-name.js';
export { platformProcesses, releasedServices } from './values/services.js';
export { countryCodes, Settings, SettingsChange, VersionedSettings } from './values/settings.js';
export { Spend } from './values/spend.js';
export { StorageUse } from './values/storage.js';
export { Suppression, SuppressionFact } from './values/suppression.js';
export {
  isVisible,
  metadata,
  name,
  queryInteger,
  storableJson,
  storableText,
  storedJson,
  stringMap,
  text,
  uuid,
  wholeNumbers,
} from './values/text.js';
export { timeZoneNamed, timeZoneProblem, timeZones } from './values/time-zone.js';
export {
  CallTimeline,
  CallTimelineEntry,
  mostTimelineEntries,
  OutboundCallTimeline,
  OutboundTimelineEntry,
} from './values/timeline.js';
export {
  ExecutedTool,
  ResourceRef,
  SecretRecord,
  shownResult,
  Tool,
  ToolForRuntime,
  ToolInput,
  type ToolParameter,
  ToolResult,
  ToolRun,
  ToolUpdate,
} from './values/tool.js';
export { ToolRunFacts, ToolTestFacts, ToolValues } from './values/tool-facts.js';
export {
  type AssignedValue,
  assignedAfter,
  endOfRun,
  maxAssignedVariables,
  type VariablesOfCall,
  valuesOf,
  variablesOfCall,
} from './values/variables.js';
export { ModelOption, Voice, VoiceCatalog } from './values/voice-catalog.js';
export {
  CallAnalyzedMessage,
  CallMessage,
  InitiationMessage,
  WebhookMessage,
  WebhookTestMessage,
  webhookMessages,
} from './values/webhook.js';
export {
  WebhookDelivery,
  WebhookDeliveryStatus,
  type WebhookProblem,
  WebhookProblemCode,
  WebhookTestResult,
} from './values/webhook-delivery.js';
export {
  PublicWidgetConfig,
  Widget,
  WidgetInput,
  WidgetMessageInput,
  type WidgetMode,
  WidgetQueuePlace,
  WidgetSession,
  WidgetSessionEnd,
  WidgetSessionInput,
  WidgetUpdate,
} from './values/widget.js';
