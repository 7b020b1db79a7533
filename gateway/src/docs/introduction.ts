// The introduction for readers of the API documentation, before their first request.

/** Markdown. */
export const introduction = `A self-hosted platform for voice agents: agents and their configuration, telephone numbers, calls in and out, call logs and transcripts.

**Answers.** \`{ success: true, message, data }\`; lists with more to come carry \`nextCursor\` beside \`data\`. Errors are \`{ success: false, message, error: { code, details?, requestId, retryable? } }\`; branch on \`code\`, never on \`message\`.

**Signing in.** Send an API key in \`x-api-key\`, or the session cookie that \`POST /auth/sign-up/email\` \`{ name, email, password }\` and \`POST /auth/sign-in/email\` \`{ email, password }\` set. A change that rides on the cookie needs an \`Origin\` header with an address of this platform. When both are sent, the key decides.

**Who may come in.** An operator decides who may sign up (\`SIGN_UP\`): anybody, invited addresses, or no more accounts (403 \`SIGN_UP_CLOSED\`). A session whose e-mail address is not verified may look and configure; operations marked \`x-verified-address\` answer it 403 \`EMAIL_NOT_VERIFIED\`. An organization can require a second factor of its members' sessions: 403 \`SECOND_FACTOR_REQUIRED\` until \`POST /auth/two-factor/enable\` and \`POST /auth/two-factor/verify-totp\` have set one up.

**API keys.** An owner or admin who is signed in makes one with \`POST /auth/api-key/create\` \`{ name, permissions, expiresIn?, allowedAddresses? }\`, permissions being a list such as \`["agent:read", "callLogs:read"]\` or \`["*"]\`. The answer holds the key, once. It lives 365 days unless \`expiresIn\` (seconds, null for ever) says otherwise, is good from \`allowedAddresses\` alone where they are given, and falls when its maker leaves the organization or loses a permission that it carries. \`POST /auth/api-key/rotate\` \`{ keyId, keepPreviousForSeconds? }\` makes the next one; \`GET /auth/api-key/list\`, \`POST /auth/api-key/update\` and \`POST /auth/api-key/delete\` \`{ keyId }\` manage them. A key that has stopped stays in the list with its \`disabledReason\`, and stops working within five seconds.

**Limits.** Counted per organization and per key, and told in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds); 429 carries \`Retry-After\`.

**Repeating.** Every POST of an organization takes an \`Idempotency-Key\`, and so do those under \`/auth\` that make a key, an organization or an invitation: the same key with the same body gives the same answer with \`Idempotent-Replayed: true\`, with another body 422, while the first still runs 409.`;
