// The stored API keys: rows of better-auth's table, and beside them the gateway's facts about each. A key is never
// deleted, so that an owner can read why it stopped.
import type { McpConfirm } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import type { Clock, Ids } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { generateApiKey, shownLength } from './api-key-format.js';
import { type FallReason, type MakerStanding, whyMakerFails } from './key-falls.js';

export interface NewKey {
  readonly name: string;
  readonly organizationId: string;
  readonly userId: string;
  /** The permissions as the column holds them. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly expiresAt: Date | null;
  readonly allowedAddresses: readonly string[] | null;
  readonly mcpConfirm: McpConfirm;
}

/** A key as it is kept, without its hash. */
export interface KeptKey {
  readonly id: string;
  readonly name: string | null;
  readonly start: string | null;
  readonly permissions: string | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly lastRequest: Date | null;
  readonly expiresAt: Date | null;
  readonly enabled: boolean;
  readonly allowedAddresses: readonly string[] | null;
  readonly mcpConfirm: McpConfirm;
  readonly rotatedTo: string | null;
  readonly fellFor: FallReason | null;
  readonly fellAt: Date | null;
}

/** A key that is being made, with the key itself. */
export type FreshKey = KeptKey & { readonly key: string };

/** More work in the transaction that makes a key. A failure undoes the key. */
type WithKey = (tx: Tx, made: FreshKey) => Promise<void>;

export interface KeyChange {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly allowedAddresses?: readonly string[] | null | undefined;
}

export interface LookedUpKey extends MakerStanding {
  readonly id: string;
  readonly organizationId: string;
  readonly expiresAt: Date | null;
  readonly allowedAddresses: readonly string[] | null;
  readonly mcpConfirm: McpConfirm;
}

/** Longest list; the newest keys of an organization. */
const longestList = 1_000;

const maker = `coalesce(f.made_by, substring(k.metadata from 'createdBy[^0-9a-f]+([0-9a-f-]{36})'))`;

const columns = `k.id, k.name, k.start, k.permissions, ${maker} as "createdBy", k."createdAt" as "createdAt",
  k."lastRequest" as "lastRequest", k."expiresAt" as "expiresAt", k.enabled, f.allowed_addresses as "allowedAddresses",
  coalesce(f.mcp_confirm, 'always') as "mcpConfirm", f.rotated_to as "rotatedTo", f.fell_for as "fellFor", f.fell_at as "fellAt"`;

const kept = `select ${columns} from apikey k left join api_key_facts f on f.key_id = k.id where k."referenceId" = $1`;

// The join with the organization stops the keys of a deleted organization. The join with the member stops the keys of a
// maker who left. The next look finds both cases, even if no gateway heard of the change.
const lookUp = {
  name: 'gateway_find_key',
  text: `select k.id, k."referenceId" as "organizationId", k.permissions, k."expiresAt" as "expiresAt",
                f.allowed_addresses as "allowedAddresses", coalesce(f.mcp_confirm, 'always') as "mcpConfirm",
                ${maker} as "madeBy", m.role as "makerRole"
           from apikey k join organization o on o.id = k."referenceId"
           left join api_key_facts f on f.key_id = k.id
           left join member m on m."organizationId" = k."referenceId" and m."userId" = ${maker}
          where k.key = $1 and k.enabled and f.fell_for is null`,
};

const standings = `
  select k.id, k.permissions, ${maker} as "madeBy", m.role as "makerRole"
    from apikey k left join api_key_facts f on f.key_id = k.id
    left join member m on m."organizationId" = k."referenceId" and m."userId" = ${maker}
   where k."referenceId" = $1 and f.fell_for is null`;

// The first reason stays. Switched off besides, so that a gateway of an older version refuses it too.
const recordFall = `
  with fallen as (
    insert into api_key_facts (key_id, made_by, fell_for, fell_at)
    select k.id, ${maker}, $3, now()
      from apikey k left join api_key_facts f on f.key_id = k.id
     where k."referenceId" = $1 and k.id = $2
    on conflict (key_id) do update set fell_for = excluded.fell_for, fell_at = excluded.fell_at
     where api_key_facts.fell_for is null
    returning key_id)
  update apikey set enabled = false, "updatedAt" = now() where id in (select key_id from fallen)`;

export interface ApiKeyStoreOptions {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The second part of a key. */
  readonly environment: string;
}

export class ApiKeyStore {
  readonly #options: ApiKeyStoreOptions;

  constructor(options: ApiKeyStoreOptions) {
    this.#options = options;
  }

