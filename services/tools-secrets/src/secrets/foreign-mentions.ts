// Keeps the mentions of resources in other services true: agents, connections to MCP servers, and widgets. Mentions are noted
// before a resource is saved, so a failed save leaves mentions behind. A save that drops a mention leaves it behind too. This file
// therefore asks the resource's service for the secrets that it mentions now.
import { type Caller, type ResourceRef, type SecretUses, serviceRequests } from '@parlance/contracts';
import { AppError, type ErrorCode, unreachable } from '@parlance/errors';
import { JobQueue, startJobs } from '@parlance/jobs';
import type { Logger, RunningPart } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import { keepReferences, type Mentions, nextNoted } from './references.js';

export interface ForeignMentionsOptions {
  readonly db: Database;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
}

/** A resource of another service. */
interface Mentioner {
  readonly organizationId: string;
  readonly type: Extract<ResourceRef['type'], 'agent' | 'mcp_connection' | 'model' | 'widget'>;
  readonly id: string;
}

/** The context of the question to a service for its mentions. */
interface Context {
  readonly caller: Caller;
  readonly requestId: string;
}

type Named = Mentions & { readonly name: string; readonly uses?: SecretUses | undefined };

/** Longer than a save may take, from the note of its mentions to its end. */
const settledAfterSeconds = 20;
const everyMs = 500;

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

const checks = new JobQueue<Mentioner & { readonly claim: string }>({
  name: 'secret-mentions',
  table: 'secret_reference_checks',
  key: ['organization_id', 'user_type', 'user_id'],
  columns: 'organization_id as "organizationId", user_type as type, user_id as id, claim',
  dueAt: 'due_at',
  fence: { column: 'claim', next: 'gen_random_uuid()' },
  // a check that its process does not finish in this time is done by another one
  leaseMs: 30_000,
});

const gone: Named = { ids: [], names: [], uses: [], name: '' };
const goneCodes: ReadonlySet<ErrorCode> = new Set([
  'AGENT_NOT_FOUND',
  'MCP_CONNECTION_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'WIDGET_NOT_FOUND',
]);

export class ForeignMentions {
  readonly #options: ForeignMentionsOptions;

  constructor(options: ForeignMentionsOptions) {
    this.#options = options;
  }

  /**
   * Takes away the mentions that the resource does not make any more.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while the resource's service does not answer
   */
  async refresh(mentioner: Mentioner, requestId: string): Promise<void> {
    const { db } = this.#options;
    const { organizationId, type, id } = mentioner;
    // The number is taken before the question. The service answers after the saves that were under way at the question.
    // So a mention noted before this moment is in the answer, or was never saved.
    const noted = await nextNoted(db);
    const { name, uses: _uses, ...mentions } = await this.#ask(mentioner, requestId);
    await db.transaction((tx) =>
      keepReferences(tx, organizationId, { type, id, name }, { ...mentions, noted }),
    );
  }

  /**
   * Where the resource sends secrets. Undefined when its service is one of a release before.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while the resource's service does not answer
   */
  async uses(mentioner: Mentioner, requestId: string): Promise<SecretUses | undefined> {
    return (await this.#ask(mentioner, requestId)).uses;
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
      perform: async (check) => {
        await this.refresh(check, check.claim);
        await checks.remove(db, check);
      },
      describe: ({ organizationId, type, id }) => ({ organizationId, type, id }),
    });
  }

  async #ask(mentioner: Mentioner, requestId: string): Promise<Named> {
    const caller = this.#options.callerFor(mentioner.organizationId);
    try {
      return await this.#mentionsOf(mentioner, { caller, requestId });
    } catch (error) {
      if (error instanceof AppError && goneCodes.has(error.code)) return gone;
      throw error;
    }
  }

  async #mentionsOf({ type, id }: Mentioner, context: Context): Promise<Named> {
    const { rpc } = this.#options;
    const { agentsSecretReferences, mcpSecretReferences } = serviceRequests;
    const { modelsSecretReferences, widgetsSecretReferences } = serviceRequests;
    switch (type) {
      case 'agent':
        return (await rpc.call(agentsSecretReferences, { body: { agentId: id } }, context)).data;
      case 'mcp_connection':
        return (await rpc.call(mcpSecretReferences, { body: { mcpConnectionId: id } }, context)).data;
      case 'model':
        return (await rpc.call(modelsSecretReferences, { body: { modelId: id } }, context)).data;
      case 'widget':
        return (await rpc.call(widgetsSecretReferences, { body: { widgetId: id } }, context)).data;
      default:
        return unreachable(type);
    }
  }
}
