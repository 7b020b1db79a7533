// Gives the secrets of earlier releases their origins: those of the addresses that tools, agents, connections and models send them
// to now. Until then such a secret goes wherever it went, and only somebody who may allow origins names it anew.
import type { ResourceRef, SecretUses } from '@parlance/contracts';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { usesOf } from '../tools/mentions.js';
import type { ToolDocument } from '../tools/tool-record.js';
import { checkMentions, isForeign } from './foreign-mentions.js';
import { originsOf } from './references.js';

interface OldSecret {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

interface User {
  readonly type: ResourceRef['type'];
  readonly id: string;
  /** Grows each time the mention is noted. */
  readonly noted: string;
  /** The origins of the last report; null when the mention was noted since. */
  readonly origins: readonly string[] | null;
}

const atOnce = 50;
const everyMs = 30_000;

const usersOf = async (tx: Tx, { organizationId, id }: OldSecret): Promise<User[]> => {
  const { rows } = await tx.query<User>(
    `select user_type as type, user_id as id, noted::text,
       case when reported > noted then origins end as origins
     from secret_references
     where organization_id = $1 and secret_id = $2 order by 1, 2`,
    [organizationId, id],
  );
  return rows;
};

const usesOfTool = async (tx: Tx, organizationId: string, toolId: string): Promise<SecretUses> => {
  const { rows } = await tx.query<{ document: ToolDocument }>(
    'select document from tools where organization_id = $1 and id = $2',
    [organizationId, toolId],
  );
  return rows.flatMap(({ document }) => usesOf(document));
};

/** Null until the service of the resource has reported where it sends the secret. */
const originsBy = async (db: Database, secret: OldSecret, user: User): Promise<readonly string[] | null> => {
  if (user.type === 'tool') return originsOf(secret, await usesOfTool(db, secret.organizationId, user.id));
  return isForeign(user.type) ? user.origins : [];
};

export interface CollectOptions {
  readonly db: Database;
}

const requestReports = async (
  db: Database,
  { organizationId }: OldSecret,
  users: readonly User[],
): Promise<void> => {
  for (const { type, id } of users)
    if (isForeign(type)) await checkMentions(db, { organizationId, type, id });
};

/** @returns false when the origins cannot be told yet */
const collect = async ({ db }: CollectOptions, secret: OldSecret): Promise<boolean> => {
  const users = await usersOf(db, secret);
  const found = await Promise.all(users.map((user) => originsBy(db, secret, user)));
  const unknown = users.filter((_, index) => found[index] === null);
  if (unknown.length > 0) {
    await requestReports(db, secret, unknown);
    return false;
  }
  const origins = [...new Set(found.flatMap((one) => one ?? []))].sort();
  return db.transaction(async (tx) => {
    // The lock waits for a save that names the secret. A use that was noted meanwhile is found in the next round.
    await tx.query('select 1 from secrets where id = $1 for no key update', [secret.id]);
    if (JSON.stringify(await usersOf(tx, secret)) !== JSON.stringify(users)) return false;
    await tx.query('update secrets set allowed_origins = $2 where id = $1 and allowed_origins is null', [
      secret.id,
      origins,
    ]);
    return true;
  });
};

/** Collects the origins of every secret that has no list, in pieces. */
export const collectOrigins = async (options: CollectOptions, stopping: AbortSignal): Promise<void> => {
  let after = '00000000-0000-0000-0000-000000000000';
  while (!stopping.aborted) {
    const { rows } = await options.db.query<OldSecret>(
      `select id, organization_id as "organizationId", name from secrets
       where allowed_origins is null and id > $1 order by id limit ${atOnce}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const secret of rows) await collect(options, secret);
    after = last.id;
  }
};

/** Starts at once. While a new release replaces an old one, replicas of the old one still make secrets without a list. */
export const startCollectingOrigins = (options: CollectOptions, logger: Logger): RunningPart =>
  startRounds({
    name: 'origins of secrets of an earlier release',
    everyMs,
    logger,
    round: (stopping) => collectOrigins(options, stopping),
  });
