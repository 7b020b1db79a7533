// Whether the process of this container can do its core work: asked of its ops listener, as a cluster's probes ask.

export interface HealthOptions {
  /** Port of the process's ops listener, `OPS_PORT`. */
  readonly port: number;
  readonly timeoutMs?: number;
}

/** @returns why the process is not ready, or undefined while it is */
export const reasonNotReady = async ({
  port,
  timeoutMs = 4_000,
}: HealthOptions): Promise<string | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    return answer.ok ? undefined : await answer.text();
  } catch {
    return `the ops listener does not answer on port ${port}`;
  }
};
