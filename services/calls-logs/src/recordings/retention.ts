// Notes the retention of a call's recording, once for each call that is handed over with one. The agent's version that
// the call ran with names the days. A deleted call keeps no recording.
import { type Caller, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  type Projector,
  postgresProjector,
  prepareEach,
  type Recorded,
  type SubscriberOptions,
  type Writes,
} from '@parlance/event-sourcing';
import type { Clock } from '@parlance/observability';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { type Calls, callCategory } from '../call/call-repository.js';
import type { Call } from '../call/call-state.js';
import { isKeyOfCall } from '../call/recording-keys.js';
import { noteKept, noteUnwanted } from './recordings-repository.js';

/** The id of the projector. It is not a read model: rows whose files are gone cannot be made from events. */
export const retentionId = 'call-recordings';

const dayMs = 24 * 60 * 60 * 1_000;
/** There is no such agent or version, or it never was one. */
const unknown: ReadonlySet<string> = new Set(['AGENT_NOT_FOUND', 'CONFIG_NOT_FOUND', 'VALIDATION_ERROR']);

export interface RetentionOptions extends Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'> {
  readonly calls: Pick<Calls, 'find'>;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly clock: Clock;
}

type Ingested = Extract<CallEvent, { type: 'CallIngested' }>['data'];

class Retention {
  readonly #options: RetentionOptions;
  /** The days by version of an agent, which never changes. */
  readonly #days = new LRUCache<string, { readonly days: number | null }>({ max: 5_000 });

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Reads the call and its days before the transaction, because that may take requests to other services. */
  async noteOf({ event, entityId: callId, metadata }: Recorded<CallEvent>): Promise<Writes | undefined> {
    const { calls, clock } = this.#options;
    if (event.type !== 'CallDeleted' && event.type !== 'CallIngested') return undefined;
    if (event.type === 'CallIngested' && event.data.recording === null) return undefined;
    const call = await calls.find(callId);
    if (call === undefined) return undefined;
    const { organizationId } = call.description;
    if (event.type === 'CallDeleted')
      return (tx) => noteUnwanted(tx, { organizationId, callId }, clock.now());
    return this.#keep(callId, call, event.data, metadata.requestId);
  }

  async #keep(
    callId: string,
    call: Call,
    { recording, endedAt }: Ingested,
    requestId: string,
  ): Promise<Writes | undefined> {
    const { organizationId } = call.description;
    if (recording === null || call.recordingDeletedAt !== undefined) return undefined;
    const { storageKey } = recording;
    if (!isKeyOfCall(organizationId, callId, storageKey)) return undefined;
    const days = await this.#daysOf(call, requestId);
    const deleteAt = days === null ? null : new Date(Date.parse(endedAt) + days * dayMs);
    return (tx) => noteKept(tx, { storageKey, organizationId, callId, deleteAt });
  }

  /** Null: no limit. @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
  async #daysOf({ description }: Call, requestId: string): Promise<number | null> {
    const { organizationId, agentId, configVersion } = description;
    const version = configVersion !== null && configVersion > 0 ? configVersion : null;
    const key = `${organizationId} ${agentId} ${version}`;
    const known = version === null ? undefined : this.#days.get(key);
    if (known !== undefined) return known.days;
    const days = await this.#ask({ organizationId, agentId, version }, requestId);
    if (version !== null) this.#days.set(key, { days });
    return days;
  }

  async #ask(
    of: { readonly organizationId: string; readonly agentId: string; readonly version: number | null },
    requestId: string,
  ): Promise<number | null> {
    const { organizationId, ...body } = of;
    const caller = this.#options.callerFor(organizationId);
    try {
      const { agentsPostCallWebhook } = serviceRequests;
      const { data } = await this.#options.rpc.call(agentsPostCallWebhook, { body }, { caller, requestId });
      // An older release of agents-config does not tell; the call waits for a newer one.
      if (data.recordingRetentionDays === undefined) throw new AppError('SERVICE_UNAVAILABLE');
      return data.recordingRetentionDays;
    } catch (error) {
      if (error instanceof AppError && unknown.has(error.code)) return null;
      throw error;
    }
  }
}

/** Starts at once. */
export const startRetention = (options: RetentionOptions): Projector => {
  const { db, eventStore, logger } = options;
  const retention = new Retention(options);
  return postgresProjector({
    ...{ db, eventStore, logger },
    id: retentionId,
    about: ['CallIngested', 'CallDeleted'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    prepare: prepareEach((recorded) => retention.noteOf(recorded)),
  });
};
