// Events are written beside the change they announce, in the same transaction: either both happen or neither does.

import { eventSubject, type IntegrationEvent } from '@parlance/contracts';
import { stringifyJson, stringifyStored } from '@parlance/json';
import type { OutgoingMessage } from './event-stream.js';
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

/** The message of an event that is published without the outbox. */
export const messageOf = ({ event, headers }: Outgoing): OutgoingMessage => ({
  id: event.id,
  subject: eventSubject(event),
  payload: Buffer.from(stringifyJson(event)),
  headers,
});

/** Announces an event when the transaction commits; the same event id again changes nothing. */
export const addToOutbox = async (tx: Tx, event: IntegrationEvent): Promise<void> => {
  const row = { event_id: event.id, subject: eventSubject(event), payload: event, headers: traceHeaders() };
  await queryAtCommit(tx, {
    name: 'outbox-add',
    text: `insert into outbox (event_id, subject, payload, headers)
           select event_id, subject, payload, headers from jsonb_populate_record(null::outbox, $1)
           on conflict (event_id) do nothing`,
    values: [stringifyStored(row)],
  });
  tx.signal?.(outboxTopic);
};
