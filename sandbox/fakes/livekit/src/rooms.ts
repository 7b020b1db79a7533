// Rooms and their participants. In memory, as in LiveKit itself: a restart ends every room.
import { type DisconnectReason, type Dispatch, newSid, type Participant, type Room } from './room-model.js';
import { TwirpError } from './twirp.js';
import type { Webhooks } from './webhooks.js';

const seconds = (): number => Math.floor(Date.now() / 1_000);
/** The life of a room after the last participant left, in milliseconds. */
const departureTimeoutMs = 2_000;

export class Rooms {
  readonly #rooms = new Map<string, Room>();
  readonly #dispatches = new Map<string, Dispatch[]>();
  readonly #webhooks: Webhooks;
  /** Called for every dispatch into an existing room. */
  onDispatch: (dispatch: Dispatch, room: Room) => void = () => undefined;

  constructor(webhooks: Webhooks) {
    this.#webhooks = webhooks;
  }

  create(name: string, metadata: string, emptyTimeoutSeconds: number): Room {
    const existing = this.#rooms.get(name);
    if (existing) return existing;
    const room: Room = {
      sid: newSid('RM'),
      name,
      metadata,
      createdAt: seconds(),
      emptyTimeoutSeconds,
      participants: new Map(),
      started: true,
      emptyTimer: undefined,
    };
    this.#rooms.set(name, room);
    this.#webhooks.send('room_started', room);
    this.#closeWhenEmpty(room, emptyTimeoutSeconds * 1_000);
    return room;
  }

  /** @throws TwirpError not_found */
  get(name: string): Room {
    const room = this.#rooms.get(name);
    if (!room) throw new TwirpError('not_found', 'twirp error unknown: requested room does not exist');
    return room;
  }

  list(names: readonly string[]): Room[] {
    return [...this.#rooms.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  }

  /** A second participant with the same identity puts the first one out, as in LiveKit. */
  join(room: Room, participant: Omit<Participant, 'sid' | 'joinedAt'>): Participant {
    if (this.#rooms.get(room.name) !== room)
      throw new TwirpError('not_found', 'twirp error unknown: requested room does not exist');
    if (room.participants.has(participant.identity))
      this.leave(room, participant.identity, 'DUPLICATE_IDENTITY', true);
    clearTimeout(room.emptyTimer);
    const joined: Participant = { ...participant, sid: newSid('PA'), joinedAt: seconds() };
    room.participants.set(joined.identity, joined);
    this.#webhooks.send('participant_joined', room, joined);
    return joined;
  }

  /** Ends a participation; `notify` tells the participant that it was not its own wish. */
  leave(room: Room, identity: string, reason: DisconnectReason, notify = false): void {
    const participant = room.participants.get(identity);
    if (!participant) return;
    room.participants.delete(identity);
    participant.leftWith = reason;
    this.#webhooks.send('participant_left', room, participant, reason);
    if (notify) participant.onRemoved(reason);
    if (room.participants.size === 0) this.#closeWhenEmpty(room, departureTimeoutMs);
  }

  /**
   * Every telephone is lost, as after a kill of the SIP service. The real server says so once their connections have timed
   * out; no telephone sends a BYE.
   */
  loseTelephones(): void {
    for (const room of this.#rooms.values())
      for (const { identity, kind } of [...room.participants.values()])
        if (kind === 'SIP') this.leave(room, identity, 'CONNECTION_TIMEOUT', true);
  }

  delete(name: string): void {
    const room = this.get(name);
    for (const identity of [...room.participants.keys()]) this.leave(room, identity, 'ROOM_DELETED', true);
    this.#close(room);
  }

  dispatch(agentName: string, room: Room, metadata: string): Dispatch {
    const dispatch: Dispatch = { id: newSid('AD'), agentName, room: room.name, metadata };
    this.#dispatches.set(room.name, [...this.dispatches(room.name), dispatch]);
    this.onDispatch(dispatch, room);
    return dispatch;
  }

  dispatches(room: string): Dispatch[] {
    return this.#dispatches.get(room) ?? [];
  }

  undispatch(room: string, id: string): Dispatch {
    const dispatch = this.dispatches(room).find((candidate) => candidate.id === id);
    if (!dispatch) throw new TwirpError('not_found', 'twirp error unknown: dispatch ID not found');
    this.#dispatches.set(
      room,
      this.dispatches(room).filter((candidate) => candidate !== dispatch),
    );
    return dispatch;
  }

  /** Ends everything without a word, as a stopped server does. */
  stop(): void {
    for (const room of this.#rooms.values()) {
      clearTimeout(room.emptyTimer);
      const participants = [...room.participants.values()];
      // A participant that leaves from now on finds an empty room, and starts no timer.
      room.participants.clear();
      for (const participant of participants) participant.onRemoved('ROOM_DELETED');
    }
    this.#rooms.clear();
  }

  #closeWhenEmpty(room: Room, afterMs: number): void {
    clearTimeout(room.emptyTimer);
    room.emptyTimer = setTimeout(() => {
      if (room.participants.size === 0) this.#close(room);
    }, afterMs);
  }

  #close(room: Room): void {
    clearTimeout(room.emptyTimer);
    if (this.#rooms.get(room.name) !== room) return;
    this.#rooms.delete(room.name);
    this.#dispatches.delete(room.name);
    this.#webhooks.send('room_finished', room);
  }
}
