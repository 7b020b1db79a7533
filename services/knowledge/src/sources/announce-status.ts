// Tells people who look at a source the progress of its reading.
import { events } from '@parlance/contracts';
import { systemClock, systemIds } from '@parlance/observability';
import { announce, type Tx } from '@parlance/postgres';
import type { SourceRow } from './source-record.js';

/** Announces the status when the transaction commits. */
export const announceStatus = (
  tx: Tx,
  organizationId: string,
  { id: sourceId, agent_id: agentId }: Pick<SourceRow, 'id' | 'agent_id'>,
  status: SourceRow['status'],
  /** Failed tries of a job that waits for the next one. */
  tries?: number,
): Promise<void> =>
  announce(tx, { clock: systemClock, ids: systemIds }, events.knowledgeSourceChanged, organizationId, {
    sourceId,
    agentId,
    status,
    ...(tries === undefined ? {} : { tries }),
  });
