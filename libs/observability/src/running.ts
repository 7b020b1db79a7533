// A service and its background parts, as the code that stops them sees them.

export interface RunningService {
  readonly name: string;
  /** The longest time of an orderly stop, in milliseconds, where that is longer than usual. */
  readonly stopLimitMs?: number;
  /** Finishes the work in flight, then releases everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** A piece of a service, such as a relay or a consumer. */
export interface RunningPart extends RunningService {
  /**
   * Why the part cannot do its work now; undefined while it can. Readiness reports show it to all readers: a few words that
   * stay the same, without names, addresses or error texts.
   */
  trouble?(): string | undefined;
  /** Takes on no more work from now on. Every part of a service is told so before the first of them stops. */
  leave?(): void;
}
