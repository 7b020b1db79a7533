// Visitors who write. Each conversation lasts over restarts; each answer of the agent is a stream, read to its end.
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '@parlance/client';
import type { Reachable } from '@parlance/tests-e2e';
import { page, type Tenant } from './tenant.js';

/** One streamed answer. Times are those of `performance.now()`. */
export interface StreamedAnswer {
  readonly from: number;
  readonly to: number;
  /** Why it did not come to its end; undefined when it did. */
  readonly broken: string | undefined;
}

export interface Conversation {
  readonly from: number;
  readonly to: number;
}

const betweenMs = 500;
/** Then the visitor says goodbye, and another one comes. */
const messages = 12;

interface Message {
  readonly params: { readonly widgetId: string; readonly sessionId: string };
  readonly body: { readonly endToken: string; readonly text: string };
}

export class Conversations {
  readonly #visitor: Client;
  readonly #tenant: Pick<Tenant, 'widgetId'>;
  readonly #running: Promise<void>[] = [];
  readonly answers: StreamedAnswer[] = [];
  readonly conversations: Conversation[] = [];
  /** Conversations that could not be begun, with the reason. */
  readonly refused: string[] = [];
  #isStopping = false;

  constructor({ api }: Reachable, tenant: Pick<Tenant, 'widgetId'>) {
    this.#visitor = createClient({ baseUrl: api, headers: { origin: page }, timeoutMs: 90_000, retries: 0 });
    this.#tenant = tenant;
  }

  start(visitors: number): void {
    for (let index = 0; index < visitors; index += 1) this.#running.push(this.#visit());
  }

  /** Each visitor says goodbye; resolves when all have gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #visit(): Promise<void> {
    while (!this.#isStopping)
      await this.#converse().catch(async (error: unknown) => {
        this.refused.push(String(error));
        await pause(betweenMs);
      });
  }

  async #converse(): Promise<void> {
    const { widgetId } = this.#tenant;
    const from = performance.now();
    const { data } = await this.#visitor.widgets.startSession({
      params: { widgetId },
      body: { mode: 'text' },
    });
    const say = (text: string): Promise<boolean> =>
      this.#say({ params: { widgetId, sessionId: data.sessionId }, body: { endToken: data.endToken, text } });
    let isOpen = true;
    for (let said = 0; isOpen && said < messages && !this.#isStopping; said += 1) {
      isOpen = await say('Since yesterday I cannot see my invoices any more.');
      await pause(betweenMs);
    }
    if (isOpen) await say('Thank you, goodbye.');
    this.conversations.push({ from, to: performance.now() });
  }

  /** False when the answer did not come to its end. */
  async #say(message: Message): Promise<boolean> {
    const from = performance.now();
    const broken = await this.#read(message).catch((error: unknown) => String(error));
    this.answers.push({ from, to: performance.now(), broken });
    return broken === undefined;
  }

  async #read(message: Message): Promise<string | undefined> {
    const events = await this.#visitor.widgets.sendMessage(message);
    let isDone = false;
    for await (const { event } of events) isDone = event === 'done';
    return isDone ? undefined : 'the stream ended before the turn was complete';
  }
}
