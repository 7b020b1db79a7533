// Erases outbound calls. The stream's key is destroyed, so the numbers, names and variables in its events can never be read again; the
// row of the read model keeps the course and the cost of the call.
import type { PersonalData } from '@parlance/crypto';
import { type EventStoreConnection, streamOf } from '@parlance/event-sourcing';
import type { Tx } from '@parlance/postgres';
import { outboundCallCategory } from '../repositories/outbound-call-repository.js';

export interface ForgettingParts {
  readonly db: Tx;
  readonly eventStore: Pick<EventStoreConnection, 'driver'>;
  readonly personalData: Pick<PersonalData, 'forget'>;
}

export const subjectOfCall = (id: string): string => streamOf(outboundCallCategory, id);

const readMs = 5_000;

/** Announcements that were sent stay in the outbox for a week, in case the broker loses them. */
const deleteAnnouncements = async (
  { db, eventStore }: Pick<ForgettingParts, 'db' | 'eventStore'>,
  ids: readonly string[],
): Promise<void> => {
  const announced: string[] = [];
  for (const id of ids) {
    const events = await eventStore.driver.readStream(subjectOfCall(id), readMs);
    announced.push(...events.filter(({ type }) => type === 'AttemptStarted').map((event) => event.id));
  }
  await db.query('delete from outbox where event_id = any($1::uuid[]) and sent_at is not null', [announced]);
};

/** May be repeated, also for calls that do not exist. */
export const forgetCalls = async (parts: ForgettingParts, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const { db, personalData } = parts;
  await deleteAnnouncements(parts, ids);
  await personalData.forget(...ids.map(subjectOfCall));
  // Locked in the order in which the projection locks them.
  await db.query(
    `with found as materialized (select id from outbound_calls where id = any($1::uuid[]) order by id for update)
     update outbound_calls c set personal = null, number_hash = '', state = jsonb_set(c.state, '{personal}', 'null')
     from found where c.id = found.id`,
    [ids],
  );
};
