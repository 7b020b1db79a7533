// What a part that runs in the background looks like to whoever has to stop it.

export interface RunningService {
  readonly name: string;
  /** How long an orderly stop may take, in milliseconds, where that is longer than usual. */
  readonly stopLimitMs?: number;
  /** Finishes what is in flight, then releases everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** A piece of a service, such as a relay or a consumer. */
export interface RunningPart extends RunningService {
  /**
   * Why the part cannot do its work now; undefined while it can. Readiness reports show it to everybody: a few words that
   * stay the same, without names, addresses or error texts.
   */
  trouble?(): string | undefined;
  /** Takes on no more work from now on. Every part of a service is told so before the first of them stops. */
  leave?(): void;
}
