// Decides where secrets may be sent. A resource that names a secret for a new origin is saved only by somebody who may allow
// origins, and the save allows it.
import type { SecretUses } from '@parlance/contracts';
import { maxSecretOrigins } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { refuseOrigin } from '@parlance/webhooks';

interface Bound {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[] | null;
}

/** The mentioned secrets, none of which another transaction changes until this one ends. Always in one order. */
const lockMentioned = async (
  tx: Tx,
  organizationId: string,
  { ids, names }: Pick<SecretUses[number], 'ids' | 'names'>,
): Promise<Bound[]> => {
  const { rows } = await tx.query<Bound>(
    `select id, name, allowed_origins as origins from secrets
     where organization_id = $1 and (id = any($2::uuid[]) or name = any($3::text[])) order by id for no key update`,
    [organizationId, ids, names],
  );
  return rows;
};

/**
 * Refuses a use of a secret at an origin that it is not allowed for, unless the caller may allow it. Of a secret of an earlier
 * release whose origins are not collected yet nobody knows whether an origin is new.
 * @throws AppError SECRET_ORIGIN_NOT_ALLOWED, naming the origin and the secrets
 */
export const allowUses = async (
  tx: Tx,
  organizationId: string,
  uses: SecretUses,
  mayAllow: boolean,
): Promise<void> => {
  const all = { ids: uses.flatMap(({ ids }) => ids), names: uses.flatMap(({ names }) => names) };
  if (all.ids.length + all.names.length === 0) return;
  const secrets = await lockMentioned(tx, organizationId, all);
  const wanted = new Map<string, Set<string>>();
  for (const { origin, ids, names } of uses) {
    const isNamed = ({ id, name }: Bound): boolean =>
      ids.some((one) => one.toLowerCase() === id) || names.includes(name);
    const missing = secrets.filter((secret) => isNamed(secret) && secret.origins?.includes(origin) !== true);
    if (!mayAllow)
      refuseOrigin(
        origin,
        missing.map(({ name }) => name),
      );
    for (const { id } of missing) wanted.set(id, (wanted.get(id) ?? new Set()).add(origin));
  }
  for (const { id, name, origins } of secrets) {
    const added = wanted.get(id);
    // The collection adds this use with the others.
    if (added === undefined || origins === null) continue;
    const allowed = [...origins, ...added].sort();
    if (allowed.length > maxSecretOrigins)
      throw new AppError('CONFLICT', { details: { secret: name, maxSecretOrigins } });
    await tx.query('update secrets set allowed_origins = $3 where organization_id = $1 and id = $2', [
      organizationId,
      id,
      allowed,
    ]);
  }
};
