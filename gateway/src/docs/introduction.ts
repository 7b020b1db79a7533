// The introduction for readers of the API documentation, before their first request.

/** Markdown. */
export const introduction = `A self-hosted platform for voice agents: agents and their configuration, phone numbers, inbound and outbound calls, call logs and transcripts.

**Responses.** \`{ success: true, message, data }\`; a list that has more pages also returns \`nextCursor\`. Errors are \`{ success: false, message, error: { code, details?, requestId, retryable? } }\`. Handle errors by \`code\`, never by \`message\`.

**Authentication.** Send an API key in the \`x-api-key\` header, or the session cookie set by \`POST /auth/sign-up/email\` \`{ name, email, password }\` and \`POST /auth/sign-in/email\` \`{ email, password }\`. With a cookie, every request that changes something needs an \`Origin\` header with an address of this platform. If both are sent, the API key is used.

**Accounts.** The operator decides who can sign up (\`SIGN_UP\`): anyone, invited addresses only, or no one (403 \`SIGN_UP_CLOSED\`). A session whose email address is not verified can read and configure, but operations marked \`x-verified-address\` return 403 \`EMAIL_NOT_VERIFIED\`. An organization can require a second factor from its members: their sessions get 403 \`SECOND_FACTOR_REQUIRED\` until one is set up with \`POST /auth/two-factor/enable\` and \`POST /auth/two-factor/verify-totp\`.

**API keys.** A signed-in owner or admin creates a key with \`POST /auth/api-key/create\` \`{ name, permissions, expiresIn?, allowedAddresses? }\`, where permissions is a list such as \`["agent:read", "callLogs:read"]\` or \`["*"]\`. The key is returned only in that response. It expires after 365 days unless \`expiresIn\` (seconds; null for never) is set, works only from \`allowedAddresses\` if they are set, and is revoked when its creator leaves the organization or loses one of its permissions. \`POST /auth/api-key/rotate\` \`{ keyId, keepPreviousForSeconds? }\` replaces a key; \`GET /auth/api-key/list\`, \`POST /auth/api-key/update\` and \`POST /auth/api-key/delete\` \`{ keyId }\` manage keys. A revoked key stops working within five seconds and stays in the list with its \`disabledReason\`. Operations marked \`x-permission-of-members\` act although their permission only reads: members need that permission too. A key needs it, or any permission beyond reading, except for \`POST /mcp/connections/{mcpConnectionId}/tools/{toolName}/execute\` and \`POST /agents/{agentId}/preview-session\`, where the listed permission is enough. Access tokens for MCP are not accepted here (403 \`TOKEN_FOR_MCP_ONLY\`).

**Secrets.** A secret is sent only to its \`allowedOrigins\`. A request that names one for another origin returns 403 \`SECRET_ORIGIN_NOT_ALLOWED\` with the origin in \`details\`, unless the caller has \`secrets:use\`: then the origin is allowed from that moment on. A masked header value (\`•••\`) cannot be kept for another origin (422 \`HEADER_VALUE_NEEDED\`).

**Rate limits.** Limits apply per organization and per key. Responses report them in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds); a 429 also has \`Retry-After\`.

**Idempotency.** Every POST within an organization accepts an \`Idempotency-Key\` header, and so do those under \`/auth\` that create a key, an organization or an invitation. The same key with the same body returns the original response with \`Idempotent-Replayed: true\`; with a different body it returns 422, and while the first request is still running, 409.`;
