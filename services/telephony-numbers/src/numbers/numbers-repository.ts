// Numbers in Postgres, as people see them. Every query names the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import type { Keyset, Tx } from '@parlance/postgres';
import type { NumberRow } from './number-record.js';

/** The time for which a failed purchase is listed, so that a buyer who was told "not yet known" learns its end. */
const failedShownFor = '1 day';

/** Numbers that are owned, being bought or being given back, newest first. */
export const listNumbers = async (
  tx: Tx,
  organizationId: string,
  now: Date,
  { createdAt, id, limit }: Keyset,
): Promise<NumberRow[]> => {
  const { rows } = await tx.query<NumberRow>({
    name: 'list_numbers',
    text: `select * from numbers
           where organization_id = $1 and (status in ('provisioning', 'active', 'releasing')
             or (status = 'failed' and updated_at > $2::timestamptz - interval '${failedShownFor}'))
           and (created_at, id) < ($3::timestamptz, $4::uuid)
           order by created_at desc, id desc limit $5`,
    values: [organizationId, now, createdAt, id, limit],
  });
  return rows;
};

/** Undefined for a number that does not exist, or belongs to another organization. */
export const findNumber = async (
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>('select * from numbers where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return rows[0];
};

/**
 * A number that is not gone, locked against other changes until the transaction ends. @throws AppError NUMBER_NOT_FOUND
 */
export const lockNumber = async (tx: Tx, organizationId: string, id: string): Promise<NumberRow> => {
  const { rows } = await tx.query<NumberRow>(
    `select * from numbers
     where organization_id = $1 and id = $2 and status in ('provisioning', 'active', 'releasing') for update`,
    [organizationId, id],
  );
  const [row] = rows;
  if (row === undefined) throw new AppError('NUMBER_NOT_FOUND');
  return row;
};

export interface AgentOfNumber {
  readonly agentId: string;
  readonly agentName: string;
  /** A name that was told before this moment is older. */
  readonly namedAt: Date;
}

/** @param agent null: no agent answers the number */
export const setAgent = async (
  tx: Tx,
  id: string,
  agent: AgentOfNumber | null,
  now: Date,
): Promise<NumberRow | undefined> => {
  const { rows } = await tx.query<NumberRow>(
    `update numbers set agent_id = $2, agent_name = $3, agent_named_at = $4, version = version + 1, updated_at = $5
     where id = $1 returning *`,
    [id, agent?.agentId ?? null, agent?.agentName ?? null, agent?.namedAt ?? null, now],
  );
  return rows[0];
};

export const countriesOf = async (tx: Tx, organizationId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ iso_country: string }>({
    name: 'countries_of_numbers',
    text: `select distinct iso_country from numbers where organization_id = $1 and status = 'active' order by 1`,
    values: [organizationId],
  });
  return rows.map(({ iso_country }) => iso_country);
};

/** Bought, being bought, and being given back: all that keeps its organization from being removed. */
export const countNumbers = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ numbers: number }>(
    `select count(*)::int as numbers from numbers
     where organization_id = $1 and status in ('provisioning', 'active', 'releasing')`,
    [organizationId],
  );
  return rows[0]?.numbers ?? 0;
};

export type NumberOfAny = NumberRow & {
  /** The gateway looks for its campaigns: whether the number may be used is decided in a moment. */
  readonly is_held: boolean;
};

/**
 * The number of any organization that has it, is buying it or gives it back: a number has one owner. Waits for a
 * running decision about the number. So a campaign is not created with a number while its release is decided.
 */
export const numberOfAnyOrganization = async (
  tx: Tx,
  phoneNumber: string,
): Promise<NumberOfAny | undefined> => {
  const { rows } = await tx.query<NumberOfAny>({
    name: 'number_of_any',
    text: `select *, coalesce(held_until > clock_timestamp(), false) as is_held from numbers
           where phone_number = $1 and status in ('provisioning', 'active', 'releasing') for share`,
    values: [phoneNumber],
  });
  return rows[0];
};
