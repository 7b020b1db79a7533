// Making, listing, changing, rotating and revoking the keys of the active organization.
import {
  type Caller,
  type KeyChangeBody,
  type NewKeyBody,
  type RotationBody,
  type ShownKey,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { listedPermissions, storedPermissions } from './api-key-format.js';
import { endAfter, lifetimeSeconds, refuseExcess, toShownKey } from './api-key-requests.js';
import type { ApiKeyStore, FreshKey, KeptKey, NewKey } from './api-key-store.js';
import type { SessionIdentity } from './identity.js';

type KeyOnce = ShownKey & { readonly key: string };

/** Records the only response that contains the key, in the transaction that creates it. */
type KeepKey = (tx: Tx, shown: KeyOnce) => Promise<void>;

const toKeyOnce = (made: FreshKey, now: Date): KeyOnce => ({ ...toShownKey(made, now), key: made.key });

/** @throws AppError CONFLICT for a key that has stopped, or that another key takes the place of already */
const refuseStopped = (key: KeptKey, now: Date): void => {
  const reason = toShownKey(key, now).disabledReason ?? (key.enabled ? undefined : 'switched_off');
  const stopped = reason ?? (key.rotatedTo === null ? undefined : 'rotated');
  if (stopped !== undefined) throw new AppError('CONFLICT', { details: { reason: stopped } });
};

/** @throws AppError CONFLICT for a key that has ended, and for a later end of a key that has a next one */
const refuseLaterEnd = (key: KeptKey, end: Date | null | undefined, now: Date): void => {
  if (end === undefined) return;
  if (toShownKey(key, now).disabledReason === 'expired')
    throw new AppError('CONFLICT', { details: { reason: 'expired' } });
  const isLater = key.expiresAt !== null && (end === null || end > key.expiresAt);
  if (key.rotatedTo !== null && isLater) throw new AppError('CONFLICT', { details: { reason: 'rotated' } });
};

// The next key lives as long as the previous one was made to live. A key without an end has a next key without an end.
const lifetimeOf = ({ createdAt, expiresAt }: KeptKey): number | null =>
  expiresAt === null ? null : Math.max(1, Math.round((expiresAt.getTime() - createdAt.getTime()) / 1_000));

export class ApiKeyCommands {
  readonly #store: ApiKeyStore;
  readonly #clock: Clock;

  constructor(store: ApiKeyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @throws AppError VALIDATION_ERROR, or PERMISSION_DENIED for more than the maker may do */
  async create({ caller, userId }: SessionIdentity, body: NewKeyBody, keep: KeepKey): Promise<KeyOnce> {
    refuseExcess(body.permissions, caller);
    const now = this.#clock.now();
    const key = {
      name: body.name,
      organizationId: caller.organizationId,
      userId,
      permissions: storedPermissions(body.permissions),
      expiresAt: endAfter(lifetimeSeconds(body), now),
      allowedAddresses: body.allowedAddresses ?? null,
      mcpConfirm: body.mcpConfirm,
    };
    const made = await this.#store.create(key, (tx, fresh) => keep(tx, toKeyOnce(fresh, now)));
    return toKeyOnce(made, now);
  }

  async list({
    organizationId,
  }: Caller): Promise<{ readonly apiKeys: readonly ShownKey[]; readonly total: number }> {
    await this.#store.recordFalls(organizationId);
    const { keys, total } = await this.#store.list(organizationId);
    const now = this.#clock.now();
    return { apiKeys: keys.map((key) => toShownKey(key, now)), total };
  }

  /**
   * @throws AppError NOT_FOUND, or CONFLICT for a key that has fallen, and for a later end of one that has ended or was rotated:
   * it may have leaked
   */
  async change({ organizationId }: Caller, body: KeyChangeBody): Promise<ShownKey> {
    const { keyId, expiresIn, ...rest } = body;
    const now = this.#clock.now();
    const expiresAt = expiresIn === undefined ? undefined : endAfter(expiresIn, now);
    const changed = await this.#store.change(organizationId, keyId, { ...rest, expiresAt }, (key) =>
      refuseLaterEnd(key, expiresAt, now),
    );
    if (changed === undefined) throw new AppError('NOT_FOUND');
    if (changed.fellFor !== null) throw new AppError('CONFLICT', { details: { reason: changed.fellFor } });
    return toShownKey(changed, now);
  }

  /** @throws AppError NOT_FOUND */
  async revoke({ organizationId }: Caller, keyId: string): Promise<{ readonly success: true }> {
    if (!(await this.#store.fall(organizationId, keyId, 'revoked'))) throw new AppError('NOT_FOUND');
    return { success: true };
  }

  /**
   * A next key with the same rights, made by the person of the request; the previous one stays good for a while.
   * @throws AppError NOT_FOUND, CONFLICT for a key that has stopped or has a next one, PERMISSION_DENIED
   */
  async rotate({ caller, userId }: SessionIdentity, body: RotationBody, keep: KeepKey): Promise<KeyOnce> {
    const { organizationId } = caller;
    const now = this.#clock.now();
    const next = (previous: KeptKey | undefined): NewKey => {
      if (previous === undefined) throw new AppError('NOT_FOUND');
      refuseStopped(previous, now);
      const permissions = listedPermissions(previous.permissions);
      refuseExcess(permissions, caller);
      return {
        name: previous.name ?? 'rotated key',
        organizationId,
        userId,
        permissions: storedPermissions(permissions),
        expiresAt: endAfter(lifetimeOf(previous), now),
        allowedAddresses: previous.allowedAddresses,
        mcpConfirm: previous.mcpConfirm,
      };
    };
    const previousEndsAt = new Date(now.getTime() + body.keepPreviousForSeconds * 1_000);
    const made = await this.#store.rotate(organizationId, body.keyId, previousEndsAt, next, (tx, fresh) =>
      keep(tx, toKeyOnce(fresh, now)),
    );
    return toKeyOnce(made, now);
  }
}
