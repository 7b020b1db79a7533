// Deletes the data of a removed organization. Its sessions are ended, and their rows go when their rooms are gone.
import { type Database, deleteOfOrganization } from '@parlance/postgres';
import { forgetPreviews, forgetSessionsOfWidget } from '../sessions/session-rows.js';
import { deleteWidgetRow } from '../widgets/widgets-repository.js';

/** Deletes a part; resolves with true when nothing is left. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  const areSessionsGone = await db.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>('select id from widgets where organization_id = $1', [
      organizationId,
    ]);
    for (const { id } of rows) {
      await deleteWidgetRow(tx, organizationId, id);
      await forgetSessionsOfWidget(tx, organizationId, id);
    }
    await forgetPreviews(tx, organizationId, null);
    const left = await tx.query('select 1 from widget_sessions where organization_id = $1 limit 1', [
      organizationId,
    ]);
    return left.rowCount === 0;
  });
  return (
    (await deleteOfOrganization(db, organizationId, ['widget_agents', 'secret_saves'])) && areSessionsGone
  );
};
