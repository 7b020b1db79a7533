// Events are written beside the change they announce, in the same transaction: either both happen or neither does.

import { eventSubject, type IntegrationEvent } from '@parlance/contracts';
import { traceHeaders } from './tracing.js';
import type { Tx } from './tx.js';

/** Woken after the commit. In-process on purpose: NOTIFY would make all commits of the database wait for each other. */
export const outboxTopic = 'outbox';

/** Announces `event` when the transaction commits; the same event id again changes nothing. */
export const addToOutbox = async (tx: Tx, event: IntegrationEvent): Promise<void> => {
  await tx.query({
    name: 'outbox-add',
    text: `insert into outbox (event_id, subject, payload, headers) values ($1, $2, $3, $4)
           on conflict (event_id) do nothing`,
    values: [event.id, eventSubject(event), JSON.stringify(event), traceHeaders()],
  });
  tx.signal?.(outboxTopic);
};
