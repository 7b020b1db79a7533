// Notes each hand-over that the platform has to analyze. It follows the events and is no read model: a rebuild analyzes nothing
// again.
import { type Projector, postgresProjector, type SubscriberOptions } from '@parlance/event-sourcing';
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
  return postgresProjector<CallEvent>({
    db,
    eventStore,
    logger,
    id: analysisId,
    about: ['CallIngested'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    prepare: async (events) => {
      const jobs = events.flatMap(({ event, entityId: callId, metadata: { organizationId }, recordedAt }) =>
        event.type === 'CallIngested' && event.data.analysisStatus === 'pending'
          ? [{ job: { callId, organizationId, ingestId: event.data.ingestId }, recordedAt }]
          : [],
      );
      if (jobs.length === 0) return undefined;
      since ??= await analysesSince(db);
      const first = since;
      return async (tx) => {
        for (const { job, recordedAt } of jobs) if (recordedAt >= first) await addJob(tx, job, clock.now());
      };
    },
  });
};
