// Domain events of a category become integration events for other services. The streams are the truth: a batch is translated, published
// to JetStream and acknowledged, and then the checkpoint moves. A broker that has lost events gets them again from the streams.
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { IntegrationEvent } from '@parlance/contracts';
import { type EventSeals, messageOf, type OutgoingMessage, outgoing } from '@parlance/postgres';
import { BrokerWatch, type BrokerWatchOptions } from './broker-watch.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { Projector, SubscriberOptions, Work } from './projector.js';
import { Republisher } from './republisher.js';
import type { Announcement } from './send-in-order.js';
import { Subscriber } from './subscriber.js';

export interface EventPublisherOptions<E extends Message>
  extends SubscriberOptions<E>,
    Pick<BrokerWatchOptions, 'nats' | 'brokerCheckMs'> {
  /** Needed where an event says something about a person. */
  readonly seals?: Pick<EventSeals, 'seal'>;
  /**
   * The integration events of this event; undefined for an event that concerns no other service. An `id` must follow
   * from the event alone (`recorded.id` where there is one message per event), so that the broker and consumers recognize a
   * repetition.
   */
  readonly translate: (recorded: Recorded<E>) => IntegrationEvent | readonly IntegrationEvent[] | undefined;
  /** Events of the store that are read at once to publish them again (500). */
  readonly pieceSize?: number;
}

const traceOf = (traceparent: string | null) =>
  traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });

/** The messages of an event, each as a part of the trace of the command that recorded it. */
const announcing =
  <E extends Message>({ seals, translate }: Pick<EventPublisherOptions<E>, 'seals' | 'translate'>) =>
  (recorded: Recorded<E>): readonly Announcement<OutgoingMessage>[] => {
    const { stream, metadata } = recorded;
    const announced = [translate(recorded) ?? []].flat();
    return announced.map((event) => {
      const sealed = seals?.seal(event) ?? event;
      const message = context.with(traceOf(metadata.traceparent), () => messageOf(outgoing(sealed)));
      return { stream, message };
    });
  };

/**
 * Starts at once. Publishes at least once, the events of a stream in their order. After a crash the events of the last two seconds
 * are published again, which the broker drops by their ids.
 */
export const startEventPublisher = <E extends Message>(options: EventPublisherOptions<E>): Projector => {
  const watch: BrokerWatch = new BrokerWatch(options, () => republisher.wake());
  const announce = announcing(options);
  const work: Work<E> = async (events) => {
    const announced = events.flatMap(announce);
    if (announced.length > 0) await watch.publish(announced);
    // The checkpoint is stored once a second, however many batches there are.
    return 'passed over';
  };
  const projector = new Subscriber(options, work, { onActive: async () => watch.lookAgain() });
  const republisher: Republisher<E> = new Republisher({ ...options, watch, announce });
  return {
    name: projector.name,
    lagMs: () => projector.lagMs(),
    parked: () => projector.parked(),
    trouble: () => watch.trouble ?? projector.trouble() ?? republisher.trouble(),
    whenProcessed: (position, limits) => projector.whenProcessed(position, limits),
    stop: async () => {
      await Promise.all([projector.stop(), republisher.stop()]);
      watch.close();
    },
  };
};
