// Sends a subscription its events, as fast as the client reads. Once it has caught up, events go as fast as they come.
import type { Call } from './call.js';
import { GrpcError, STATUS } from './status.js';

/**
 * Events that may wait for a live subscriber. EventStoreDB 23.10 has two queues of `MaxLiveEventBufferCount`, 32, for
 * each. One is between its bus and the subscription, one between the subscription and the call.
 */
export const MAX_LIVE_WAITING = 2 * 32;

export class LiveOutlet {
  private live = false;

  constructor(private readonly call: Call) {}

  /** From now on the subscriber has to keep up. */
  goLive(): void {
    this.live = true;
  }

  /**
   * Sends one event, and resolves when there is room for the next or the call is closed.
   * @param behind counts the events that wait behind this one; is asked while there is no room
   * @throws GrpcError ABORTED when too many wait for a live subscriber
   */
  async send(message: Uint8Array, behind: () => number): Promise<void> {
    if (this.call.send(message)) return;
    if (!this.live) return this.call.drained();
    const tooSlow = await this.call.drainedUnless(() => behind() > MAX_LIVE_WAITING);
    if (!tooSlow) return;
    throw new GrpcError(
      STATUS.ABORTED,
      'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    );
  }
}
