// The one list of error codes: each has one status and one public sentence that is safe to show to any person.

interface CodeRow {
  readonly status: number;
  readonly message: string;
  /** Trying the same request again later can succeed. */
  readonly retryable?: true;
}

const table = {
  // 400: the request itself is wrong.
  VALIDATION_ERROR: { status: 400, message: 'The request is not valid.' },
  INVALID_PHONE_NUMBER: {
    status: 400,
    message: 'This is not a phone number in E.164 form, such as +14155550100.',
  },
  CONFIG_GROUP_INCOMPLETE: { status: 400, message: 'A required part of the agent configuration is missing.' },
  INVALID_ORIGIN: {
    status: 400,
    message: 'An origin must be a scheme and a host, such as https://example.com.',
  },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON.' },
  JSON_TOO_DEEP: { status: 400, message: 'The body is nested too deeply.' },
  INVALID_CURSOR: { status: 400, message: 'The cursor is not valid for this list.' },
  INVALID_RANGE: { status: 400, message: 'The date range is not valid.' },
  QUOTE_REQUIRED: { status: 400, message: 'A price quote from a number search is required.' },
  QUOTE_INVALID: { status: 400, message: 'The price quote is not valid for this purchase.' },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'An Idempotency-Key has 1 to 255 printable ASCII characters.',
  },
  // 401: the requester is not known.
  UNAUTHENTICATED: { status: 401, message: 'Sign in, or send a valid API key in the x-api-key header.' },
  INVALID_INTERNAL_KEY: { status: 401, message: 'This operation needs a valid internal key.' },
  INVALID_END_TOKEN: { status: 401, message: 'The end token does not belong to this session.' },
  INVALID_VISITOR_TOKEN: { status: 401, message: 'The visitor token is missing or not valid.' },
  INVALID_SIGNATURE: { status: 401, message: 'The signature of this message is not valid.' },
  // 402
  INSUFFICIENT_BALANCE: { status: 402, message: 'The balance does not cover this purchase.' },
  SPEND_LIMIT_REACHED: { status: 402, message: 'This would cost more than may be spent.' },
  // 403: you may not.
  PERMISSION_DENIED: { status: 403, message: 'You do not have the permission that this operation needs.' },
  OWNER_SESSION_REQUIRED: { status: 403, message: 'Only an owner or admin who is signed in can do this.' },
  NO_ACTIVE_ORGANIZATION: { status: 403, message: 'Choose an active organization first.' },
  SECRET_ORIGIN_NOT_ALLOWED: {
    status: 403,
    message:
      'A secret may not be sent to this origin yet. An owner or admin can allow the origin for the secret.',
  },
  TOKEN_FOR_MCP_ONLY: {
    status: 403,
    message: 'This access token is for MCP alone. Use an API key for the REST interface.',
  },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'This origin is not allowed.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Verify your e-mail address first.' },
  SIGN_UP_CLOSED: { status: 403, message: 'Sign-up is not open. Ask for an invitation.' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'This organization requires a second factor.' },
  // 404: absent, or of another organization; the two are never told apart.
  NOT_FOUND: { status: 404, message: 'There is nothing here.' },
  TEMPLATE_NOT_FOUND: { status: 404, message: 'No agent template has this id.' },
  CONFIG_NOT_FOUND: { status: 404, message: 'This agent has no saved configuration yet.' },
  CONFIG_VERSION_NOT_FOUND: { status: 404, message: 'The configuration has no version with this number.' },
  AGENT_NOT_FOUND: { status: 404, message: 'No agent has this id.' },
  NUMBER_NOT_FOUND: { status: 404, message: 'No such phone number belongs to this organization.' },
  CALL_NOT_FOUND: { status: 404, message: 'No call has this id.' },
  LIVE_CALL_NOT_FOUND: { status: 404, message: 'No live call has this room name.' },
  OUTBOUND_CALL_NOT_FOUND: { status: 404, message: 'No outbound call has this id.' },
  CONVERSATION_NOT_FOUND: { status: 404, message: 'No conversation of yours has this id.' },
  CAMPAIGN_NOT_FOUND: { status: 404, message: 'No campaign has this id.' },
  KNOWLEDGE_SOURCE_NOT_FOUND: { status: 404, message: 'No knowledge source has this id.' },
  TOOL_NOT_FOUND: { status: 404, message: 'No tool has this id.' },
  SECRET_NOT_FOUND: { status: 404, message: 'No secret has this id.' },
  MODEL_NOT_FOUND: { status: 404, message: 'No model has this id.' },
  WIDGET_NOT_FOUND: { status: 404, message: 'No widget has this id.' },
  MCP_CONNECTION_NOT_FOUND: { status: 404, message: 'No MCP connection has this id.' },
  MCP_TOOL_NOT_FOUND: { status: 404, message: 'The connected server has no such tool.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'No message to a webhook has this id.' },
  UPLOAD_NOT_FOUND: { status: 404, message: 'No uploaded file has this key.' },
  // HTTP manners
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not answer this method.' },
  NOT_ACCEPTABLE: { status: 406, message: 'This operation answers in no format that the request accepts.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  // 409: not in this state.
  CONFLICT: {
    status: 409,
    message: 'Somebody else changed this at the same time. Read it again and retry.',
    retryable: true,
  },
  NAME_TAKEN: { status: 409, message: 'This name is taken.' },
  VERSION_CONFLICT: { status: 409, message: 'A newer version exists. Read it and try again.' },
  AGENT_IN_USE: { status: 409, message: 'The agent has a live call or an unfinished campaign.' },
  AGENT_INACTIVE: { status: 409, message: 'The agent is not active.' },
  AGENT_NOT_CONFIGURED: { status: 409, message: 'The agent has no saved configuration yet.' },
  TEXT_RUNTIME_NOT_CONFIGURED: {
    status: 409,
    message: 'This installation has no voice runtime that answers text.',
  },
  NUMBER_UNAVAILABLE: { status: 409, message: 'This number can no longer be bought.' },
  NUMBER_IN_USE: { status: 409, message: 'The number is used by an unfinished campaign.' },
  QUOTE_ALREADY_USED: { status: 409, message: 'The price quote has been used.' },
  CALL_NOT_CANCELLABLE: { status: 409, message: 'The call has ended and cannot be cancelled.' },
  CALL_NOT_RETRYABLE: { status: 409, message: 'Only a failed, busy or unanswered call can be retried.' },
  CALL_NOT_DELETABLE: {
    status: 409,
    message: 'The call has not ended. Cancel it, or wait for its end.',
  },
  WEBHOOK_DELIVERY_PENDING: { status: 409, message: 'The message is about to be sent already.' },
  WEBHOOK_NOT_CONFIGURED: { status: 409, message: 'The agent has no webhook for messages about calls.' },
  CAMPAIGN_NOT_CANCELLABLE: { status: 409, message: 'The campaign has ended and cannot be cancelled.' },
  SECRET_IN_USE: { status: 409, message: 'The secret is in use.' },
  MODEL_IN_USE: { status: 409, message: 'The model is in use.' },
  INGEST_CONFLICT: { status: 409, message: 'This call was already recorded with different facts.' },
  ORGANIZATION_IN_USE: { status: 409, message: 'The organization still owns numbers or runs campaigns.' },
  LAST_OWNER: {
    status: 409,
    message:
      'You are the last owner of an organization with other members. Make another member an owner first.',
  },
  MCP_TOOL_NOT_APPROVED: {
    status: 409,
    message: 'The tool is new, changed or suspicious, and has to be approved before it is used.',
  },
  MCP_AUTH_REQUIRED: { status: 409, message: 'The MCP server wants the connection to be authorized again.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
    retryable: true,
  },
  CONFIRMATION_INVALID: {
    status: 409,
    message: 'This confirmation is not good for this. Ask again without one, and confirm the answer.',
  },
  CONFIRMATION_DECLINED: { status: 409, message: 'A person was asked and did not agree. Nothing was done.' },
  // 410
  QUOTE_EXPIRED: { status: 410, message: 'The price quote has expired. Search again.' },
  QUEUE_PLACE_LOST: { status: 410, message: 'The place in the queue is lost. Ask again without a ticket.' },
  UPLOAD_EXPIRED: { status: 410, message: 'The upload has expired. Ask for a new upload address.' },
  SESSION_ENDED: { status: 410, message: 'The conversation has ended.' },
  // 422: well formed, but a rule refuses it.
  CONSENT_REQUIRED: { status: 422, message: 'The visitor has to consent first.' },
  MODE_NOT_OFFERED: { status: 422, message: 'The widget does not offer this kind of conversation.' },
  SECRET_REFERENCE_NOT_ALLOWED: { status: 422, message: 'A secret cannot be referred to here.' },
  HEADER_VALUE_NEEDED: {
    status: 422,
    message: 'A stored header value was given for another origin. Give the value again.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used for a different request.' },
  URL_NOT_ALLOWED: { status: 422, message: 'This URL is not allowed.' },
  DESTINATION_NOT_ALLOWED: { status: 422, message: 'This destination may not be called.' },
  SUPPRESSED_DNC: { status: 422, message: 'This number is on the suppression list.' },
  OUTSIDE_CALLING_WINDOW: { status: 422, message: 'This is outside the calling window.' },
  CALLER_NUMBER_NOT_OWNED: { status: 422, message: 'The organization does not own this caller number.' },
  UNKNOWN_REFERENCE: { status: 422, message: 'The request refers to something that does not exist.' },
  LIMIT_TOO_HIGH: { status: 422, message: 'This is more than the operator of this platform allows.' },
  QUOTA_REACHED: {
    status: 422,
    message: 'The organization has stored as much as the operator of this platform allows.',
  },
  // 429
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.', retryable: true },
  CONCURRENCY_LIMIT: {
    status: 429,
    message: 'The organization has as many calls in progress as it may have.',
    retryable: true,
  },
  WIDGET_BUDGET_EXCEEDED: { status: 429, message: 'The widget has used its budget.', retryable: true },
  PROVIDER_RATE_LIMITED: {
    status: 429,
    message: 'The telephony provider asks us to slow down.',
    retryable: true,
  },
  // 5xx
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  NOT_IMPLEMENTED: { status: 501, message: 'This part of the interface is not part of this release yet.' },
  PROVIDER_ERROR: { status: 502, message: 'The provider refused or failed.' },
  RUNTIME_ERROR: { status: 502, message: 'The agent could not answer.' },
  MCP_SERVER_ERROR: { status: 502, message: 'The MCP server failed.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'This part of the platform is not available right now.',
    retryable: true,
  },
  NEWER_RELEASE_NEEDED: {
    status: 503,
    message: 'A newer release of the platform has written this. It works again when the upgrade is done.',
    retryable: true,
  },
  NOT_READY: { status: 503, message: 'The platform is not ready.', retryable: true },
  STORAGE_UNAVAILABLE: { status: 503, message: 'File storage is not available right now.', retryable: true },
  PROVIDER_UNAVAILABLE: { status: 503, message: 'The provider is not available right now.', retryable: true },
  RUNTIME_UNAVAILABLE: {
    status: 503,
    message: 'The agent is not available right now.',
    retryable: true,
  },
  UPSTREAM_TIMEOUT: { status: 504, message: 'This took too long.', retryable: true },
  PROVIDER_TIMEOUT: { status: 504, message: 'The provider took too long to answer.' },
  MCP_TIMEOUT: { status: 504, message: 'The MCP server took too long to answer.' },
} as const satisfies Record<string, CodeRow>;

/** A stable, documented name for a way to fail. */
export type ErrorCode = keyof typeof table;

/** Code to status, public sentence, and whether a retry can help. */
export const errorCodes: Readonly<Record<ErrorCode, CodeRow>> = table;

/** True for a code of this list, for example of a string that came over the wire. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(table, value);
