// What a part that runs in the background looks like to whoever has to stop it.

export interface RunningService {
  readonly name: string;
  /** Finishes what is in flight, then releases everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** A piece of a service, such as a relay or a consumer. */
export type RunningPart = RunningService;
