// Endpoints, and time that passes when a test says so.
import { Secret } from '@parlance/config';
import type { OpenAiEndpoint } from '../../endpoints/endpoint.js';
import type { ChatEvent, Timers } from '../index.js';

export const endpointAt = (
  baseUrl: string,
  id: string,
  change: Partial<OpenAiEndpoint> = {},
): OpenAiEndpoint => ({
  via: 'openai',
  kind: 'llm',
  id,
  baseUrl,
  model: id,
  apiKey: new Secret('key'),
  dialect: 'openai',
  firstChunkMs: undefined,
  organizationId: undefined,
  ...change,
});

export const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');

export const collect = async (events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> => {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
};

interface Pending {
  readonly at: number;
  readonly run: () => void;
}

/** Timers whose time stands still until somebody moves it. */
export class ManualTimers implements Timers {
  #pending: Pending[] = [];
  now = 0;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.now + ms, run };
    this.#pending.push(timer);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== timer);
    };
  };

  advance(ms: number): void {
    this.now += ms;
    const due = this.#pending.filter(({ at }) => at <= this.now).sort((one, other) => one.at - other.at);
    this.#pending = this.#pending.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
  }
}