  /** Makes a key; the key itself is in this answer and nowhere else. */
  create(key: NewKey, also: WithKey = async () => undefined): Promise<FreshKey> {
    return this.#options.db.transaction(async (tx) => {
      const made = await this.#insert(tx, key);
      await also(tx, made);
      return made;
    });
  }

  /** The key behind a hash, if nothing that is recorded stops it. */
  async lookUp(hash: string): Promise<LookedUpKey | undefined> {
    const { rows } = await this.#options.db.query<LookedUpKey>(lookUp, [hash]);
    return rows[0];
  }

  async list(organizationId: string): Promise<{ readonly keys: readonly KeptKey[]; readonly total: number }> {
    const { db } = this.#options;
    const { rows: keys } = await db.query<KeptKey>(
      `${kept} order by k."createdAt" desc, k.id desc limit ${longestList}`,
      [organizationId],
    );
    const { rows } = await db.query<{ total: number }>(
      'select count(*)::int as total from apikey where "referenceId" = $1',
      [organizationId],
    );
    return { keys, total: rows[0]?.total ?? 0 };
  }

  async find(organizationId: string, id: string): Promise<KeptKey | undefined> {
    return this.#find(this.#options.db, organizationId, id);
  }

  /**
   * Changes a key that has not fallen; undefined when there is no such key.
   * @param refuse throws for a key that must not be changed so; the key is locked meanwhile
   */
  async change(
    organizationId: string,
    id: string,
    change: KeyChange,
    refuse: (key: KeptKey) => void,
  ): Promise<KeptKey | undefined> {
    return this.#options.db.transaction(async (tx) => {
      const key = await this.#findLocked(tx, organizationId, id);
      if (key === undefined || key.fellFor !== null) return key;
      refuse(key);
      const next = {
        ...key,
        ...Object.fromEntries(Object.entries(change).filter(([, v]) => v !== undefined)),
      };
      await tx.query(
        `update apikey set name = $3, enabled = $4, "expiresAt" = $5, "updatedAt" = now()
          where "referenceId" = $1 and id = $2`,
        [organizationId, id, next.name, next.enabled, next.expiresAt],
      );
      await tx.query(
        `insert into api_key_facts (key_id, made_by, allowed_addresses) values ($1, $2, $3)
         on conflict (key_id) do update set allowed_addresses = excluded.allowed_addresses`,
        [id, key.createdBy, next.allowedAddresses],
      );
      return next;
    });
  }

  /** Records that a key stopped, and why; false when there is no such key. */
  async fall(organizationId: string, id: string, reason: FallReason): Promise<boolean> {
    const { db } = this.#options;
    if ((await this.#find(db, organizationId, id)) === undefined) return false;
    await db.query(recordFall, [organizationId, id, reason]);
    return true;
  }

  /** Records the fall of every key that carries more than its maker may do now. */
  async recordFalls(organizationId: string): Promise<void> {
    const { db } = this.#options;
    const { rows } = await db.query<MakerStanding & { readonly id: string }>(standings, [organizationId]);
    for (const row of rows) {
      const reason = whyMakerFails(row);
      if (reason !== undefined) await db.query(recordFall, [organizationId, row.id, reason]);
    }
  }

  /**
   * Makes the next key and gives the previous one its end, both or neither.
   * @param nextOf makes the next key of the previous one, or throws when the previous one may not be rotated
   */
  async rotate(
    organizationId: string,
    id: string,
    previousEndsAt: Date,
    nextOf: (previous: KeptKey | undefined) => NewKey,
    also: WithKey,
  ): Promise<FreshKey> {
    return this.#options.db.transaction(async (tx) => {
      const previous = await this.#findLocked(tx, organizationId, id);
      const next = await this.#insert(tx, nextOf(previous));
      await tx.query(
        `update apikey set "expiresAt" = least("expiresAt", $3), "updatedAt" = now()
          where "referenceId" = $1 and id = $2`,
        [organizationId, id, previousEndsAt],
      );
      await tx.query(
        `insert into api_key_facts (key_id, made_by, rotated_to) values ($1, $2, $3)
         on conflict (key_id) do update set rotated_to = excluded.rotated_to`,
        [id, previous?.createdBy ?? null, next.id],
      );
      await also(tx, next);
      return next;
    });
  }

  async #find(db: Tx, organizationId: string, id: string): Promise<KeptKey | undefined> {
    const { rows } = await db.query<KeptKey>(`${kept} and k.id = $2`, [organizationId, id]);
    return rows[0];
  }

  /**
   * The lock is a statement of its own. A statement that waited for a lock sees the locked row as it is now. It sees
   * the joined rows, such as the facts of the key, as they were before the wait.
   */
  async #findLocked(tx: Tx, organizationId: string, id: string): Promise<KeptKey | undefined> {
    await tx.query('select from apikey where "referenceId" = $1 and id = $2 for update', [
      organizationId,
      id,
    ]);
    return this.#find(tx, organizationId, id);
  }

  async #insert(tx: Tx, key: NewKey): Promise<FreshKey> {
    const { ids, clock, environment } = this.#options;
    const [id, secret, createdAt] = [ids.next(), generateApiKey(environment), clock.now()];
    await tx.query(
      `insert into apikey (id, "configId", name, start, "referenceId", key, enabled, "rateLimitEnabled", "requestCount",
                           "createdAt", "updatedAt", "expiresAt", permissions, metadata)
       values ($1, 'default', $2, $3, $4, $5, true, false, 0, $6, $6, $7, $8, $9)`,
      [
        id,
        key.name,
        secret.slice(0, shownLength(environment)),
        key.organizationId,
        sha256(secret),
        createdAt,
        key.expiresAt,
        JSON.stringify(key.permissions),
        JSON.stringify({ createdBy: key.userId }),
      ],
    );
    await tx.query(
      'insert into api_key_facts (key_id, made_by, allowed_addresses, mcp_confirm) values ($1, $2, $3, $4)',
      [id, key.userId, key.allowedAddresses, key.mcpConfirm],
    );
    const made = await this.#find(tx, key.organizationId, id);
    if (made === undefined) throw new Error('a key was not kept');
    return { ...made, key: secret };
  }
}
