// Gives the secrets of earlier releases their origins: those of the addresses that tools, agents, connections and models send them
// to now. Until then such a secret goes wherever it went, and only somebody who may allow origins names it anew.
import type { ResourceRef, SecretUses } from '@parlance/contracts';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { usesOf } from '../tools/mentions.js';
import type { ToolDocument } from '../tools/tool-record.js';
import { type ForeignMentions, isForeign } from './foreign-mentions.js';
import type { Mentions } from './references.js';

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
}

const atOnce = 50;
const everyMs = 30_000;

const usersOf = async (tx: Tx, { organizationId, id }: OldSecret): Promise<User[]> => {
  const { rows } = await tx.query<User>(
    `select user_type as type, user_id as id, noted::text from secret_references
     where organization_id = $1 and secret_id = $2 order by 1, 2`,
    [organizationId, id],
  );
  return rows;
};

const names = ({ id, name }: OldSecret, mentions: Mentions): boolean =>
  mentions.ids.some((one) => one.toLowerCase() === id) || mentions.names.includes(name);

const usesOfTool = async (tx: Tx, organizationId: string, toolId: string): Promise<SecretUses> => {
  const { rows } = await tx.query<{ document: ToolDocument }>(
    'select document from tools where organization_id = $1 and id = $2',
    [organizationId, toolId],
  );
  return rows.flatMap(({ document }) => usesOf(document));
};

/** Undefined while a service of the release before does not say where it sends secrets. */
const usesBy = async (
  { db, mentions }: CollectOptions,
  { organizationId, id }: OldSecret,
  user: User,
): Promise<SecretUses | undefined> => {
  if (user.type === 'tool') return usesOfTool(db, organizationId, user.id);
  const { type } = user;
  return isForeign(type) ? mentions.uses({ organizationId, type, id: user.id }, id) : [];
};

export interface CollectOptions {
  readonly db: Database;
  readonly mentions: Pick<ForeignMentions, 'uses'>;
}

/** @returns false when the origins cannot be told yet */
const collect = async (options: CollectOptions, secret: OldSecret): Promise<boolean> => {
  const { db } = options;
  const users = await usersOf(db, secret);
  const uses = await Promise.all(users.map((user) => usesBy(options, secret, user)));
  if (uses.includes(undefined)) return false;
  const found = uses.flatMap((one) => one ?? []).filter((use) => names(secret, use));
  const origins = [...new Set(found.map(({ origin }) => origin))].sort();
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
