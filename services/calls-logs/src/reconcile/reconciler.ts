// Ends calls without a reported end, because webhooks and messages get lost. Live calls are compared with the rooms of the media
// server. Outbound calls are ended by the dialer alone: it is requested in an event to report their attempts.
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { CallCommand } from '../call/call-commands.js';
import { reportedBy } from '../call/call-repository.js';
import { AttemptRequests } from '../dialer/attempt-requests.js';
import type { Parts } from '../parts.js';
import {
  liveCallsSince,
  type OpenCall,
  overdueCalls,
  unansweredOutboundCalls,
} from '../read-models/open-calls.js';
import { recordFoundRooms } from './found-rooms.js';

/** The tools of the reconciler. */
export type ReconcilerParts = Omit<
  Parts,
  | 'cursors'
  | 'documents'
  | 'eraser'
  | 'liveTurns'
  | 'logger'
  | 'models'
  | 'personalData'
  | 'recordings'
  | 'redactor'
  | 'replays'
  | 'roomReports'
  | 'tests'
  | 'timelines'
  | 'transcripts'
  | 'untilIndexed'
  | 'untilReportsRecorded'
  | 'untilSearchable'
>;

export interface ReconcilerOptions {
  readonly parts: ReconcilerParts;
  readonly logger: Logger;
  /** The interval, in milliseconds, of the search for calls that have waited long enough (1 s). */
  readonly overdueEveryMs?: number;
  /** The interval, in milliseconds, of the comparison with the media server, and of requests for one attempt (15 s). */
  readonly compareEveryMs?: number;
}

/** A room may not be there yet when its call is a moment old. */
const settledAfterMs = 15_000;
/** Longer than most phones ring. */
const dialerSilentMs = 60_000;
const lockName = 'reconciler';

class Reconciler implements RunningPart {
  readonly name = 'reconciler';
  readonly #options: ReconcilerOptions;
  readonly #attempts: AttemptRequests;
  readonly #loops: readonly RunningPart[];

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const compareEveryMs = options.compareEveryMs ?? 15_000;
    this.#attempts = new AttemptRequests({ ...options.parts, everyMs: compareEveryMs });
    this.#loops = [
      this.#every(options.overdueEveryMs ?? 1_000, 'overdue', () => this.#endOverdue()),
      // Apart, so that neither of them waits for the other one to come back.
      this.#every(compareEveryMs, 'rooms', () => this.#compareWithRooms()),
      this.#every(compareEveryMs, 'dialer', () => this.#requestUnanswered()),
    ];
  }

  trouble(): string | undefined {
    return this.#loops.map((loop) => loop.trouble?.()).find((reason) => reason !== undefined);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  #every(everyMs: number, what: string, work: () => Promise<void>): RunningPart {
    const { logger } = this.#options;
    return startRounds({
      name: `${this.name}: ${what}`,
      everyMs,
      activity: this.#options.parts.db.activity,
      logger,
      round: () => this.#alone(what, work),
    });
  }

  /** Copies of the service take turns; it would do no harm if they did not. */
  async #alone(what: string, work: () => Promise<void>): Promise<void> {
    const lock = await this.#options.parts.db.tryLock(`${lockName}:${what}`);
    if (lock === undefined) return;
    try {
      await work();
    } finally {
      await lock.release();
    }
  }

  async #endOverdue(): Promise<void> {
    const now = this.#ago(0);
    const overdue = await overdueCalls(this.#options.parts.db, now);
    await this.#attempts.request(overdue.filter(({ isDialling }) => isDialling));
    for (const call of overdue) {
      if (!call.isDialling) await this.#apply(call, { type: 'EndOverdue', now }, `overdue:${now}`);
    }
  }

  async #compareWithRooms(): Promise<void> {
    const { parts, logger } = this.#options;
    const settledBefore = this.#ago(settledAfterMs);
    // The calls before the rooms: a call that is read here has a room by the time the rooms are listed.
    const live = await liveCallsSince(parts.db, settledBefore);
    const rooms = await parts.rooms.rooms();
    await this.#loseRooms(live, new Set(rooms.map(({ name }) => name)));
    await recordFoundRooms(parts, logger, rooms, settledBefore);
  }

  async #loseRooms(live: readonly OpenCall[], there: ReadonlySet<string>): Promise<void> {
    const now = this.#ago(0);
    for (const call of live) {
      if (call.roomName === null || !there.has(call.roomName))
        await this.#apply(call, { type: 'RecordRoomLost', now }, `lost:${now}`);
    }
  }

  async #requestUnanswered(): Promise<void> {
    const { db } = this.#options.parts;
    await this.#attempts.request(await unansweredOutboundCalls(db, this.#ago(dialerSilentMs)));
  }

  /** A command that fails now is tried again in the next round, and holds up no other call. */
  async #apply(call: OpenCall, command: CallCommand, fact: string): Promise<void> {
    const { callId, organizationId } = call;
    const { parts, logger } = this.#options;
    const meta = reportedBy(this.name, { factId: fact, organizationId, occurredAt: command.now });
    try {
      const { events } = await parts.calls.handle(callId, command, meta);
      if (events.length > 0) logger.info({ callId, organizationId, did: command.type }, 'call reconciled');
    } catch (err) {
      logger.warn({ err, callId, organizationId, command: command.type }, 'call not reconciled');
    }
  }

  #ago(ms: number): string {
    return new Date(this.#options.parts.clock.now().getTime() - ms).toISOString();
  }
}

/** Starts at once. */
export const startReconciler = (options: ReconcilerOptions): RunningPart => new Reconciler(options);
