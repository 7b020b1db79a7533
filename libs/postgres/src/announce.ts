// Announces an event of an organization to the other services, through the outbox.
import {
  type EventDefinition,
  type EventOf,
  type IntegrationEvent,
  makeEvent,
  type PersonalMembers,
} from '@parlance/contracts';
import type { Clock, Ids } from '@parlance/observability';
import type { EventSeals } from './event-seals.js';
import { addToOutbox } from './outbox.js';
import type { Tx } from './tx.js';

/** What an announcement is made with. */
export type Announcing<T extends EventDefinition> = {
  readonly clock: Clock;
  readonly ids: Ids;
} & (T extends {
  readonly personal: PersonalMembers;
}
  ? { readonly seals: Pick<EventSeals, 'seal'> }
  : unknown);

/** The event as it is stored: with its personal members sealed. */
export const sealed = (event: IntegrationEvent, parts: object): IntegrationEvent =>
  'seals' in parts ? (parts.seals as EventSeals).seal(event) : event; // the type above asks for it

/** Announces an event of this organization when the transaction commits. */
export const announce = <T extends EventDefinition>(
  tx: Tx,
  parts: Announcing<T>,
  definition: T,
  organizationId: string,
  data: EventOf<T>['data'],
): Promise<void> => {
  const about = { id: parts.ids.next(), occurredAt: parts.clock.now().toISOString(), organizationId };
  return addToOutbox(tx, sealed(makeEvent(definition, { ...about, data }), parts));
};
