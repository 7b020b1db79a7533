// Notes each call that was deleted, whoever deleted it, so that it is erased. It follows the events and is no read model.
import { type Projector, postgresProjector, type SubscriberOptions } from '@parlance/event-sourcing';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';
import { retentionActor } from './delete-call.js';
import { addErasure } from './erasure-queue.js';

export const erasuresId = 'call-erasures';

export type ScheduleOptions = Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'>;

/** Starts at once. */
export const startSchedulingErasures = ({ db, eventStore, logger }: ScheduleOptions): Projector =>
  postgresProjector<CallEvent>({
    db,
    eventStore,
    logger,
    id: erasuresId,
    about: ['CallDeleted'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    handle: async (tx, { event, entityId: callId, metadata: { organizationId } }) => {
      if (event.type !== 'CallDeleted') return;
      const { recordedAt, by } = event.data;
      const isLogged = by !== retentionActor;
      const requestedAt = new Date(recordedAt);
      await addErasure(tx, { callId, organizationId, requestedAt, isLogged });
    },
  });
