// Announces a number to the other services, and writes actor and act into the audit log.
import { type Caller, events } from '@parlance/contracts';
import type { Clock, Ids } from '@parlance/observability';
import { announce, type Tx } from '@parlance/postgres';
import type { NumberRow } from './number-record.js';

interface Sources {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Announces the number as it is in this row, when the transaction commits. */
export const announceNumber = (tx: Tx, sources: Sources, row: NumberRow): Promise<void> =>
  announce(tx, sources, events.numberChanged, row.organization_id, {
    numberId: row.id,
    phoneNumber: row.phone_number,
    provider: row.provider,
    isoCountry: row.iso_country,
    status: row.status,
    agentId: row.agent_id,
    version: row.version,
  });

export type Action =
  | 'purchase.requested'
  | 'purchase.completed'
  | 'purchase.failed'
  | 'purchase.givenUp'
  | 'release.requested'
  | 'release.completed'
  | 'assignment.changed'
  | 'orphan.released';

/** The actor; without one, the platform itself. */
export interface Actor {
  readonly caller: Caller;
  readonly requestId: string;
}

export interface Audited {
  readonly action: Action;
  readonly organizationId: string;
  readonly numberId: string | null;
  readonly by?: Actor;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const audit = async (tx: Tx, now: Date, entry: Audited): Promise<void> => {
  const { by } = entry;
  const actor = by === undefined ? 'platform' : `${by.caller.actor.type}:${by.caller.actor.id}`;
  await tx.query(
    `insert into audit_log (at, organization_id, actor, request_id, action, number_id, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      now,
      entry.organizationId,
      actor,
      by?.requestId ?? null,
      entry.action,
      entry.numberId,
      JSON.stringify(entry.details ?? {}),
    ],
  );
};
