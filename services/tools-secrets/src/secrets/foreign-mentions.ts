// Keeps the mentions of resources in other services true: agents, connections to MCP servers, and widgets. Mentions are noted
// before a resource is saved, so a failed save leaves mentions behind. A save that drops a mention leaves it behind too. Events
// therefore request a report of the secrets that the resource mentions now, and its service answers in an event.
import { setTimeout as delay } from 'node:timers/promises';
import { type EventOf, events, type ResourceRef, type SecretMentionsReport } from '@parlance/contracts';
import { JobQueue, startJobs } from '@parlance/jobs';
import type { Clock, Ids, Logger, RunningPart } from '@parlance/observability';
import { announce, type Database, type Tx } from '@parlance/postgres';
import { keepReferences, nextNoted } from './references.js';

export interface ForeignMentionsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A resource of another service. */
interface Mentioner {
  readonly organizationId: string;
  readonly type: Extract<ResourceRef['type'], 'agent' | 'mcp_connection' | 'model' | 'widget'>;
  readonly id: string;
}

/** Longer than a save may take, from the note of its mentions to its end. */
const settledAfterSeconds = 20;
const everyMs = 500;
/** A request without a report is repeated: the broker may have lost the event, or the service that reports is an earlier release. */
const repeatedAfterSeconds = 30;

/** True for a resource with a service of its own that knows its mentions. */
export const isForeign = (type: ResourceRef['type']): type is Mentioner['type'] =>
  type === 'agent' || type === 'mcp_connection' || type === 'model' || type === 'widget';

/** Makes a check of the resource's mentions due now. A resource without mentions needs no check. */
export const checkMentions = async (tx: Tx, { organizationId, type, id }: Mentioner): Promise<void> => {
  await tx.query(
    `insert into secret_reference_checks (organization_id, user_type, user_id, due_at)
     select $1, $2, $3::uuid, now() where exists (
       select 1 from secret_references where organization_id = $1 and user_type = $2 and user_id = $3::text)
     on conflict (organization_id, user_type, user_id)
       do update set due_at = least(secret_reference_checks.due_at, excluded.due_at), claim = null`,
    [organizationId, type, id],
  );
};

/** Makes a check of the resource's mentions due at a time when the present save has surely succeeded or failed. */
export const checkMentionsLater = async (tx: Tx, { organizationId, type, id }: Mentioner): Promise<void> => {
  await tx.query(
    `insert into secret_reference_checks (organization_id, user_type, user_id, due_at)
     values ($1, $2, $3, now() + interval '${settledAfterSeconds} seconds')
     on conflict (organization_id, user_type, user_id) do update set due_at = excluded.due_at, claim = null`,
    [organizationId, type, id],
  );
};

const checks = new JobQueue<Mentioner>({
  name: 'secret-mentions',
  table: 'secret_reference_checks',
  key: ['organization_id', 'user_type', 'user_id'],
  columns: 'organization_id as "organizationId", user_type as type, user_id as id',
  dueAt: 'due_at',
  fence: { column: 'claim', next: 'gen_random_uuid()' },
  // A report from before the lease does not answer the request that follows.
  set: 'requested = null',
  leaseMs: repeatedAfterSeconds * 1_000,
});

/** Notes a report. The check ends, unless it became due anew since the request. */
export const noteReport = async (
  tx: Tx,
  { organizationId, data }: { readonly organizationId: string; readonly data: SecretMentionsReport },
): Promise<void> => {
  const { user, noted, ...mentions } = data;
  await keepReferences(tx, organizationId, user, { ...mentions, noted });
  await tx.query(
    `delete from secret_reference_checks
     where organization_id = $1 and user_type = $2 and user_id = $3 and requested <= $4 and claim is not null`,
    [organizationId, user.type, user.id, noted],
  );
};

/** A deletion does not wait longer for reports. */
const patienceMs = 2_000;
const pollEveryMs = 25;

export class ForeignMentions {
  readonly #options: ForeignMentionsOptions;

  constructor(options: ForeignMentionsOptions) {
    this.#options = options;
  }

  /**
   * Requests reports of these resources of one organization, and waits for them. Mentions of which no report comes in time stay as
   * they are noted.
   */
  async refresh(organizationId: string, users: readonly Pick<Mentioner, 'type' | 'id'>[]): Promise<void> {
    const { db } = this.#options;
    const noted = await db.transaction(async (tx) => {
      const number = await nextNoted(tx);
      for (const user of users) {
        await tx.query(
          `insert into secret_reference_checks (organization_id, user_type, user_id, due_at, claim, requested)
           values ($1, $2, $3, now() + interval '${repeatedAfterSeconds} seconds', gen_random_uuid(), $4)
           on conflict (organization_id, user_type, user_id)
             do update set due_at = excluded.due_at, claim = excluded.claim, requested = excluded.requested`,
          [organizationId, user.type, user.id, number],
        );
        await this.#request(tx, { organizationId, ...user }, number);
      }
      return number;
    });
    const until = performance.now() + patienceMs;
    while ((await this.#isUnanswered(organizationId, noted)) && performance.now() < until)
      await delay(pollEveryMs);
  }

  /** Starts the checks of the resources that are due. */
  start(logger: Logger): RunningPart {
    const { db } = this.#options;
    return startJobs({
      name: 'checks of what agents, connections, models and widgets mention',
      everyMs,
      db,
      queue: checks,
      logger,
      atOnce: 1,
      // The check stays until its report comes, and is due again when its lease ends.
      perform: (check) =>
        db.transaction(async (tx) => {
          const noted = await nextNoted(tx);
          const { organizationId, type, id } = check;
          if (await checks.update(tx, check, { set: 'requested = $1', values: [noted] }))
            await this.#request(tx, { organizationId, type, id }, noted);
        }),
      describe: ({ organizationId, type, id }) => ({ organizationId, type, id }),
    });
  }

  #request(tx: Tx, { organizationId, type, id }: Mentioner, noted: string): Promise<void> {
    const data: EventOf<typeof events.secretMentionsRequested>['data'] = { user: { type, id }, noted };
    return announce(tx, this.#options, events.secretMentionsRequested, organizationId, data);
  }

  async #isUnanswered(organizationId: string, noted: string): Promise<boolean> {
    const { rowCount } = await this.#options.db.query(
      'select 1 from secret_reference_checks where organization_id = $1 and requested = $2 limit 1',
      [organizationId, noted],
    );
    return rowCount > 0;
  }
}
