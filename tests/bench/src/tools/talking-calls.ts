// Calls that talk through the gateway: each tells a turn every second, and runs a tool every few seconds.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** A call with the credential of its runtime. */
export interface TalkingCall {
  readonly callId: string;
  readonly callToken: string;
}

export interface Times {
  readonly turns: number[];
  readonly tools: number[];
  /** Answers that were not 2xx, and tools that failed. */
  failures: number;
}

export const newTimes = (): Times => ({ turns: [], tools: [], failures: 0 });

const turnEveryMs = 1_000;
const turnsForATool = 4;

export class Calls {
  readonly #api: string;

  constructor(api: string) {
    this.#api = api;
  }

  /** A call of the agent. @throws Error when the platform gives no token */
  async begin(agentId: string, internalKey: string): Promise<TalkingCall> {
    const callId = randomUUID();
    const response = await fetch(`${this.#api}/agents/internal-config/${agentId}?callId=${callId}`, {
      headers: { 'x-internal-key': internalKey },
    });
    const { data } = (await response.json()) as { data?: { runtime: { callToken: string | null } } }; // the contract's RuntimeConfig
    const callToken = data?.runtime.callToken;
    if (callToken == null) throw new Error(`no token for a call: ${response.status}`);
    return { callId, callToken };
  }

  /** Runs a tool. Resolves with the milliseconds, and whether it went well. */
  async runTool(call: TalkingCall, name: string): Promise<{ ms: number; isGood: boolean }> {
    const started = performance.now();
    const { ok, data } = await this.#post(call, `tools/${name}`, { arguments: {} });
    return { ms: performance.now() - started, isGood: ok && data?.isError === false };
  }

  /** Talks until the signal. The first turns of the calls spread over a second. */
  async talk(call: TalkingCall, firstSeq: number, times: Times, signal: AbortSignal): Promise<void> {
    await delay(Math.random() * turnEveryMs);
    for (let seq = firstSeq; !signal.aborted; seq += 1) {
      const started = performance.now();
      const turn = { seq, role: 'user', text: 'Where is my order?', startMs: seq * turnEveryMs };
      const events = [{ seq, at: new Date().toISOString(), type: 'turn', turn }];
      const { ok } = await this.#post(call, 'events', { events });
      times.turns.push(performance.now() - started);
      if (!ok) times.failures += 1;
      if (seq % turnsForATool === 0) {
        const { ms, isGood } = await this.runTool(call, 'quick');
        times.tools.push(ms);
        if (!isGood) times.failures += 1;
      }
      await delay(Math.max(0, turnEveryMs - (performance.now() - started)));
    }
  }

  async #post({ callId, callToken }: TalkingCall, path: string, body: object) {
    const response = await fetch(`${this.#api}/runtime/calls/${callId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${callToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data?: { isError?: boolean } }; // the contract's ToolResult, or nothing
    return { ok: response.ok, data };
  }
}
