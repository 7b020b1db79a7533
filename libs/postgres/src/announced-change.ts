// A change and its event in one statement: one round trip to Postgres instead of those of a transaction.
import { type EventDefinition, type EventOf, eventSubject, makeEvent } from '@parlance/contracts';
import { stringifyStored } from '@parlance/json';
import { type Announcing, sealed } from './announce.js';
import type { Database } from './database.js';
import { outboxTopic } from './outbox.js';
import { traceHeaders } from './tracing.js';
import type { Statement } from './tx.js';

interface AnnouncedChange<T extends EventDefinition> {
  /** A statement with `returning`. It is prepared under its name, together with the part that announces. */
  readonly change: Required<Statement>;
  readonly definition: T;
  readonly organizationId: string;
  readonly data: EventOf<T>['data'];
}

/**
 * Changes rows and announces the event, or neither. A change of no row announces nothing.
 * @returns the rows of the change
 */
export const changeAndAnnounce = async <R extends object, T extends EventDefinition>(
  db: Pick<Database, 'query' | 'signal'>,
  parts: Announcing<T>,
  { change, definition, organizationId, data }: AnnouncedChange<T>,
): Promise<R[]> => {
  const about = { id: parts.ids.next(), occurredAt: parts.clock.now().toISOString(), organizationId };
  const event = sealed(makeEvent(definition, { ...about, data }), parts);
  const row = { event_id: event.id, subject: eventSubject(event), payload: event, headers: traceHeaders() };
  const { rows } = await db.query<R>({
    name: change.name,
    text: `with changed as (${change.text}),
           announced as (
             insert into outbox (event_id, subject, payload, headers)
             select event_id, subject, payload, headers from jsonb_populate_record(null::outbox, $${change.values.length + 1})
              where exists (select from changed)
             on conflict (event_id) do nothing)
           select * from changed`,
    values: [...change.values, stringifyStored(row)],
  });
  if (rows.length > 0) db.signal(outboxTopic);
  return rows;
};
