// The lifecycle of attempts with a scripted media server and event store. The clock stands still.
import { randomUUID } from 'node:crypto';
import type { CallFacts } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Dial, DialOutcome, Participant } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import type { Verdict } from '../attempt/admission.js';
import { noCrashPoints } from '../attempt/crash-points.js';
import { type Attempts, type AttemptsOptions, openAttempts } from '../attempt/open-attempts.js';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import { openOutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import { at, callEnd, commands, outboundCallId as id, organizationId } from './histories.js';
import { MemoryEventStore } from './memory-event-store.js';

export const first = attemptIds(id, 1);
export const second = attemptIds(id, 2);
export const stream = `outboundCall-${id}`;

/** A media server that follows a script, and remembers the requests. */
class ScriptedRooms {
  readonly dials: Dial[] = [];
  readonly made: unknown[] = [];
  readonly deleted: string[] = [];
  callee: Participant | null = null;
  /** Runs while the phone rings. */
  dialing: (dial: Dial) => Promise<DialOutcome> = async () => ({ kind: 'answered', sipCallId: 'SCL_1' });
  making: () => Promise<void> = async () => undefined;
  isAway = false;

  async createRoom(room: unknown): Promise<void> {
    await this.making();
    this.#answer();
    this.made.push(room);
  }
  async deleteRoom(name: string): Promise<'deleted'> {
    this.#answer();
    this.deleted.push(name);
    return 'deleted';
  }
  async participant(): Promise<Participant | null> {
    this.#answer();
    return this.callee;
  }
  dial(dial: Dial): Promise<DialOutcome> {
    this.dials.push(dial);
    return this.dialing(dial);
  }
  #answer(): void {
    if (this.isAway) throw new AppError('PROVIDER_UNAVAILABLE');
  }
}

export const calleeWith = (sipCallStatus: string): Participant => ({
  identity: `pstn_${first.attemptId}`,
  kind: 'sip',
  attributes: {},
  sipCallStatus,
  sipCallId: 'SCL_1',
});

export const factsOf = (facts: Partial<CallFacts>): CallFacts => ({
  ...callEnd,
  callId: first.callId,
  outboundCallId: id,
  startedAt: at(0),
  ...facts,
});

export class LifecycleWorld {
  now = Date.parse(at(0));
  readonly store = new MemoryEventStore();
  readonly calls = openOutboundCalls(this.store);
  readonly rooms = new ScriptedRooms();
  /** The answer of calls-logs. */
  facts: CallFacts[] | 'away' = [];
  verdict: Verdict = {
    ...{ kind: 'yes', trunkId: 'trunk', until: new Date('2100-01-01T00:00:00.000Z'), longestSeconds: 3_600 },
  };
  /** The first answers of the admission, before `verdict`. */
  readonly verdicts: Verdict[] = [];
  readonly #options: AttemptsOptions = {
    calls: this.calls,
    rooms: this.rooms,
    askCalls: async () => {
      if (this.facts === 'away') throw new AppError('SERVICE_UNAVAILABLE');
      return this.facts;
    },
    admission: { mayDialNow: async () => this.verdicts.shift() ?? this.verdict },
    clock: { now: () => new Date(this.now) },
    ids: { next: () => randomUUID() },
    crash: noCrashPoints,
    logger: createLogger({ service: 'test', level: 'silent' }),
    trunkId: undefined,
    pause: async (ms) => this.pass(ms / 1_000),
  };
  readonly #attempts = openAttempts(this.#options);
  readonly lifecycle = this.#attempts.lifecycle;
  readonly recovery = this.#attempts.recovery;
  readonly settlement = this.#attempts.settlement;

  /** A world with one call that was placed. */
  static async create(): Promise<LifecycleWorld> {
    const world = new LifecycleWorld();
    await world.calls(id, commands.PlaceCall, world.meta('place'));
    return world;
  }

  /** Another process on the same store and media server. */
  other(): Attempts {
    return openAttempts(this.#options);
  }

  pass(seconds: number): void {
    this.now += seconds * 1_000;
  }

  /** The types of the call's events, oldest first. */
  types() {
    return this.store.typesOf(stream);
  }

  async state() {
    return (await this.calls.load(id)).state;
  }

  meta(name: string) {
    return stepMeta(organizationId, id, name, new Date(this.now).toISOString());
  }

  /** An operator ends the call of the first attempt. */
  async endByOperator(): Promise<void> {
    const command = { ...commands.EndAttempt, callId: first.callId, now: new Date(this.now).toISOString() };
    await this.calls(id, command, this.meta('end'));
  }

  async cancel(): Promise<void> {
    const command = { ...commands.CancelCall, now: new Date(this.now).toISOString() };
    await this.calls(id, command, this.meta('cancel'));
  }
}
