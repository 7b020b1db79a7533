// The seals of events: members that say something about a person travel sealed for the one service that reads them. Code on both sides
// sees the whole data.
import type { EventEnvelope, IntegrationEvent } from '@parlance/contracts';

export interface EventSeals {
  /** The event as it travels. */
  seal(event: IntegrationEvent): IntegrationEvent;
  /**
   * The event as it was before it was sealed.
   * @throws Error for one that was sealed for another service, or is damaged
   */
  open(event: EventEnvelope): EventEnvelope;
}
