// Verifies API keys: by hash, out of memory while fresh, else with one query.
import { sha256 } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import { rangesInclude } from './address-ranges.js';
import { effectivePermissions, listedPermissions, looksLikeApiKey } from './api-key-format.js';
import type { ApiKeyStore, LookedUpKey } from './api-key-store.js';
import { FreshCache } from './fresh-cache.js';
import type { KeyIdentity } from './identity.js';
import { whyMakerFails } from './key-falls.js';
import type { LastUsed } from './last-used.js';

interface LiveKey {
  readonly identity: KeyIdentity;
  readonly expiresAt: number;
  readonly isGoodFrom: (address: string) => boolean;
}

const anywhere = (): boolean => true;

const toLiveKey = ({
  id,
  organizationId,
  permissions,
  expiresAt,
  allowedAddresses,
  mcpConfirm,
}: LookedUpKey): LiveKey => {
  const granted = [...effectivePermissions(listedPermissions(permissions))];
  return {
    identity: {
      kind: 'key',
      keyId: id,
      mcpConfirm,
      caller: { organizationId, actor: { type: 'key', id }, role: 'key', permissions: granted },
      permissions: new Set(granted),
    },
    expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    isGoodFrom: allowedAddresses === null ? anywhere : rangesInclude(allowedAddresses),
  };
};

export class ApiKeys {
  readonly #store: ApiKeyStore;
  readonly #clock: Clock;
  readonly #lastUsed: LastUsed;
  readonly #known = new FreshCache<LiveKey>();

  constructor(store: ApiKeyStore, clock: Clock, lastUsed: LastUsed) {
    this.#store = store;
    this.#clock = clock;
    this.#lastUsed = lastUsed;
  }

  /**
   * The identity behind a key that comes from this address; undefined when the key opens nothing, for any reason.
   * @throws AppError SERVICE_UNAVAILABLE when the identity cannot be found out
   */
  async identify(key: string, address: string): Promise<KeyIdentity | undefined> {
    if (!looksLikeApiKey(key)) return undefined;
    const hash = sha256(key);
    const found = await this.#known.get(hash, () => this.#find(hash));
    if (found === undefined || found.expiresAt <= this.#clock.now().getTime()) return undefined;
    if (!found.isGoodFrom(address)) return undefined;
    this.#lastUsed.note(found.identity.keyId);
    return found.identity;
  }

  forget(keyId: string): void {
    this.#known.deleteWhere(({ identity }) => identity.keyId === keyId);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  // A key that is found fallen is recorded as such: it stays fallen when its maker comes back.
  async #find(hash: string): Promise<LiveKey | undefined> {
    const found = await this.#store.lookUp(hash);
    if (found === undefined) return undefined;
    const reason = whyMakerFails(found);
    if (reason === undefined) return toLiveKey(found);
    await this.#store.fall(found.organizationId, found.id, reason);
    return undefined;
  }
}
