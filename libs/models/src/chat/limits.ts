// Limits of a chat in time and size.

export interface ChatDeadlines {
  /** From the request to the first text or tool call; an endpoint may have its own. */
  readonly firstChunkMs: number;
  /** Between two pieces of text or of a tool call. */
  readonly betweenChunksMs: number;
  /** The whole turn, all endpoints included. */
  readonly overallMs: number;
}

export const defaultDeadlines: ChatDeadlines = {
  firstChunkMs: 1_500,
  betweenChunksMs: 1_500,
  overallMs: 60_000,
};

export interface ChatLimits {
  /** Bytes of one answer on the wire. */
  readonly maxBytes: number;
  readonly maxToolCalls: number;
  /** Characters of the arguments of one tool call. */
  readonly maxArgumentsLength: number;
}

export const defaultLimits: ChatLimits = {
  maxBytes: 2_097_152,
  maxToolCalls: 8,
  maxArgumentsLength: 32_768,
};

/** Timers, so that tests can decide when a deadline passes. */
export interface Timers {
  /** Returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** One deadline at a time, which can be moved. */
export class Deadline {
  readonly #timers: Timers;
  #cancel: () => void = () => undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  start(ms: number, passed: () => void): void {
    this.#cancel();
    this.#cancel = this.#timers.after(ms, passed);
  }

  stop(): void {
    this.#cancel();
  }
}
