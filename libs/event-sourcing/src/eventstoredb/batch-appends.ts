// Appends over one long call per connection, each answered under its own id. A gRPC call for every append would cost
// the client several times the work of the append itself.
import { randomUUID } from 'node:crypto';
import { convertToCommandError, type EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import type { Appended, ProposedAppend, ProposedEvent } from '../store/driver.js';
import {
  internalsOf,
  parseUUID,
  StreamsClient,
  shared,
  streams,
  unpackToCommandError,
} from './client-internals.js';

const { BatchAppendReq } = streams;

interface Waiting {
  readonly stream: string;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

type BatchCall = ReturnType<StreamsClient['batchAppend']>;
// JSON as bytes: the client would make base64 of a text, only to take it apart again, letter by letter.
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const uuid = (text: string): shared.UUID => new shared.UUID().setString(text);

const proposed = ({ id, type, data, metadata }: ProposedEvent): streams.BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage().setId(uuid(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message.setData(json(data)).setCustomMetadata(json(metadata));
};

const requestOf = (id: string, { stream, expected, events }: ProposedAppend): streams.BatchAppendReq => {
  const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new BatchAppendReq.Options().setStreamIdentifier(name);
  // No deadline goes with it: it would be a moment, and clocks differ.
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else if (expected === 'any') options.setAny(new shared.Empty());
  else options.setStreamPosition(expected.toString());
  return new BatchAppendReq()
    .setCorrelationId(uuid(id))
    .setOptions(options)
    .setProposedMessagesList(events.map(proposed))
    .setIsFinal(true);
};

/** The answers of a node that is starting or has no leader. Such a node has not appended anything. */
const notHandled = /^(Server Is (Not Ready|Busy)|No leader info)/;

/** The error of a refused append. A node that handles none counts as unavailable, so that the client looks for another. */
const refusalOf = (
  error: NonNullable<ReturnType<streams.BatchAppendResp['getError']>>,
  stream: string,
): unknown => {
  const message = error.getMessage();
  if (!notHandled.test(message)) return unpackToCommandError(error, stream);
  return Object.assign(new UnavailableError(), { message });
};

const appendedIn = (success: streams.BatchAppendResp.Success | undefined): Appended => {
  const position = success?.getPosition()?.getCommitPosition();
  return {
    revision: BigInt(success?.getCurrentRevision() ?? 0),
    position: position === undefined ? undefined : BigInt(position),
  };
};

/** One call, for as long as it lasts, and the appends that wait for their answers on it. */
class AppendCall {
  readonly #call: BatchCall;
  readonly #waiting = new Map<string, Waiting>();
  /** Takes no more appends. */
  isOver = false;

  constructor(call: BatchCall) {
    this.#call = call;
    call.on('data', (answer: streams.BatchAppendResp) => this.#answered(answer));
    call.on('error', (error) => this.#ended(convertToCommandError(error)));
    call.on('end', () => this.#ended(new Error('the call for appends has ended')));
  }

  send(append: ProposedAppend, deadlineMs: number): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      const timer = setTimeout(() => this.#tooLate(id), deadlineMs);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          settle(value);
        };
      this.#waiting.set(id, { stream: append.stream, resolve: settled(resolve), reject: settled(reject) });
      this.#call.write(requestOf(id, append));
    });
  }

  cancel(): void {
    this.#ended(new Error('the connection was closed'));
    this.#call.cancel();
  }

  #answered(answer: streams.BatchAppendResp): void {
    const id = parseUUID(answer.getCorrelationId()) ?? '';
    // Undefined for one that was given up.
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    const error = answer.getError();
    if (error === undefined) waiting?.resolve(appendedIn(answer.getSuccess()));
    else waiting?.reject(refusalOf(error, waiting.stream));
    this.#cancelWhenDone();
  }

  /** Later appends get another call, in case this one has gone silent. */
  #tooLate(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.isOver = true;
    waiting?.reject(new Error('append timed out'));
    this.#cancelWhenDone();
  }

  #cancelWhenDone(): void {
    if (this.isOver && this.#waiting.size === 0) this.#call.cancel();
  }

  #ended(error: unknown): void {
    this.isOver = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

export class BatchAppends {
  readonly #internals: ReturnType<typeof internalsOf>;
  readonly #calls = new Map<StreamsClient, AppendCall>();

  constructor(client: EventStoreDBClient) {
    this.#internals = internalsOf(client);
  }

  /** @throws the errors of the client; Error when there is no answer in time; the append may then have succeeded */
  append(append: ProposedAppend, deadlineMs: number): Promise<Appended> {
    const until = performance.now() + deadlineMs;
    return new Promise((resolve, reject) => {
      // Before there is a connection, the client looks for a node of a cluster for as long as it likes.
      const timer = setTimeout(() => reject(new Error('append timed out')), deadlineMs);
      const send = async (client: StreamsClient): Promise<Appended> => {
        clearTimeout(timer);
        const leftMs = until - performance.now();
        // The caller has been told that it failed: it must not be stored behind the caller's back.
        if (leftMs <= 0) throw new Error('append timed out');
        return this.#callOf(client).send(append, leftMs);
      };
      this.#internals
        .execute(StreamsClient, 'batchAppend', send)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  close(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#calls.clear();
  }

  #callOf(client: StreamsClient): AppendCall {
    const known = this.#calls.get(client);
    if (known !== undefined && !known.isOver) return known;
    // The client makes another one for every connection; of those before it, nothing is left.
    for (const [other, call] of this.#calls) if (call.isOver) this.#calls.delete(other);
    const made = new AppendCall(
      client.batchAppend(
        ...this.#internals.callArguments({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY }),
      ),
    );
    this.#calls.set(client, made);
    return made;
  }
}
