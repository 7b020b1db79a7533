// Events are written beside the change they announce, in the same transaction: either both happen or neither does.

import { eventSubject, type IntegrationEvent } from '@parlance/contracts';
import { stringifyStored } from '@parlance/json';
import { traceHeaders } from './tracing.js';
import { queryAtCommit, type Tx } from './tx.js';

/** Woken after the commit. In-process on purpose: NOTIFY would make all commits of the database wait for each other. */
export const outboxTopic = 'outbox';

/** An event with the trace that it is a part of. */
export interface Outgoing {
  readonly event: IntegrationEvent;
  readonly headers: Readonly<Record<string, string>>;
}

/** The event as a part of the trace at hand. */
export const outgoing = (event: IntegrationEvent): Outgoing => ({ event, headers: traceHeaders() });

/** Announces events, in this order, when the transaction commits; the same event id again changes nothing. */
export const addAllToOutbox = async (tx: Tx, announced: readonly Outgoing[]): Promise<void> => {
  if (announced.length === 0) return;
  const rows = announced.map(({ event, headers }) => ({
    event_id: event.id,
    subject: eventSubject(event),
    payload: event,
    headers,
  }));
  await queryAtCommit(tx, {
    name: 'outbox-add',
    text: `insert into outbox (event_id, subject, payload, headers)
           select event_id, subject, payload, headers from jsonb_populate_recordset(null::outbox, $1)
           on conflict (event_id) do nothing`,
    values: [stringifyStored(rows)],
  });
  tx.signal?.(outboxTopic);
};

/** Does the same as `addAllToOutbox`, for one event. */
export const addToOutbox = (tx: Tx, event: IntegrationEvent): Promise<void> =>
  addAllToOutbox(tx, [outgoing(event)]);
