// The quotas of one organization: those of every organization, or others that the operator set for it (table `storage_quotas` of
// each service that stores something).
import type { EnvSource } from '@parlance/config';
import type { Tx } from '@parlance/postgres';

export type QuotaName = 'bytes' | 'chunks';

/** A quota of a service, as operators and organizations see it. */
export interface Quota {
  readonly name: QuotaName;
  /** Of the command line. */
  readonly option: string;
  readonly label: string;
  /** @returns the quota of every organization */
  usualOf(variables: EnvSource): number;
  used(tx: Tx, organizationId: string): Promise<number>;
}

export interface QuotasOfService {
  readonly service: string;
  readonly quotas: readonly Quota[];
}

export interface QuotaUse {
  readonly used: number;
  readonly limit: number;
}

export const usedBytes = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ bytes: string }>({
    name: 'storage-used',
    text: 'select bytes from storage_usage where organization_id = $1',
    values: [organizationId],
  });
  return Number(rows[0]?.bytes ?? 0);
};

/** The quotas that were set for this organization alone. */
export const quotasSet = async (tx: Tx, organizationId: string): Promise<ReadonlyMap<QuotaName, number>> => {
  const { rows } = await tx.query<{ quota: QuotaName; most: string }>({
    name: 'quotas-set',
    text: 'select quota, most from storage_quotas where organization_id = $1',
    values: [organizationId],
  });
  return new Map(rows.map(({ quota, most }) => [quota, Number(most)]));
};

/** @param most undefined for the quota of every organization again */
export const setQuota = async (
  tx: Tx,
  { organizationId, name, most }: { organizationId: string; name: QuotaName; most: number | undefined },
  now: Date,
): Promise<void> => {
  if (most === undefined)
    await tx.query('delete from storage_quotas where organization_id = $1 and quota = $2', [
      organizationId,
      name,
    ]);
  else
    await tx.query(
      `insert into storage_quotas (organization_id, quota, most, updated_at) values ($1, $2, $3, $4)
       on conflict (organization_id, quota) do update set most = excluded.most, updated_at = excluded.updated_at`,
      [organizationId, name, most, now],
    );
};

/**
 * Gives an organization that begins the lowest quotas that were set for the earlier ones of its owner. A raised quota was meant for
 * one organization.
 * @param usual the quotas of every organization
 */
export const inheritQuotas = async (
  tx: Tx,
  { organizationId, earlierIds }: { readonly organizationId: string; readonly earlierIds: readonly string[] },
  usual: Readonly<Partial<Record<QuotaName, number>>>,
  now: Date,
): Promise<void> => {
  await tx.query(
    `insert into storage_quotas (organization_id, quota, most, updated_at)
     select $1, s.quota, min(s.most), $4 from storage_quotas s
     where s.organization_id = any($2) and s.most < ($3::jsonb ->> s.quota)::bigint
     group by s.quota
     on conflict do nothing`,
    [organizationId, earlierIds, JSON.stringify(usual), now],
  );
};

/** What the organization stores, and what it may store. */
export const quotaUse = async (
  tx: Tx,
  organizationId: string,
  { name, used }: Pick<Quota, 'name' | 'used'>,
  usual: number,
): Promise<QuotaUse> => {
  const set = await quotasSet(tx, organizationId);
  return { used: await used(tx, organizationId), limit: set.get(name) ?? usual };
};
