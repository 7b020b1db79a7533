// What an event store engine must do for the platform. An adapter implements it with the client of one engine; nothing outside the
// adapter knows which engine that is.

/** Revision of the newest event of a stream; `none` while the stream has no events. */
export type Revision = bigint | 'none';

/** An event as the engine returns it from a read or a subscription. */
export interface RawEvent {
  readonly id: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly type: string;
  /** JSON, both. */
  readonly data: unknown;
  readonly metadata: unknown;
  /** The time at which the engine accepted the event. */
  readonly created: Date;
  /** Position in the order of all events. Undefined where a stream was read and the engine did not say. */
  readonly position?: { readonly commit: bigint } | undefined;
}

export interface ProposedEvent {
  /** The engine ignores an append whose events it already has under their ids. */
  readonly id: string;
  readonly type: string;
  /** JSON, both. */
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface ProposedAppend {
  readonly stream: string;
  /** `any` appends at the end of the stream, whatever its revision. */
  readonly expected: Revision | 'any';
  readonly events: readonly ProposedEvent[];
}

export interface Appended {
  readonly revision: bigint;
  /** Position of the last event in the order of all events; `whenProcessed` waits for it. */
  readonly position: bigint | undefined;
}

export interface StreamRead {
  readonly stream: string;
  /** The first event unless given; backwards from the last one. */
  readonly from?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly backwards?: boolean;
}

export interface AllRead {
  /** Events from this position on, in the order of the store; the first event unless given. */
  readonly from?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly backwards?: boolean;
}

/** Events of a category that have arrived on a subscription. */
export interface Batch {
  readonly events: readonly RawEvent[];
  /** The position in a batch without events: all events up to it belong to other categories. */
  readonly scannedTo?: bigint;
}

export interface SubscriptionOptions {
  readonly category: string;
  /** Position of the last event that was handled; negative starts with the first event of the store. */
  readonly after: bigint;
  /** Called when there may be events to take, or the subscription has failed. */
  readonly ring: () => void;
  /** Called when the engine has accepted the subscription. */
  readonly onConnected?: (() => void) | undefined;
}

/** One subscription to the events of a category. Its reader sets the pace, which holds the engine back. */
export interface CategorySubscription {
  /** The events that have arrived, at most `limit`; undefined when there are none, and `ring` is called later. */
  take(limit: number): Batch | undefined;
  /** @throws StoreUnavailable when the connection is lost; subscribe again after the last handled position */
  throwIfFailed(): void;
  close(): Promise<void>;
}

export interface StoreDriver {
  /**
   * Appends all events or none.
   * @throws WrongRevision; StoreUnavailable when it is not known whether the engine took the events
   */
  append(append: ProposedAppend, deadlineMs: number): Promise<Appended>;
  /**
   * All events of a stream in order, from the node that decides about appends; none for a stream that does not exist.
   * @throws StoreUnavailable when the engine does not answer in time
   */
  readStream(stream: string, deadlineMs: number): Promise<readonly RawEvent[]>;
  /** Events of a stream one by one, however many. @throws StoreUnavailable when the engine goes silent */
  streamEvents(read: StreamRead): AsyncGenerator<RawEvent, void, void>;
  /** Events of all streams one by one. @throws StoreUnavailable when the engine goes silent */
  allEvents(read: AllRead): AsyncGenerator<RawEvent, void, void>;
  subscribe(options: SubscriptionOptions): CategorySubscription;
  /** The sentence for the operator about a node whose certificate is refused; undefined where none is. */
  refusedCertificate(): Promise<string | undefined>;
  /** Such as `26.0.3`; `unknown` where the engine cannot say. @throws when it does not answer */
  serverVersion(): Promise<string>;
  /** Ends the open calls and closes the connection. */
  close(): Promise<void>;
}

/** Position of an event that a subscription sent. */
export const positionOf = (raw: RawEvent): bigint => {
  if (raw.position === undefined)
    throw new Error('an event of a subscription to all events came without its position');
  return raw.position.commit;
};

/** Position up to which everything has been handled after this batch. */
export const endOf = ({ events, scannedTo }: Batch, before: bigint): bigint => {
  const last = events.at(-1);
  return last === undefined ? (scannedTo ?? before) : positionOf(last);
};
