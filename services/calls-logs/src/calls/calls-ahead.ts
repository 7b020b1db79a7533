// Calls that the index knows better than their documents. A page reads them from their streams, and remembers them for a
// moment: documents lag when the platform is busy, and pages that read the same streams again would make it busier.
import type { CommandHandler, Standing } from '@parlance/event-sourcing';
import { runWithoutDeadline } from '@parlance/observability';
import { LRUCache } from 'lru-cache';
import type { CallCommand } from '../call/call-commands.js';
import type { CallEvent } from '../call/call-events.js';
import type { CallState } from '../call/call-state.js';

const mostCalls = 1_000;
/**
 * Documents that are further behind than this raise an alarm of their own. The limit also keeps the words of people no
 * longer than this.
 */
const rememberedMs = 10_000;

type Load = CommandHandler<CallState, CallCommand, CallEvent>['load'];

export class CallsAhead {
  readonly #load: Load;
  readonly #read = new LRUCache<string, Promise<Standing<CallState>>>({ max: mostCalls, ttl: rememberedMs });

  constructor(load: Load) {
    this.#load = load;
  }

  /**
   * The call as it was at this revision, or later. Pages that ask at the same time share one read.
   * @throws AppError SERVICE_UNAVAILABLE when the stream has to be read and the store does not answer
   */
  async atLeast(callId: string, revision: number): Promise<CallState> {
    const remembered = this.#read.get(callId);
    if (remembered === undefined) return (await this.#readAgain(callId)).state;
    const known = await remembered;
    if (known.revision !== 'none' && known.revision >= BigInt(revision)) return known.state;
    // Another page may have begun to read it again in the meantime.
    if (this.#read.peek(callId) === remembered) this.#read.delete(callId);
    return this.atLeast(callId, revision);
  }

  #readAgain(callId: string): Promise<Standing<CallState>> {
    const reading = runWithoutDeadline(() => this.#load(callId));
    this.#read.set(callId, reading);
    reading.catch(() => {
      if (this.#read.peek(callId) === reading) this.#read.delete(callId);
    });
    return reading;
  }
}
