// Evidence about an attempt outside of its stream: the callee in the room, and the facts of calls-logs.
import type { CallFacts } from '@parlance/contracts';
import type { MediaRooms, Participant } from '@parlance/media-rooms';
import type { Logger } from '@parlance/observability';
import { calleeIdentity } from '../domain/outbound-call/attempt-ids.js';
import type { Dialing } from '../domain/outbound-call/outbound-call-state.js';

/** The facts that calls-logs has of these calls; unknown calls are left out. */
export type AskCalls = (organizationId: string, callIds: readonly string[]) => Promise<readonly CallFacts[]>;

export class AttemptEvidence {
  readonly #rooms: Pick<MediaRooms, 'participant'>;
  readonly #askCalls: AskCalls;
  readonly #logger: Logger;

  constructor(rooms: Pick<MediaRooms, 'participant'>, askCalls: AskCalls, logger: Logger) {
    this.#rooms = rooms;
    this.#askCalls = askCalls;
    this.#logger = logger;
  }

  /** Null where nobody is in the room, or the media server does not answer. */
  async calleeOf({
    attemptId,
    roomName,
  }: Pick<Dialing['current'], 'attemptId' | 'roomName'>): Promise<Participant | null> {
    try {
      return await this.#rooms.participant(roomName, calleeIdentity(attemptId));
    } catch (err) {
      this.#logger.warn({ attemptId, err }, 'media server could not be asked for the callee');
      return null;
    }
  }

  /** Undefined where calls-logs does not know the call, or does not answer. */
  async factsOf(organizationId: string, callId: string): Promise<CallFacts | undefined> {
    try {
      const facts = await this.#askCalls(organizationId, [callId]);
      return facts.find((known) => known.callId === callId);
    } catch (err) {
      this.#logger.warn({ callId, err }, 'calls-logs could not be asked for the call');
      return undefined;
    }
  }
}
