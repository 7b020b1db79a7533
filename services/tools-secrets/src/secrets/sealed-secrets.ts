// Reads sealed secrets from Postgres, for a request that is about to be sent.
import type { SealedSecret } from '@parlance/contracts';
import { inLocked, type Tx } from '@parlance/postgres';
import type { Mentions } from './references.js';

interface SealedRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sealed: string;
  readonly previous_version: number | null;
  readonly previous_sealed: string | null;
  readonly previous_good_until: Date | null;
  readonly allowed_origins: string[] | null;
}

/** The use of a secret is noted at most once in this time. */
const notedEverySeconds = 5;

const toSealed = (row: SealedRow): SealedSecret => {
  const { previous_version: version, previous_sealed: sealed, previous_good_until: goodUntil } = row;
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    sealed: row.sealed,
    previous:
      version === null || sealed === null || goodUntil === null
        ? null
        : { version, sealed, goodUntil: goodUntil.toISOString() },
    allowedOrigins: row.allowed_origins,
  };
};

/** The organization's secrets that are mentioned. Unknown mentions are left out. */
export const sealedSecrets = async (
  tx: Tx,
  organizationId: string,
  { ids, names }: Mentions,
): Promise<SealedSecret[]> => {
  const { rows } = await tx.query<SealedRow>({
    name: 'sealed_secrets_with_origins',
    text: `select s.id, s.name, v.version, v.sealed, p.version as previous_version, p.sealed as previous_sealed,
             p.good_until as previous_good_until, s.allowed_origins
           from secrets s
           join secret_versions v on v.secret_id = s.id and v.version = s.version
           left join secret_versions p on p.secret_id = s.id and p.version < s.version and p.good_until > now()
           where s.organization_id = $1 and (s.id = any($2::uuid[]) or s.name = any($3::text[]))
           order by s.id`,
    values: [organizationId, ids, names],
  });
  return rows.map(toSealed);
};

const unnoted = {
  table: 'secrets',
  where: `organization_id = $1 and id = any($2::uuid[])
    and (last_used_at is null or last_used_at < $3::timestamptz - interval '${notedEverySeconds} seconds')`,
  order: 'id',
  lock: 'no key update',
} as const;

/** Notes the use of secrets. It skips a locked secret instead of waiting, because a request is about to go out. */
export const noteUse = async (
  tx: Tx,
  organizationId: string,
  secretIds: readonly string[],
  now: Date,
): Promise<void> => {
  if (secretIds.length === 0) return;
  await tx.query({
    name: 'note_use_of_secrets',
    text: `update secrets set last_used_at = $3 where ${inLocked(unnoted, 'all')}`,
    values: [organizationId, secretIds, now],
  });
};
