// Reads the tools of a server and notes the state of its connection. A refresh that fails changes the state alone: the last good
// tools stay. One process at a time refreshes a connection.
import { setTimeout as delay } from 'node:timers/promises';
import { events, type McpConnection } from '@parlance/contracts';
import { type FairSlots, fairlyPicked } from '@parlance/jobs';
import type { Clock, Ids, Logger } from '@parlance/observability';
import { announce, type Database, type Tx } from '@parlance/postgres';
import { McpFailure } from '../protocol/failures.js';
import type { ServerInfo, Session } from '../protocol/session.js';
import type { Sessions } from '../protocol/sessions.js';
import { type ReadTools, readTools } from '../tools/read-tools.js';
import { replaceTools } from '../tools/tools-repository.js';
import { type ConnectionRow, connectionColumns } from './connection-record.js';
import { troubleOf } from './states.js';

export interface RefreshParts {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly openSession: (connection: ConnectionRow, timeoutMs: number) => Promise<Session>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Read extends ReadTools {
  readonly server: ServerInfo;
}

interface Leased {
  readonly connection: ConnectionRow;
  readonly leaseId: string;
}

/** The longest time of a refresh, even where the connection allows more for a call. */
export const refreshWithinMs = 15_000;
const leaseSeconds = 30;
const everyMinutes = 15;
const firstRetrySeconds = 30;
const mostRetrySeconds = 3_600;
const pollEveryMs = 200;

const takeLease = `set refresh_lease = gen_random_uuid(), refresh_leased_until = now() + interval '${leaseSeconds} seconds'`;
const isFree = '(c.refresh_leased_until is null or c.refresh_leased_until < now())';
type LeasedRow = ConnectionRow & { readonly refresh_lease: string };

const asLeased = ({ refresh_lease: leaseId, ...connection }: LeasedRow): Leased => ({ connection, leaseId });

/** Undefined when another process has the refresh in hand. */
const lease = async (tx: Tx, organizationId: string, connectionId: string): Promise<Leased | undefined> => {
  const { rows } = await tx.query<LeasedRow>(
    `update mcp_connections c ${takeLease} where c.organization_id = $1 and c.id = $2 and ${isFree}
     returning ${connectionColumns}, c.refresh_lease`,
    [organizationId, connectionId],
  );
  return rows[0] && asLeased(rows[0]);
};

const dueRefreshes = fairlyPicked(
  {
    turns: { pool: 'refreshes' },
    table: 'mcp_connections',
    id: 'id',
    isDue: `q.refresh_due_at <= now() and (q.refresh_leased_until is null or q.refresh_leased_until < now())`,
    order: 'q.refresh_due_at',
  },
  { limit: '$1::int', share: '$2::int', holders: '$3::text[]' },
);

/** Leases connections that are due for a refresh: of each organization a share of them. */
export const leaseDue = async (
  tx: Tx,
  { free, share, holders }: Pick<FairSlots, 'free' | 'share' | 'holders'>,
): Promise<Leased[]> => {
  const { rows } = await tx.query<LeasedRow>({
    name: 'lease_mcp_refreshes',
    text: `${dueRefreshes}
           update mcp_connections c ${takeLease} from picked where c.id = picked.id
           returning ${connectionColumns}, c.refresh_lease`,
    values: [free, share, holders],
  });
  return rows.map(asLeased);
};

/** Makes a refresh due, at most every ten seconds for each connection. */
export const refreshSoon = async (tx: Tx, organizationId: string, connectionId: string): Promise<void> => {
  await tx.query({
    name: 'refresh_mcp_soon',
    text: `update mcp_connections
           set refresh_due_at = least(refresh_due_at, greatest(now(), last_refreshed_at + interval '10 seconds'))
           where organization_id = $1 and id = $2`,
    values: [organizationId, connectionId],
  });
};

const read = ({ sessions, openSession }: RefreshParts, connection: ConnectionRow): Promise<Read> =>
  sessions.use({ connectionId: connection.id, revision: connection.revision }, refreshWithinMs, {
    open: () => openSession(connection, refreshWithinMs),
    work: async (session, leftMs) => {
      const tools = readTools(await session.listTools(leftMs));
      if (tools.isTooMany) throw new McpFailure('too_many_tools');
      return { ...tools, server: session.server };
    },
  });

/** Locks the connection if this refresh still counts: no other process has it in hand, and its settings are the same. */
const stillCounts = async (tx: Tx, { connection, leaseId }: Leased): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from mcp_connections where organization_id = $1 and id = $2 and refresh_lease = $3 and revision = $4
     for update`,
    [connection.organization_id, connection.id, leaseId, connection.revision],
  );
  return rowCount > 0;
};

/** Tells others of a new state, such as a page that waits for the end of a login. */
const tellState = async (
  tx: Tx,
  parts: RefreshParts,
  { organization_id: organizationId, id, status: before }: ConnectionRow,
  status: McpConnection['status'],
): Promise<void> => {
  if (status !== before)
    await announce(tx, parts, events.mcpConnectionSaved, organizationId, { mcpConnectionId: id });
};

const saveTools = async (
  parts: RefreshParts,
  leased: Leased,
  { tools, warnings, server }: Read,
): Promise<void> => {
  const { organization_id: organizationId, id, name, approval_policy: approvalPolicy } = leased.connection;
  const now = parts.clock.now();
  await parts.db.transaction(async (tx) => {
    if (!(await stillCounts(tx, leased))) return;
    await replaceTools(tx, { organizationId, connection: { id, name, approvalPolicy } }, tools, {
      ids: parts.ids,
      now,
    });
    await tx.query(
      `update mcp_connections set status = 'connected', last_error = null, advice = null, server_info = $3, warnings = $4,
         status_since = case when status = 'connected' then status_since else $5 end, last_refreshed_at = $5,
         refresh_failures = 0, refresh_due_at = now() + interval '${everyMinutes} minutes',
         refresh_lease = null, refresh_leased_until = null
       where organization_id = $1 and id = $2`,
      [organizationId, id, JSON.stringify(server), JSON.stringify(warnings), now],
    );
    await tellState(tx, parts, leased.connection, 'connected');
  });
};

const saveTrouble = async (parts: RefreshParts, leased: Leased, failure: McpFailure): Promise<void> => {
  const { organization_id: organizationId, id, refresh_failures: failures } = leased.connection;
  const { status, lastError, advice } = troubleOf(failure.reason);
  const retrySeconds = Math.min(mostRetrySeconds, firstRetrySeconds * 2 ** Math.min(failures, 10));
  await parts.db.transaction(async (tx) => {
    if (!(await stillCounts(tx, leased))) return;
    await tx.query(
      `update mcp_connections set status = $3, last_error = $4, advice = $5,
         status_since = case when status = $3 then status_since else $6 end,
         refresh_failures = refresh_failures + 1, refresh_due_at = now() + make_interval(secs => $7),
         refresh_lease = null, refresh_leased_until = null
       where organization_id = $1 and id = $2`,
      [organizationId, id, status, lastError, advice, parts.clock.now(), retrySeconds],
    );
    await tellState(tx, parts, leased.connection, status);
  });
};

/** Refreshes a connection that this process has in hand. Every outcome is a state of the connection. */
export const refreshLeased = async (parts: RefreshParts, leased: Leased): Promise<void> => {
  try {
    await saveTools(parts, leased, await read(parts, leased.connection));
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    parts.logger.info(
      { err: error, connectionId: leased.connection.id, reason: error.reason },
      'the tools of an MCP server could not be read',
    );
    await saveTrouble(parts, leased, error);
  }
};

const isInHand = async (tx: Tx, organizationId: string, connectionId: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from mcp_connections where organization_id = $1 and id = $2 and refresh_leased_until > now()`,
    [organizationId, connectionId],
  );
  return rowCount > 0;
};

export class Refreshes {
  readonly #parts: RefreshParts;

  constructor(parts: RefreshParts) {
    this.#parts = parts;
  }

  /** Refreshes a connection now, or waits for the refresh that another request or process has in hand. */
  async now(organizationId: string, connectionId: string): Promise<void> {
    const { db } = this.#parts;
    const leased = await lease(db, organizationId, connectionId);
    if (leased !== undefined) return refreshLeased(this.#parts, leased);
    const until = performance.now() + refreshWithinMs;
    while (performance.now() < until && (await isInHand(db, organizationId, connectionId))) {
      await delay(pollEveryMs);
    }
  }

  /** Begins the connection anew, because its requests carry something else from now on. */
  async connectAgain(organizationId: string, connectionId: string): Promise<void> {
    const { db, sessions, clock } = this.#parts;
    await db.query(
      `update mcp_connections set revision = revision + 1, refresh_due_at = $3, refresh_lease = null, refresh_leased_until = null
       where organization_id = $1 and id = $2`,
      [organizationId, connectionId, clock.now()],
    );
    sessions.forget(connectionId);
    await this.now(organizationId, connectionId);
  }
}
