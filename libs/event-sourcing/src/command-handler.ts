// Folds a stream, lets the decider decide, appends at the revision that was read; on a conflict reads and decides again.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { Codec } from './codec.js';
import { type Decider, fold, type Message } from './decider.js';
import { type EventStore, streamOf } from './event-store.js';
import type { EventMeta } from './metadata.js';
import type { Revision } from './store/driver.js';
import { WrongRevision } from './store/failures.js';

/** The state of one entity, made by its events, and the revision of the newest of them. */
export interface Standing<S> {
  readonly state: S;
  readonly revision: Revision;
}

/** States by entity, such as a cache of a limited size. They may be out of date. */
export interface RecentStandings<S> {
  get(id: string): Standing<S> | undefined;
  set(id: string, standing: Standing<S>): void;
  delete(id: string): void;
}

export interface CommandHandlerParts<S, C, E extends Message> {
  readonly store: EventStore;
  readonly codec: Codec<E>;
  readonly category: string;
  readonly decider: Decider<S, C, E>;
  /**
   * Keeps the state that a command left behind for the next one. It counts only for a decision that the store confirms by the
   * revision; for a refusal, and for nothing to do, the stream is read.
   */
  readonly recent?: RecentStandings<S>;
}

export interface HandleOptions<S = unknown> {
  /** The caller saw the stream at this revision and wants a CONFLICT if it has moved on: no re-deciding. */
  readonly expected?: Revision;
  /**
   * The caller has reason to believe that there is no such stream, and has never sent this command before. The stream is
   * read only if there is one after all.
   */
  readonly presumedNew?: boolean;
  /**
   * The state in which the caller has just found or left the entity. The stream is read only if it has moved on since.
   * Not for a command that may have been sent before. The store takes its repetition for done, and later events would not
   * be seen.
   */
  readonly known?: Standing<S>;
  /** The most decisions in all, when other writers append in between. */
  readonly attempts?: number;
}

export interface Handled<S, E> extends Standing<S> {
  /** The events that were decided now; empty when there was nothing to do. */
  readonly events: readonly E[];
  /** Place of the last appended event in the order of all events. */
  readonly position?: bigint;
}

export interface CommandHandler<S, C, E extends Message> {
  (id: string, command: C, meta: EventMeta, options?: HandleOptions<S>): Promise<Handled<S, E>>;
  /** The state of one entity as its stream tells it. */
  readonly load: (id: string) => Promise<Standing<S>>;
}

/** Losers of a race wait a little, each longer than the last time, so that they do not race again at once. */
const pauseMs = (attempt: number): number => 4 * attempt;

/**
 * Binds a decider to its streams. The handler throws the errors of the decider. It throws CONFLICT when its attempts are
 * used up, and SERVICE_UNAVAILABLE when the store does not answer. The same command may then be repeated.
 */
export const commandHandler = <S, C, E extends Message>(
  parts: CommandHandlerParts<S, C, E>,
): CommandHandler<S, C, E> => {
  const { store, codec, category, decider, recent } = parts;

  const load = async (id: string): Promise<Standing<S>> => {
    const { events, revision } = await store.read(streamOf(category, id), codec);
    return {
      state: fold(
        decider,
        events.map(({ event }) => event),
      ),
      revision,
    };
  };

  const absent = { state: decider.initialState, revision: 'none' } as const;

  const decided = async (
    id: string,
    events: readonly E[],
    { state, revision }: Standing<S>,
    meta: EventMeta,
  ): Promise<Handled<S, E>> => {
    const appended = await store.append(streamOf(category, id), events, revision, meta, codec);
    const standing = { state: fold(decider, events, state), revision: appended.revision };
    recent?.set(id, standing);
    return {
      ...standing,
      events,
      ...(appended.position === undefined ? {} : { position: appended.position }),
    };
  };

  const once = async (
    id: string,
    command: C,
    meta: EventMeta,
    options: HandleOptions<S>,
  ): Promise<Handled<S, E>> => {
    const standing = options.known ?? (options.presumedNew ? absent : await load(id));
    const { state, revision } = standing;
    if (options.expected !== undefined && options.expected !== revision)
      throw new WrongRevision(streamOf(category, id));
    const events = decider.decide(command, state);
    return events.length === 0 ? { state, revision, events } : decided(id, events, standing, meta);
  };

  /** Undefined where the stream has to be read. */
  const onRecent = async (id: string, command: C, meta: EventMeta): Promise<Handled<S, E> | undefined> => {
    const standing = recent?.get(id);
    if (standing === undefined) return undefined;
    let events: readonly E[];
    try {
      events = decider.decide(command, standing.state);
    } catch {
      return undefined; // the newest state may allow it
    }
    if (events.length === 0) return undefined;
    try {
      return await decided(id, events, standing, meta);
    } catch (error) {
      recent?.delete(id);
      if (error instanceof WrongRevision) return undefined;
      throw error;
    }
  };

  const handle = async (id: string, command: C, meta: EventMeta, options: HandleOptions<S> = {}) => {
    const attempts = options.expected === undefined ? (options.attempts ?? 5) : 1;
    const { known, presumedNew, ...reading } = options;
    if (known === undefined && presumedNew !== true && options.expected === undefined) {
      const handled = await onRecent(id, command, meta);
      if (handled !== undefined) return handled;
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(id, command, meta, attempt === 1 ? options : reading);
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        if (attempt >= attempts) throw new AppError('CONFLICT', { cause: error });
        await delay(pauseMs(attempt));
      }
    }
  };
  return Object.assign(handle, { load });
};
