// The requests of a runtime while one call lasts, with the token of that call. None is repeated: a tool may have run.
import { Passage, type ProgressEvent, type RuntimeConfig, ToolResult } from '@parlance/contracts';
import { z } from 'zod';

type Arguments = Readonly<Record<string, unknown>>;

/** A tool ends after a minute at the latest; the protocol asks a runtime to wait five seconds longer. */
const longestToolMs = 60_000;
const graceMs = 5_000;
const searchTimeoutMs = 5_000;
const reportTimeoutMs = 5_000;

interface Request {
  readonly body: object;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export class CallSession {
  readonly #callId: string;
  readonly #runtime: Pick<RuntimeConfig['runtime'], 'baseUrl' | 'callToken'>;

  constructor(callId: string, runtime: Pick<RuntimeConfig['runtime'], 'baseUrl' | 'callToken'>) {
    this.#callId = callId;
    this.#runtime = runtime;
  }

  /** @throws Error when the platform does not answer, or refuses */
  async runTool(
    name: string,
    toolArguments: Arguments,
    {
      signal,
      timeoutMs = longestToolMs,
    }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
  ): Promise<ToolResult> {
    const body = { arguments: toolArguments };
    const request = { body, timeoutMs: timeoutMs + graceMs, signal };
    return ToolResult.parse(await this.#post(`tools/${encodeURIComponent(name)}`, request));
  }

  /** @throws Error when the platform does not answer, or refuses */
  async searchKnowledge(query: string, limit = 3, signal?: AbortSignal): Promise<readonly Passage[]> {
    const request = { body: { query, limit }, timeoutMs: searchTimeoutMs, signal };
    return z.array(Passage).parse(await this.#post('knowledge', request));
  }

  /** The person is not called again. @throws Error when the platform does not answer, or refuses */
  async optOut(): Promise<void> {
    await this.#post('do-not-call', { body: {}, timeoutMs: searchTimeoutMs, signal: undefined });
  }

  /** @throws Error when the platform does not answer, or refuses */
  async report(events: readonly z.input<typeof ProgressEvent>[]): Promise<void> {
    await this.#post('events', { body: { events }, timeoutMs: reportTimeoutMs, signal: undefined });
  }

  async #post(path: string, { body, timeoutMs, signal }: Request): Promise<unknown> {
    const { baseUrl, callToken } = this.#runtime;
    if (callToken === null) throw new Error('the call has no token');
    const deadline = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${baseUrl}/runtime/calls/${encodeURIComponent(this.#callId)}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${callToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${path} was refused with ${response.status}`);
    }
    const text = await response.text();
    return text === '' ? undefined : (JSON.parse(text) as { readonly data?: unknown }).data;
  }
}
