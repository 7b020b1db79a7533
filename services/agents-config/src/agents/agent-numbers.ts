// The telephone numbers that agents answer. telephony-numbers owns them; this table keeps its announcements.
import type { EventOf, events } from '@parlance/contracts';
import { isRemoved, type Tx } from '@parlance/postgres';

/** Of two announcements of one number the newer holds, in any order of arrival. */
export const noteNumber = async (
  tx: Tx,
  { organizationId, data }: EventOf<typeof events.numberChanged>,
): Promise<void> => {
  if (await isRemoved(tx, organizationId)) return;
  const agentId = data.status === 'active' || data.status === 'provisioning' ? data.agentId : null;
  await tx.query(
    `insert into agent_numbers (number_id, organization_id, agent_id, phone_number, version)
     values ($1, $2, $3, $4, $5)
     on conflict (number_id) do update set agent_id = excluded.agent_id, version = excluded.version
       where agent_numbers.version < excluded.version`,
    [data.numberId, organizationId, agentId, data.phoneNumber, data.version],
  );
};
