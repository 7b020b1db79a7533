// Calls that have not ended, for the reconciler: few rows, found by a partial index, of all organizations.
import type { Tx } from '@parlance/postgres';

export interface OpenCall {
  readonly callId: string;
  readonly organizationId: string;
  readonly roomName: string | null;
  /** True for an unanswered attempt of the dialer: only the dialer knows its end. */
  readonly isDialling: boolean;
}

interface Row {
  readonly call_id: string;
  readonly organization_id: string;
  readonly room_name: string | null;
  readonly is_dialling: boolean;
}

const select = async (
  tx: Tx,
  condition: string,
  values: readonly unknown[],
  limit: number,
): Promise<OpenCall[]> => {
  const { rows } = await tx.query<Row>(
    `select call_id, organization_id, room_name,
            outbound_call_id is not null and answered_at is null as is_dialling
     from call_index
     where phase <> 'ended' and ${condition} order by started_at limit ${limit}`,
    values,
  );
  return rows.map((row) => ({
    callId: row.call_id,
    organizationId: row.organization_id,
    roomName: row.room_name,
    isDialling: row.is_dialling,
  }));
};

/** Calls without a room that have waited long enough for a report of their end. */
export const overdueCalls = (tx: Tx, now: string): Promise<OpenCall[]> =>
  select(tx, `phase = 'closing' and closing_due_at <= $1`, [now], 200);

/** Live calls that began before this moment. */
export const liveCallsSince = (tx: Tx, before: string): Promise<OpenCall[]> =>
  select(tx, `phase = 'live' and started_at <= $1`, [before], 5_000);

/** Outbound calls that began before this moment and of which the dialer has told neither answer nor end. */
export const unansweredOutboundCalls = (tx: Tx, before: string): Promise<OpenCall[]> =>
  select(tx, 'outbound_call_id is not null and answered_at is null and started_at <= $1', [before], 500);
