// The entries about the webhooks of a call, which lie beside its stream.
import type { CallTimelineEntry, InitiationResult } from '@parlance/contracts';
import type { Database } from '@parlance/postgres';
import { listDeliveries } from '../webhooks/history/shown-deliveries.js';
import { actorOf, iso } from './call-entries.js';

/** Each kind of message is sent once for a call. */
const mostDeliveries = 10;

const initiationOf = async (
  db: Database,
  organizationId: string,
  callId: string,
): Promise<InitiationResult | undefined> => {
  const { rows } = await db.query<{ result: InitiationResult }>({
    name: 'timeline-initiation',
    text: 'select result from call_initiations where call_id = $1 and organization_id = $2',
    values: [callId, organizationId],
  });
  return rows[0]?.result;
};

export const webhookEntriesOf = async (
  db: Database,
  organizationId: string,
  callId: string,
): Promise<readonly CallTimelineEntry[]> => {
  const [deliveries, initiation] = await Promise.all([
    listDeliveries(db, organizationId, { callId }, { limit: mostDeliveries }),
    initiationOf(db, organizationId, callId),
  ]);
  const due = deliveries.map(({ id, createdAt, type, status, tries, lastProblem }): CallTimelineEntry => {
    const details = { deliveryId: id, type, status, tries, problem: lastProblem?.code ?? null };
    return { at: createdAt, actor: actorOf('platform:calls-logs'), kind: 'webhook.due', details };
  });
  if (initiation === undefined) return due;
  const { outcome, statusCode, durationMs, error } = initiation;
  const details = { outcome, statusCode, durationMs, error };
  const asked = { at: iso(initiation.at), actor: actorOf('platform:agents-config'), details };
  return [...due, { ...asked, kind: 'initiation.asked' }];
};
