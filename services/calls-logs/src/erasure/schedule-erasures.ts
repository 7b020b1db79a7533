// Notes each call that was deleted, whoever deleted it, so that it is erased. It follows the events and is no read model.
import { type Projector, reactor, type SubscriberOptions } from '@parlance/event-sourcing';
import type { Clock } from '@parlance/observability';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';
import { retentionActor } from './delete-call.js';
import { addErasure } from './erasure-queue.js';

export const erasuresId = 'call-erasures';

export interface ScheduleOptions extends Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'> {
  readonly clock: Clock;
}

/** Starts at once. */
export const startSchedulingErasures = ({ db, eventStore, logger, clock }: ScheduleOptions): Projector =>
  reactor<CallEvent>({
    db,
    eventStore,
    logger,
    id: erasuresId,
    about: ['CallDeleted'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    handle: async ({ event, entityId: callId, metadata: { organizationId } }) => {
      if (event.type !== 'CallDeleted') return;
      const { recordedAt, by } = event.data;
      const isLogged = by !== retentionActor;
      const requestedAt = new Date(recordedAt);
      await addErasure(db, { callId, organizationId, requestedAt, isLogged }, clock.now());
    },
  });
