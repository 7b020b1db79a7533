// Notes each hand-over that the platform has to analyze. It follows the events and is no read model: a rebuild analyzes nothing
// again.
import { type Projector, type Recorded, reactor, type SubscriberOptions } from '@parlance/event-sourcing';
import type { Clock } from '@parlance/observability';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';
import { addJob, analysesSince } from './analysis-queue.js';

export const analysisId = 'call-analysis';

export interface ScheduleOptions extends Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'> {
  readonly clock: Clock;
}

/** Starts at once. */
export const startSchedulingAnalyses = ({ db, eventStore, logger, clock }: ScheduleOptions): Projector => {
  let since: Date | undefined;
  const handle = async (recorded: Recorded<CallEvent>): Promise<void> => {
    const { event, entityId: callId, metadata } = recorded;
    if (event.type !== 'CallIngested' || event.data.analysisStatus !== 'pending') return;
    since ??= await analysesSince(db);
    if (recorded.recordedAt < since) return;
    const { organizationId } = metadata;
    await addJob(db, { callId, organizationId, ingestId: event.data.ingestId }, clock.now());
  };
  return reactor({
    db,
    eventStore,
    logger,
    id: analysisId,
    about: ['CallIngested'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    handle,
  });
};
