// The prose of the page for authors of voice runtimes, in Markdown. Operations and schemas come from the contract.

export const opening = `# The voice-runtime protocol

A voice runtime holds the conversations: it joins the room of a call at the media server, listens, thinks and speaks. The
platform tells it what to run with, runs tools and searches knowledge for it, and takes the finished call over. This page is
written by \`npm run gen\` from the contract (\`libs/contracts/src/values/runtime.ts\`); the tables below are the schemas
themselves. The runtimes under \`runtime\` and \`sandbox\` speak it, and parse each message with these schemas. \`runtime/process\`
answers conversations in text; a runtime of your own can take its place, or reuse \`runtime/conversation\`, which has a client of this
protocol and the dialogue.

## A call from its dispatch to its hand-over

\`\`\`mermaid
sequenceDiagram
  participant P as Platform
  participant L as LiveKit
  participant R as Voice runtime
  participant C as Caller or callee
  P->>L: makes the room, metadata as below
  P->>L: dispatches the agent with the CallContext
  L->>R: job with the CallContext
  Note over C,R: a call that comes in: the job has no CallContext, the called number names the agent
  R->>P: GET /agents/internal-config/{agentId}?callId= (or number-config/{phoneNumber})
  P-->>R: RuntimeConfig with the token of the call
  R->>L: joins the room
  L->>C: speech
  C->>L: speech
  R->>P: POST /runtime/calls/{callId}/knowledge (Bearer call token)
  P-->>R: passages
  R->>P: POST /runtime/calls/{callId}/tools/{toolName} (Bearer call token)
  P-->>R: result for the model
  C->>L: hangs up
  R->>L: deletes the room
  R->>P: POST /runtime/calls/{callId}/recording, where the agent records
  P-->>R: storageKey and an address of the object storage
  R->>P: PUT of the file to that address
  R->>P: POST /calls: the whole call, which replaces all that was told before
\`\`\`

**A call that the platform starts** (a telephone call out, a preview) carries its \`CallContext\` in the metadata of the agent's
dispatch. The runtime then asks \`internal-config\` with the \`agentId\` and the \`callId\` of it.

**A call that comes in** is dispatched by a rule of the media server, with \`{}\` as metadata. The runtime waits for the SIP
participant, reads the called number from its attribute \`sip.trunkPhoneNumber\` and the caller's from \`sip.phoneNumber\`,
chooses a \`callId\` (a UUID), and asks \`number-config\`. Before it joins, it writes the metadata of the room: the
\`TelephoneRoom\` below, with \`direction: "inbound"\`. From then on the call is on record.

Members of \`CallContext\` that are set (\`firstMessage\`, \`systemPrompt\`, \`language\`, \`voiceId\`) come before the
configuration's. \`dynamicVariables\` come before the defaults in \`config.variables\`, which hold the variables of the initiation
webhook already. \`assignments\` in the answer of a tool come before both from then on. An empty value counts as absent: the
default holds, or the fallback in \`{{name | fallback}}\`.

Hand over the \`dynamicVariables\` that the call came with. The platform adds those of the initiation webhook and of its tools to the
record and to the webhook after the call. It also adds a turn for each tool that it ran and that no turn of the hand-over names.

A telephone whose SIP service has died stays in the room for up to half a minute. An agent that hears nothing cannot tell it from a
silent person. Hand over \`media_failure\`, with the last moment at which the telephone was alive as \`endedAt\`. The runtimes of the
sandbox call a method of the telephone before they hang up (\`performRpc\`): a live one refuses the unknown method at once.

## A browser in the room

A preview and a visitor of a website join the room with a browser: a participant of the kind \`STANDARD\` with a microphone. The
call is answered when this participant is there. LiveKit's framework for agents does by itself what the page reads:

| what | where | content |
|---|---|---|
| captions of both sides | text stream, topic \`lk.transcription\` | the words; attributes \`lk.segment_id\`, \`lk.transcription_final\` (\`true\` or \`false\`), \`lk.transcribed_track_id\` |
| typed words of the visitor | text stream to the agent, topic \`lk.chat\` | one message, plain text |
| state of the agent | attribute \`lk.agent.state\` of the agent | \`initializing\`, \`listening\`, \`thinking\` or \`speaking\` |

- A sentence of the agent is a stream that grows while the sentence sounds, with \`lk.transcription_final: "false"\`. A later
  stream with the same segment id replaces it. The last one is whole, with \`"true"\`.
- A turn of the visitor is a stream with the visitor's identity as its sender. Words that were typed are not sent back.
- A browser whose network failed comes back within seconds, as a new participant with the same identity.
- Hand over \`user_hangup\` when the visitor or the telephone has left, also before the runtime joined, and \`max_duration_reached\`
  after the \`maxDurationSeconds\` of the \`CallContext\`. The platform deletes the room a moment later if the runtime has not.

## Recordings

A runtime records a call when \`config.recording.enabled\` is true, and only then. With the consent \`announce\` it says the
\`announcement\` before its first message. With \`verbal\` it asks before its first message, in the words of the \`announcement\` where there is one, and
records once the other party has agreed. The hand-over has the outcome as \`consent\`: \`granted\` is true, false, or null without a
clear answer, and \`at\` is the time of the answer.

1. The call is over: the runtime asks \`POST /runtime/calls/{callId}/recording\` with the content type and the exact size of the file.
2. It puts the file to \`uploadUrl\` with that \`Content-Type\`. The address is good for 15 minutes. Another size or type is refused
   by the storage. An address that has ended is asked for again, with the token of the call: ten minutes after the end at the latest.
3. The hand-over names the file: \`recording\` with the \`storageKey\`, the length, the number of channels, and the SHA-256 of the file in
   hexadecimal digits.

- A call whose configuration hides personal data (\`redaction.kinds\`) is not recorded, announced or asked about: the hand-over drops the recording of
  such a call.
- Two channels have the agent on the left and the other party on the right. The beginning of the recording is the answer of the call, because
  \`startMs\` of a turn is where the console plays it from.
- A runtime with credentials of its own, such as LiveKit Egress, may write to the bucket itself, under
  \`org/<organization>/recordings/<call>/\`. The hand-over refuses any other key.
- A file that no hand-over names is deleted after seven days. The others are deleted after the \`retentionDays\` of the configuration that the
  call ran with, and when the call is deleted.
- Where the upload fails, the call is handed over without a recording. 503 \`STORAGE_UNAVAILABLE\` says that no storage is there, or that it does
  not answer.

## Personal data

Where \`config.redaction.kinds\` names kinds of personal data, hide them before turns, logs and traces leave the runtime. The dialogue, the
tools and the person of the conversation need the real words: do not hide captions in the room or the words of \`text\`. The platform hides
the same kinds in everything that it stores, whatever the runtime sends. The runtimes of the repository use \`libs/redaction\`.

## What is a secret, and what a room may carry

Each participant of a room can read the room's metadata, the metadata and attributes of all participants, and the claims of
the token that it joined with itself. A website's visitor is a participant too. Therefore:

| place | read by | may hold |
|---|---|---|
| room metadata, preview or widget | each participant | \`BrowserRoom\`: the id of the call |
| room metadata, telephone call | each participant | \`TelephoneRoom\`: ids and numbers of the call's record |
| attributes and metadata of participants | each participant | what the media server and the carrier write there; nothing of the platform |
| token of a participant | its holder | identity and room |
| metadata of the dispatch | the job of the agent | \`CallContext\` |
| answer of the platform | the runtime | \`RuntimeConfig\` |

Prompts, variables, the metadata of a request and tokens never leave the last two rows. A runtime must not copy them into
the first four. LiveKit's framework for agents does so by itself: on the topic \`lk.agent.session\` it tells the person in the
room its agent's instructions.

The platform may have an address for runtimes alone (\`INTERNAL_PORT\` of the gateway): compose and the manifests do, at the port 4710. The
paths are the same there, and the open address then answers 404 to the internal key.

The runtime holds two credentials. The internal key (\`INTERNAL_API_KEY\`, header \`x-internal-key\`) is its own: it asks for
configurations and hands calls over. The call token (\`runtime.callToken\`, \`Authorization: Bearer\`) is good for one call: it
runs the tools of that call's agent, searches its knowledge, tells the progress of the call and uploads its recording. It opens nothing else. The
path must name the call of the token. No answer holds a secret of an organization in the clear: tools come as schemas, webhooks
not at all, and the platform puts secrets into a request in the process that sends it. Only the keys of the organization's own
models reach the runtime, because it is the process that sends requests to them. They come sealed, as follows.

## Models of an organization

An \`sttModel\`, \`llmModel\` or \`ttsModel\` that starts with \`custom/\` may be the organization's own. Its address and its key are
in the answer of \`POST /runtime/calls/{callId}/models\`, which takes the internal key and the token of the call, and answers the models of
that call's agent alone. A model that the answer does not have is the operator's, or is gone.

1. For each request the runtime makes an X25519 key pair, and sends its public key.
2. \`sealedKey\` is, in base64url: a public key of one use (44 bytes, SPKI in DER), a nonce (12 bytes), the ciphertext, and a tag (16
   bytes) of AES-256-GCM. The AES key is HKDF-SHA256 of the X25519 secret, with that public key as its salt and
   \`parlance key of a model\` as its info, 32 bytes. The additional data is the JSON text
   \`["model",callId,id,origin]\`, with the origin of \`baseUrl\`. A key opens for its call, its model and its origin alone.
3. The key is for requests to that origin. The runtime keeps it in memory while the call lasts, and writes it nowhere: no log, no trace,
   no room, no hand-over. It follows no redirect with it.
4. An organization's address must not reach the runtime's own network. Resolve its name, refuse addresses that are not public, and
   connect to the address that was checked. \`EGRESS_ALLOW_PRIVATE\` names the exceptions.
5. A model with \`isUsable: false\`, or one that fails, is replaced by its \`fallbacks\`: models of the same answer, or of the catalog.

## Time

- \`internal-config\` and \`number-config\` answer within 10 seconds. The initiation webhook of the agent is asked meanwhile and
  may take up to 7 of them; tools and knowledge are waited for 1.5 seconds. A part whose service is away is left out, and
  \`warnings\` says so: the call starts without it.
- The call token lasts for the configuration's \`limits.maxDurationSeconds\`, ten minutes for what follows the call, and
  three minutes of ringing. It is null when no \`callId\` was named, when the call has ended, and when it is the call of
  another agent or another organization.
  Clocks may differ by a minute.
- A tool ends after its \`timeoutMs\` at the latest, with \`isError: true\` and a result that the model can be told. Wait five
  seconds longer than that. Arguments that do not fit the tool's parameters are answered in the same way.
- A search takes milliseconds; give up after a few seconds and go on without passages.
- 429 and 503 carry \`Retry-After\`. Repeat a question for a configuration while the caller can wait; never repeat a tool by
  yourself, because it may have done its work.
- A runtime that analyzes the call itself sends its results (\`dataCollected\`, \`evaluation\`, \`summary\`, \`successful\`), and they are
  kept. Without results the platform analyzes the transcript; \`analysisStatus: skipped\` declines that. \`turns\` and \`quote\` of a
  result name the turns that prove it.
- A turn says what answered it: \`model\` (null for rules) and \`ttsModel\` of the agent's, \`sttModel\` of the caller's, and
  \`fallbacks\` for each model that was replaced. \`timings\` of an answer are steps that do not overlap; of a spoken answer they add up
  to its \`latencyMs\`. Report a turn as an event when it is over: pages that follow the call read it then.
- \`usage\` may name the \`model\` of the catalog. Send the tokens of prompts and of answers as two lines, with \`direction\`.
- A person in a telephone call who asks not to be called again: request \`POST /runtime/calls/{callId}/do-not-call\` at once, confirm it, and hand
  over \`optedOut: true\` whatever the answer was. The number is put on the do-not-call list by either.
  End an outbound call after the confirmation, even if the model or the person continues.
- Repeat the hand-over with the same \`eventId\` until it is answered: it is taken once.
`;

