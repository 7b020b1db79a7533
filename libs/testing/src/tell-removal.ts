// Plays the gateway after it has removed an organization.
import { randomUUID } from 'node:crypto';
import { eventSubject, events, makeEvent } from '@parlance/contracts';
import type { NatsConnection } from 'nats';

/** Tells every service twice, as the broker does when an acknowledgement got lost. @returns the id of the removal */
export const tellRemoval = async (
  nats: NatsConnection,
  organizationId: string,
  removalId: string = randomUUID(),
): Promise<string> => {
  const event = makeEvent(events.organizationDeleted, {
    id: removalId,
    occurredAt: new Date().toISOString(),
    organizationId,
    data: { removalId, deletedBy: 'u1' },
  });
  for (const msgID of [`${removalId}:1`, `${removalId}:2`])
    await nats
      .jetstream()
      .publish(eventSubject(events.organizationDeleted), JSON.stringify(event), { msgID });
  return removalId;
};
