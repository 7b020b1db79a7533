// Announces the events of this service to the other services, through the outbox.
import { type EventDefinition, type EventOf, makeEvent } from '@parlance/contracts';
import { addToOutbox, type Tx } from '@parlance/persistence';
import type { Parts } from './parts.js';

/** Announces an event of this organization when the transaction commits. */
export const announce = <T extends EventDefinition>(
  tx: Tx,
  { clock, ids }: Pick<Parts, 'clock' | 'ids'>,
  definition: T,
  organizationId: string,
  data: EventOf<T>['data'],
): Promise<void> =>
  addToOutbox(
    tx,
    makeEvent(definition, { id: ids.next(), occurredAt: clock.now().toISOString(), organizationId, data }),
  );
