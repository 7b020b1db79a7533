// The table `outbound_trunks`: one row for each provider account.
import type { Provider } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';

export interface TrunkRow {
  readonly provider: Provider;
  readonly trunk_id: string | null;
  readonly address: string | null;
  readonly transport: string | null;
  readonly credential: string | null;
  readonly termination_id: string | null;
  readonly next_check_at: Date;
  readonly suspected_at: Date | null;
  readonly trouble: string | null;
}

/** The row of the provider, made where there is none. */
export const trunkRow = async (tx: Tx, provider: Provider, now: Date): Promise<TrunkRow> => {
  await tx.query(
    `insert into outbound_trunks (provider, next_check_at, updated_at) values ($1, $2, $2)
     on conflict (provider) do nothing`,
    [provider, now],
  );
  const { rows } = await tx.query<TrunkRow>('select * from outbound_trunks where provider = $1', [provider]);
  const [row] = rows;
  if (row === undefined) throw new Error('the row of a trunk is gone');
  return row;
};

export const trunkRows = async (tx: Tx): Promise<TrunkRow[]> =>
  (await tx.query<TrunkRow>('select * from outbound_trunks order by provider')).rows;

/** The trunk that calls through the provider use now; null while there is none. */
export const trunkIdOf = async (tx: Tx, provider: Provider): Promise<string | null> => {
  const { rows } = await tx.query<Pick<TrunkRow, 'trunk_id'>>({
    name: 'trunk_of_provider',
    text: 'select trunk_id from outbound_trunks where provider = $1',
    values: [provider],
  });
  return rows[0]?.trunk_id ?? null;
};

/** Records the trunk that calls use from now on. */
export const recordTrunk = async (
  tx: Tx,
  provider: Provider,
  trunk: {
    readonly trunkId: string;
    readonly address: string;
    readonly transport: string;
    readonly credential: string;
  },
  now: Date,
): Promise<void> => {
  await tx.query(
    `update outbound_trunks set trunk_id = $2, address = $3, transport = $4, credential = $5, updated_at = $6
     where provider = $1`,
    [provider, trunk.trunkId, trunk.address, trunk.transport, trunk.credential, now],
  );
};

/** No call leaves until the trunk is there again. */
export const forgetTrunk = async (tx: Tx, provider: Provider, now: Date): Promise<void> => {
  await tx.query(
    'update outbound_trunks set trunk_id = null, next_check_at = $2, updated_at = $2 where provider = $1',
    [provider, now],
  );
};

/** Records that the trunk is in order. A suspicion that came during the look stays. */
export const recordInOrder = async (
  tx: Tx,
  row: TrunkRow,
  { terminationId, now, nextCheckAt }: { terminationId: string; now: Date; nextCheckAt: Date },
): Promise<void> => {
  await tx.query(
    `update outbound_trunks set termination_id = $2, trouble = null, updated_at = $3::timestamptz,
       next_check_at = case when suspected_at is distinct from $5::timestamptz
         then $3::timestamptz else $4::timestamptz end,
       cleared_at = case when $5::timestamptz is null then cleared_at else $3::timestamptz end,
       suspected_at = case when suspected_at is distinct from $5::timestamptz then suspected_at end
     where provider = $1`,
    [row.provider, terminationId, now, nextCheckAt, row.suspected_at],
  );
};

export const recordTrouble = async (
  tx: Tx,
  provider: Provider,
  { trouble, now, nextCheckAt }: { trouble: string; now: Date; nextCheckAt: Date },
): Promise<void> => {
  await tx.query(
    'update outbound_trunks set trouble = $2, updated_at = $3, next_check_at = $4 where provider = $1',
    [provider, trouble, now, nextCheckAt],
  );
};

/** A provider turned a call away. Looked into at once, but not for every call of a campaign. */
export const suspectTrunks = async (tx: Tx, now: Date, quietMs: number): Promise<void> => {
  await tx.query(
    `update outbound_trunks set suspected_at = $1, next_check_at = $1
     where suspected_at is null and (cleared_at is null or cleared_at < $2)`,
    [now, new Date(now.getTime() - quietMs)],
  );
};

/** A call found nothing at the provider's side, which may be gone. Looked at soon, but not for every wrong number. */
export const lookSoon = async (tx: Tx, now: Date, quietMs: number): Promise<void> => {
  await tx.query('update outbound_trunks set next_check_at = $1 where updated_at < $2', [
    now,
    new Date(now.getTime() - quietMs),
  ]);
};

/** Numbers that are connected with the provider's side of the trunk. */
export const connectedNumbers = async (tx: Tx, provider: Provider): Promise<string[]> => {
  const { rows } = await tx.query<{ provider_number_id: string }>(
    `select provider_number_id from numbers
     where provider = $1 and provider_number_id is not null
       and (status = 'active' or (status = 'provisioning' and step in ('configured', 'routed')))
     order by created_at, id`,
    [provider],
  );
  return rows.map(({ provider_number_id }) => provider_number_id);
};
