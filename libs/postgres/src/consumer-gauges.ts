// The events that the consumers of a service have not handled yet, as JetStream counts them. Every copy of the service sees
// the same consumers.

import type { EventConsumer } from '@parlance/contracts';
import { durableName, eventFilter, eventStreamName } from '@parlance/messaging';
import { consumerBacklog, observe } from '@parlance/metrics';
import type { NatsConnection } from 'nats';
import { apiErrorCode, managerOf } from './event-stream.js';

const consumerNotFound = 10_014;

interface Backlog {
  /** Never delivered. */
  readonly waiting: number;
  /** Delivered and not settled, of the kind of event that has the most: in hand, or put off to a later try. */
  readonly unsettled: number;
}

const nothing: Backlog = { waiting: 0, unsettled: 0 };

/** One consumer in JetStream for each kind of event; together they are the consumer that the service started. */
const durablesOf = ({ durable, events }: EventConsumer): readonly string[] => [
  ...new Set(events.map((event) => durableName(durable, eventFilter(event)))),
];

/** @throws NatsError when JetStream does not answer: the gauge has no value then */
const backlogOf = async (nats: NatsConnection, name: string): Promise<Backlog> => {
  try {
    const { num_pending: waiting, num_ack_pending: unsettled } = await (await managerOf(nats)).consumers.info(
      eventStreamName,
      name,
    );
    return { waiting, unsettled };
  } catch (error) {
    // The service makes a consumer that is lost again, and nothing is delivered through it before.
    if (apiErrorCode(error) === consumerNotFound) return nothing;
    throw error;
  }
};

const backlogs = async (
  nats: NatsConnection,
  consumers: readonly EventConsumer[],
): Promise<ReadonlyMap<string, Backlog>> => {
  const asked = consumers.flatMap((consumer) =>
    durablesOf(consumer).map(async (name) => [consumer.durable, await backlogOf(nats, name)] as const),
  );
  const sums = new Map<string, Backlog>();
  for (const [durable, { waiting, unsettled }] of await Promise.all(asked)) {
    const before = sums.get(durable) ?? nothing;
    sums.set(durable, {
      waiting: before.waiting + waiting,
      unsettled: Math.max(before.unsettled, unsettled),
    });
  }
  return sums;
};

/** @returns a function that ends it */
export const observeConsumers = (nats: NatsConnection, consumers: readonly EventConsumer[]): (() => void) =>
  observe(consumerBacklog, async () =>
    [...(await backlogs(nats, consumers))].flatMap(([durable, { waiting, unsettled }]) => [
      [waiting, { 'parlance.consumer': durable, 'parlance.event.state': 'waiting' }] as const,
      [unsettled, { 'parlance.consumer': durable, 'parlance.event.state': 'unsettled' }] as const,
    ]),
  );
