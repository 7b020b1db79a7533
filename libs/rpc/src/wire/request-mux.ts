// Requests over one inbox for each asked service. The client library's own way makes an error with a stack trace for each
// successful request. It also lets requests of a lost connection wait for their time limit; here they fail at once.
import type { ServiceName } from '@parlance/contracts';
import { counter, rpcRepeated } from '@parlance/metrics';
import { Events, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import { newInbox, publisherOf } from './connect.js';
import type { Publisher } from './publisher.js';
import { RepeatBudget } from './repeat-budget.js';
import { decodeReply } from './reply.js';

/** The reason of a missing answer. */
export type NoReply = 'noResponders' | 'timeout' | 'disconnected' | 'tooLarge' | 'failed';

export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
  readonly reason: NoReply;

  constructor(reason: NoReply, cause?: unknown) {
    super(`no reply: ${reason}`, { cause });
    this.reason = reason;
  }
}

interface Pending {
  readonly resolve: (message: Msg) => void;
  readonly reject: (reason: NoReply) => void;
  /** Runs at the end of each part of the waiting time. */
  readonly timer: NodeJS.Timeout;
  /** The parts that are over. */
  partsOver: number;
  /** True when it was sent more than once. */
  isRepeated: boolean;
}

export interface OutgoingRequest {
  readonly service: ServiceName;
  readonly subject: string;
  /** Made by `newReply`. */
  readonly reply: string;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
  /** Sends it again, several times, while there is no answer. */
  readonly repeats: boolean;
}

const noRespondersCode = 503;

/** The waiting time of a request that repeats has so many parts. It is sent again after each part, except the first and the last. */
const parts = 6;
const partsOfPatience = 2;

const repeated = counter(rpcRepeated);

export class RequestMux {
  readonly #nats: NatsConnection;
  readonly #publisher: Publisher;
  /** The beginning of the answer subjects, by the service that was asked. */
  readonly #inboxes = new Map<ServiceName, string>();
  readonly #listening = new Set<ServiceName>();
  /** The requests under way, by the subject of their reply. */
  readonly #pending = new Map<string, Pending>();
  readonly #budget = new RepeatBudget();
  #connected = true;
  #count = 0;

  constructor(nats: NatsConnection) {
    this.#nats = nats;
    this.#publisher = publisherOf(nats);
    void this.#follow();
  }

  /** A subject for the answer of that service to one request. */
  newReply(service: ServiceName): string {
    this.#count += 1;
    return this.#inboxOf(service) + this.#count.toString(36);
  }

  /** @throws NoReplyError */
  request(request: OutgoingRequest): Promise<Msg> {
    const { service, reply, timeoutMs, repeats } = request;
    return new Promise((resolve, fail) => {
      const reject = (reason: NoReply, cause?: unknown): void => fail(new NoReplyError(reason, cause));
      if (!this.#connected || this.#nats.isClosed() || this.#nats.isDraining()) return reject('disconnected');
      if (repeats) this.#budget.earn();
      const timer = setInterval(
        () => this.#partIsOver(request, pending),
        repeats ? timeoutMs / parts : timeoutMs,
      );
      const pending: Pending = { resolve, reject, timer, partsOver: 0, isRepeated: false };
      this.#pending.set(reply, pending);
      const onFailure = (error: unknown): void => {
        if (this.#settle(reply) !== undefined) reject(isTooLarge(error) ? 'tooLarge' : 'failed', error);
      };
      try {
        this.#listen(service);
        this.#send(request, onFailure);
      } catch (error) {
        onFailure(error);
      }
    });
  }

  #send({ subject, payload, reply, headers }: OutgoingRequest, onFailure: (error: unknown) => void): void {
    this.#publisher.publish({ subject, payload, reply, headers, onFailure });
  }

  #partIsOver(request: OutgoingRequest, pending: Pending): void {
    pending.partsOver += 1;
    if (!request.repeats || pending.partsOver === parts) {
      // Timers come before arrived messages: an answer that waited while this process was busy is not late.
      setImmediate(() => this.#settle(request.reply)?.reject('timeout'));
      return;
    }
    if (pending.partsOver < partsOfPatience || !this.#connected || this.#nats.isClosed()) return;
    if (!this.mayRepeat(request.service)) return;
    pending.isRepeated = true;
    // The first sending may still be answered.
    this.#send(request, () => undefined);
  }

  /** Counts one repetition of a request to that service. False when there have been too many already. */
  mayRepeat(service: ServiceName): boolean {
    if (!this.#budget.spend()) return false;
    repeated.add({ 'rpc.service': service });
    return true;
  }

  #inboxOf(service: ServiceName): string {
    const known = this.#inboxes.get(service);
    if (known !== undefined) return known;
    const inbox = `${newInbox(this.#nats, service)}.`;
    this.#inboxes.set(service, inbox);
    return inbox;
  }

  #listen(service: ServiceName): void {
    if (this.#listening.has(service)) return;
    this.#nats.subscribe(`${this.#inboxOf(service)}*`, {
      callback: (error, message) => {
        if (error === null) return this.#receive(message);
        this.#listening.delete(service);
        this.#failAll('failed');
      },
    });
    this.#listening.add(service);
  }

  #receive(message: Msg): void {
    const isUntaken = message.data.length === 0 && message.headers?.code === noRespondersCode;
    // Neither ends a request that was sent again, because another copy may still work on it.
    if (this.#pending.get(message.subject)?.isRepeated === true && (isUntaken || refusesCaller(message)))
      return;
    const pending = this.#settle(message.subject);
    if (pending === undefined) return; // too late: its time was up
    if (isUntaken) pending.reject('noResponders');
    else pending.resolve(message);
  }

  #settle(reply: string): Pending | undefined {
    const pending = this.#pending.get(reply);
    if (pending === undefined) return undefined;
    this.#pending.delete(reply);
    clearInterval(pending.timer);
    return pending;
  }

  #failAll(reason: NoReply): void {
    for (const reply of [...this.#pending.keys()]) this.#settle(reply)?.reject(reason);
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#nats.status()) {
      if (type === Events.Reconnect) this.#connected = true;
      if (type !== Events.Disconnect) continue;
      this.#connected = false;
      this.#failAll('disconnected');
    }
    this.#failAll('disconnected');
  }
}

/**
 * True of the answer to a token that the copy has taken before. Copies of versions before repetitions give it while they work on
 * the first sending, and their answer comes later.
 */
const refusesCaller = ({ data }: Msg): boolean => {
  try {
    const reply = decodeReply(data);
    return 'error' in reply && reply.error.code === 'UNAUTHENTICATED';
  } catch {
    // The asker reads it again and fails; an error here would go to the broker's client.
    return false;
  }
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MAX_PAYLOAD_EXCEEDED';
