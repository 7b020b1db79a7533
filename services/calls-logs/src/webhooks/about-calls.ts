// Facts about calls outside their streams: the delivery of their webhooks, and the answer to the initiation webhook.
import { type CallLog, eventConsumers, type InitiationResult } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, type Database, startConsumer } from '@parlance/postgres';
import { type Calls, reportedBy } from '../call/call-repository.js';

interface About {
  readonly id: string;
  readonly delivery: CallLog['webhookDelivery'] | null;
  readonly initiation: InitiationResult | null;
}

/** The facts about these calls, each by the id of its call. */
export const webhooksAbout = async (
  db: Database,
  organizationId: string,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, About>> => {
  const { rows } = await db.query<About>({
    name: 'webhooks-about-calls',
    text: `select c.id, d.delivery, i.result as initiation from unnest($2::text[]) as c (id)
           left join lateral (
             select case
               when bool_or(status = 'dead') then 'failed'
               when bool_or(status <> 'delivered') then 'pending'
               when count(*) > 0 then 'delivered' end as delivery
             from webhook_deliveries where call_id = c.id and organization_id = $1) d on true
           left join call_initiations i on i.call_id = c.id and i.organization_id = $1`,
    values: [organizationId, callIds],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/** The entry of the call log with the facts about its call. */
export const withWebhooks = (log: CallLog, about: About | undefined): CallLog => ({
  ...log,
  webhookDelivery: about?.delivery ?? 'none',
  initiation: about?.initiation ?? null,
});

export interface InitiationConsumerOptions
  extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'seals' | 'logger'> {
  readonly calls: Pick<Calls, 'handle'>;
  readonly now: () => Date;
}

/** A call that nobody has described so long after its webhook answered never began. */
const beginsWithinMs = 120_000;

const isUnknownCall = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CALL_NOT_FOUND';

/**
 * Listens to the results of initiation webhooks; of a call with two, the later one stays. Starts at once. A result that
 * overtook the first report of its call comes again a moment later.
 */
export const startInitiationConsumer = ({ calls, now, ...options }: InitiationConsumerOptions): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['calls-logs'].initiations,
    handle: async (tx, { id, organizationId, occurredAt, data }) => {
      const { callId, agentId, result, dynamicVariables = {} } = data;
      await tx.query(
        `insert into call_initiations as i (call_id, organization_id, result) values ($1, $2, $3)
         on conflict (call_id) do update set result = excluded.result
         where i.organization_id = excluded.organization_id and i.result ->> 'at' < excluded.result ->> 'at'`,
        [callId, organizationId, JSON.stringify(result)],
      );
      const at = now();
      const command = { type: 'RecordInitiation', now: at.toISOString(), organizationId } as const;
      await calls
        .handle(
          callId,
          { ...command, agentId, at: result.at, dynamicVariables },
          reportedBy('agents-config', { factId: id, organizationId, occurredAt }),
        )
        .catch((error: unknown) => {
          // Without variables there is nothing that a call has to wait for.
          const isOver =
            Object.keys(dynamicVariables).length === 0 ||
            at.getTime() - Date.parse(occurredAt) > beginsWithinMs;
          if (!(isUnknownCall(error) && isOver)) throw error;
        });
    },
  });
