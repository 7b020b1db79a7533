// Verifies API keys: by hash, out of memory while fresh, else with one query.
import { sha256 } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/persistence';
import { effectivePermissions, listedPermissions, looksLikeApiKey } from './api-key-format.js';
import { FreshCache } from './fresh-cache.js';
import type { KeyIdentity } from './identity.js';
import type { LastUsed } from './last-used.js';

interface KeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly permissions: string | null;
  readonly expiresAt: Date | null;
}

interface LiveKey {
  readonly identity: KeyIdentity;
  readonly expiresAt: number;
}

// The join is what stops the keys of an organization that was deleted.
const findKey = {
  name: 'gateway_find_key',
  text: `select k.id, k."referenceId" as "organizationId", k.permissions, k."expiresAt" as "expiresAt"
           from apikey k join organization o on o.id = k."referenceId"
          where k.key = $1 and k.enabled`,
};

const toLiveKey = ({ id, organizationId, permissions, expiresAt }: KeyRow): LiveKey => {
  const granted = [...effectivePermissions(listedPermissions(permissions))];
  return {
    identity: {
      kind: 'key',
      keyId: id,
      caller: { organizationId, actor: { type: 'key', id }, role: 'key', permissions: granted },
      permissions: new Set(granted),
    },
    expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
};

export class ApiKeys {
  readonly #db: Tx;
  readonly #clock: Clock;
  readonly #lastUsed: LastUsed;
  readonly #known = new FreshCache<LiveKey>();

  constructor(db: Tx, clock: Clock, lastUsed: LastUsed) {
    this.#db = db;
    this.#clock = clock;
    this.#lastUsed = lastUsed;
  }

  /**
   * Who a key stands for; undefined when it opens nothing, whatever the reason.
   * @throws AppError SERVICE_UNAVAILABLE when that cannot be found out
   */
  async identify(key: string): Promise<KeyIdentity | undefined> {
    if (!looksLikeApiKey(key)) return undefined;
    const hash = sha256(key);
    const found = await this.#known.get(hash, () => this.#find(hash));
    if (found === undefined || found.expiresAt <= this.#clock.now().getTime()) return undefined;
    this.#lastUsed.note(found.identity.keyId);
    return found.identity;
  }

  forget(keyId: string): void {
    this.#known.deleteWhere(({ identity }) => identity.keyId === keyId);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async #find(hash: string): Promise<LiveKey | undefined> {
    const { rows } = await this.#db.query<KeyRow>(findKey, [hash]);
    return rows[0] === undefined ? undefined : toLiveKey(rows[0]);
  }
}
