// Tells people who look at the messages to webhooks that one is due, was tried, or was given up.
import { randomUUID } from 'node:crypto';
import { type EventOf, events, makeEvent } from '@parlance/contracts';
import { addToOutbox, type Tx } from '@parlance/postgres';

/** As the table of deliveries has it. */
type StoredStatus = 'pending' | 'retrying' | 'delivered' | 'dead';

interface ChangedDelivery {
  readonly organizationId: string;
  /** Null where all messages to one address were given up. */
  readonly deliveryId: string | null;
  readonly callId: string | null;
  readonly status: StoredStatus;
}

export const tellDelivery = (
  tx: Tx,
  { organizationId, deliveryId, callId, status }: ChangedDelivery,
  now: Date,
): Promise<void> => {
  const data: EventOf<typeof events.webhookDeliveryChanged>['data'] = {
    ...{ deliveryId, callId },
    status: status === 'dead' ? 'failed' : status,
  };
  const about = { id: randomUUID(), organizationId, occurredAt: now.toISOString(), data };
  return addToOutbox(tx, makeEvent(events.webhookDeliveryChanged, about));
};
