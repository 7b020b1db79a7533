// The modes of the hostile server. The first part of the path chooses one.

export const hostileModes = [
  /** Behaves; for comparison. */
  'honest',
  /** Is far away: every answer is a stream that comes 300 ms after its request. */
  'distant',
  /** Takes the first request and never answers. */
  'hang-on-connect',
  /** Lists its tools, and never answers a call. */
  'hang-on-call',
  /** Breaks the connection in the middle of the answer to a call. */
  'die-mid-answer',
  /** Answers the first call of each session, and knows the session no more. */
  'forgets-sessions',
  /** Answers a call with 50 MB. */
  'huge-answer',
  /** Answers the list of tools with 50 MB. */
  'huge-list',
  /** Answers under another id than it was asked. */
  'wrong-ids',
  /** Answers with a body that is no JSON. */
  'no-json',
  /** Answers with JSON that is no JSON-RPC. */
  'no-json-rpc',
  /** Its tools read differently at each look. */
  'changing-tools',
  /** Redirects every request to the address that the server was started with. */
  'redirect',
  /** Answers a call with a byte each second. */
  'slow-loris',
  /** Sends 20,000 notifications before it answers a call. */
  'notification-flood',
  /** Sends messages without end, and no answer, as fast as they are read. */
  'endless-stream',
  'schema-bomb',
  'ten-thousand-tools',
  /** Has another page of tools for every page that is read. */
  'endless-pages',
  'unusable-names',
  'hidden-instructions',
] as const;

export type HostileMode = (typeof hostileModes)[number];

export const isHostileMode = (text: string): text is HostileMode =>
  hostileModes.some((mode) => mode === text);