export const operationsIntroduction = `## Operations

Addresses are relative to \`runtime.baseUrl\` (before the first answer: the public address of the gateway and \`/api/v1\`). Answers
are \`{ success, message, data }\`; errors are \`{ success: false, message, error: { code, details?, requestId, retryable? } }\`.
Besides the codes listed, every operation can answer \`VALIDATION_ERROR\`, \`RATE_LIMITED\`, \`SERVICE_UNAVAILABLE\`,
\`UPSTREAM_TIMEOUT\` and \`INTERNAL_ERROR\`.
`;

export const textTurnsIntroduction = `## Conversations in text

A visitor of a website, or somebody who tries an agent, can write instead of talking. Such a conversation has no room. The platform keeps it, and asks the runtime for
one turn after the other: it posts to the address \`TEXT_RUNTIME_URL\` of the installation, with \`/text-turns\` behind it. The
runtime of the repository does that (\`runtime/process\`); under \`npm start\` it answers unless \`TEXT_RUNTIME_URL\` names another. A
runtime that serves no text needs none of this; widgets then offer voice alone.

- The body has the context of the call and all turns so far; the last one is the message to answer. The runtime keeps nothing
  between two requests, so the next one may reach another replica of it.
- The runtime asks \`internal-config\` with \`agentId\` and \`callId\`, as in voice, and uses tools and knowledge with the token of
  the call. It tells no events and hands nothing over: the platform does both.
- The words of \`text\` reach the visitor at once. The turn of the agent says all of them; a turn of a tool comes when the tool has
  run. The platform numbers and times the turns. \`model\` of the agent's turn names the language model that answered.
- The first message of the agent is not asked for: the platform takes it from the configuration.
- The platform closes the connection when the visitor leaves, when the conversation ends, and after 90 seconds. The runtime then
  stops its work. An answer has 256 KiB and 20 turns at most.
- A status of 429 or 5xx says that the runtime cannot answer now. The platform repeats no request: the visitor may write again.
`;

export const schemasIntroduction = `## Schemas

A member with a question mark may be absent. Readers pass over members that they do not know: later releases may add some.
`;
