// The settings that a program gives the client, and the answers that it gets back.

/** The address of the platform, the credentials of the client, and its patience. */
export interface ClientOptions {
  /** The address of the interface, with its version, such as https://voice.example.com/api/v1. */
  readonly baseUrl: string;
  /** An API key of an organization. */
  readonly apiKey?: string;
  /** A token: of one call, for its voice runtime, or of an application that a person has let in. */
  readonly bearer?: string;
  /** The session of a person who signed in, for programs outside of a browser: `cookie` of the answer to signing in. */
  readonly cookie?: string;
  /** In a browser: the session of the person who is signed in there. */
  readonly session?: boolean;
  /** The internal key, for voice runtimes. */
  readonly internalKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** The longest that one attempt may take, and that a stream may be silent: 30,000 ms by default. */
  readonly timeoutMs?: number;
  /**
   * The longest that a request may take in all, with its repetitions and the waits between them: 90,000 ms by default.
   */
  readonly totalTimeoutMs?: number;
  /**
   * The most repetitions of a request, where repeating is safe: 3 by default; 0 turns it off. Reads are safe, and so is
   * every operation that takes an Idempotency-Key, which the client makes itself where none is given.
   */
  readonly retries?: number;
  /** The longest wait before the first repetition; it doubles with each further one, up to 8 seconds. 250 ms unless said. */
  readonly retryDelayMs?: number;
}

/** Options of one request alone. */
export interface CallOptions {
  /** Makes a repeated request harmless, also after this program was started again. 1 to 255 printable characters. */
  readonly idempotencyKey?: string;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly retries?: number;
}

/** The envelope of an answer, and the values of its headers. */
export interface ApiAnswer<Data> {
  readonly data: Data;
  /** A sentence of the platform; empty where it gives none. */
  readonly message: string;
  /** Give it back as `cursor` to get the next page; absent on the last one. */
  readonly nextCursor?: string;
  readonly status: number;
  readonly requestId: string;
  /** This is the stored answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The session that the answer began, for `ClientOptions.cookie`. Browsers keep it to themselves. */
  readonly cookie?: string;
}

/** The parts of any request. */
export interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
