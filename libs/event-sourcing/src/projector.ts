// The types between a projector, the code that starts it, and its work.
import type { Logger, RunningPart } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { CheckpointMove } from './checkpoints.js';
import type { Codec } from './codec.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { EventStoreConnection, PersonalParts } from './event-store-connection.js';
import type { PaceRules } from './pace.js';

/**
 * The personal parts of events that work needs. The others stay sealed and read as null, which saves the keys' look-up. `folded`
 * are those that a fold of the stream reads, so not the parts of events that fold without.
 */
export type OpenedParts = boolean | 'folded';

export interface SubscriberOptions<E extends Message> {
  /** Name of the checkpoint and of the lock; a new name starts from the first event. */
  readonly id: string;
  readonly category: string;
  readonly codec: Codec<E>;
  readonly db: Database;
  readonly eventStore: EventStoreConnection;
  readonly logger: Logger;
  /**
   * Types of the events that the work concerns; all of them unless given. Other events are not handed to it. The checkpoint moves past
   * them with the next event that is, or a second later.
   */
  readonly about?: readonly E['type'][];
  /** Most events handled together (100). */
  readonly batchSize?: number;
  /** The personal parts that are opened; all of them unless given. */
  readonly personal?: OpenedParts;
  /** What happens to events that are too slow. */
  readonly pace?: PaceRules;
}

/** The circumstances of a batch of work. */
export interface Turn {
  /** The number of the copy of the read model's collections to write. */
  readonly generation: number;
  /** Moves the checkpoint past the batch. */
  readonly advance: (tx: Tx) => Promise<void>;
  /** The same move, for a transaction that several followers share. Absent where none may be shared. */
  readonly move?: CheckpointMove;
  /** The time limit of statements in Postgres, in milliseconds; undefined for the usual one. */
  readonly limitMs?: number | undefined;
}

/**
 * Handles events in order and moves the checkpoint: first where both are one transaction, else at the end. Throwing means
 * that none of it counts and that it will be done again. Events without an effect may be passed over: their checkpoint moves
 * with a later event.
 */
export type Work<E extends Message> = (
  events: readonly Recorded<E>[],
  turn: Turn,
) => Promise<'advanced' | 'passed over'>;

export interface SubscriberHooks {
  /** This copy is the active one and is about to begin, or to begin again. */
  readonly onActive?: (generation: number) => Promise<void>;
  /** So many events, up to this position, have been dealt with. */
  readonly onProgress?: (events: number, position: bigint) => void;
  /** Rejects while the store of the work, where that is not Postgres, does not answer a request that costs nothing. */
  readonly checkStore?: () => Promise<unknown>;
}

/** What a handler may use beside the tables or collections that it writes. */
export interface HandlerTools {
  readonly db: Database;
  /** Seals the personal columns of a read model, so that they end with the key of their stream. */
  readonly personalData: PersonalParts;
}

/** A running projector. */
export interface Projector extends RunningPart {
  /** The age of the oldest event that waits, in milliseconds; 0 when none waits or another copy is active. */
  lagMs(): number;
  /** Events that were set aside. */
  parked(): Promise<number>;
  /**
   * Resolves when the event at this position (of an append's answer) has been dealt with, by any copy.
   * @throws Error after `timeoutMs` (5 s)
   */
  whenProcessed(position: bigint, options?: { readonly timeoutMs?: number }): Promise<void>;
}
