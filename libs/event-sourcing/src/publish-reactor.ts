// Domain events of a stream become integration events for other services. The stream is the truth. The service's outbox
// carries the events to the broker; a broker that has lost everything gets everything again.
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { IntegrationEvent } from '@parlance/contracts';
import { addAllToOutbox, type EventSeals, outgoing, startOutboxRelay } from '@parlance/postgres';
import type { NatsConnection } from 'nats';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { Projector, SubscriberOptions } from './projector.js';
import { postgresProjector } from './projectors.js';

export interface PublishReactorOptions<E extends Message> extends SubscriberOptions<E> {
  readonly nats: NatsConnection;
  /** Needed where an event says something about a person. */
  readonly seals?: Pick<EventSeals, 'seal'>;
  /**
   * The integration events of this event; undefined for an event that concerns no other service. An `id` must follow
   * from the event alone (`recorded.id` where there is one message per event), so that consumers recognize a
   * repetition.
   */
  readonly translate: (recorded: Recorded<E>) => IntegrationEvent | readonly IntegrationEvent[] | undefined;
}

const traceOf = (traceparent: string | null) =>
  traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

/** Starts at once, together with a relay for the service's outbox. */
export const publishReactor = <E extends Message>(options: PublishReactorOptions<E>): Projector => {
  const projector = postgresProjector({
    ...options,
    prepare: async (batch) => {
      const announced = batch.flatMap((recorded) => {
        const trace = traceOf(recorded.metadata.traceparent);
        return [options.translate(recorded) ?? []].flat().map((event) => {
          const sealed = options.seals?.seal(event) ?? event;
          return context.with(trace, () => outgoing(sealed));
        });
      });
      return announced.length === 0 ? undefined : (tx) => addAllToOutbox(tx, announced);
    },
  });
  const relay = startOutboxRelay(options);
  return {
    name: projector.name,
    lagMs: () => projector.lagMs(),
    parked: () => projector.parked(),
    trouble: () => projector.trouble?.() ?? relay.trouble?.(),
    whenProcessed: (position, limits) => projector.whenProcessed(position, limits),
    stop: async () => {
      await projector.stop();
      await relay.stop();
    },
  };
};
