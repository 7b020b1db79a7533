// Announces an event of an organization to the other services, through the outbox.
import { type EventDefinition, type EventOf, makeEvent } from '@parlance/contracts';
import type { Clock, Ids } from '@parlance/observability';
import { addToOutbox } from './outbox.js';
import type { Tx } from './tx.js';

/** Announces an event of this organization when the transaction commits. */
export const announce = <T extends EventDefinition>(
  tx: Tx,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  definition: T,
  organizationId: string,
  data: EventOf<T>['data'],
): Promise<void> =>
  addToOutbox(
    tx,
    makeEvent(definition, { id: ids.next(), occurredAt: clock.now().toISOString(), organizationId, data }),
  );
