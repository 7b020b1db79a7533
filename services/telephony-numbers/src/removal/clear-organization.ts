// Gives back the numbers of a removed organization. The organization owned none when the gateway asked. If there is one
// all the same, no person is left to release it, and every month it costs money.
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { announceNumber, audit } from '../numbers/announce.js';
import type { NumberRow } from '../numbers/number-record.js';

/** Begins to give back every number that works; the reconciler goes on from there. Resolves with true when none is left. */
export const clearOrganization = async (
  parts: { readonly db: Database; readonly clock: Clock; readonly ids: Ids },
  organizationId: string,
): Promise<boolean> => {
  const { db, clock } = parts;
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<NumberRow>(
      `update numbers set status = 'releasing', agent_id = null, agent_name = null, agent_named_at = null,
         version = version + 1, updated_at = $2, tries = 0, next_try_at = $2
       where organization_id = $1 and status = 'active' returning *`,
      [organizationId, now],
    );
    for (const row of rows) {
      await announceNumber(tx, parts, row);
      const details = {
        phoneNumber: row.phone_number,
        provider: row.provider,
        because: 'organization removed',
      };
      await audit(tx, now, { action: 'release.requested', organizationId, numberId: row.id, details });
    }
  });
  const { rowCount } = await db.query(
    `select 1 from numbers where organization_id = $1 and status in ('provisioning', 'active') limit 1`,
    [organizationId],
  );
  return rowCount === 0;
};
