// Seals the rows of calls that an older release wrote in the clear, and gives each the hash of its number.
import type { PersonalData } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';
import { z } from 'zod';
import type { Known } from '../domain/outbound-call/outbound-call-view.js';
import { subjectOfCall } from '../personal-data/forget-calls.js';
import { numberHash } from '../personal-data/number-hashes.js';

export interface SealingParts {
  readonly db: Tx;
  readonly personalData: Pick<PersonalData, 'seal' | 'open' | 'hashes'>;
}

interface Unhashed {
  readonly id: string;
  readonly revision: string;
  readonly state: Known;
  readonly personal: string | null;
}

const WithNumber = z.object({ phoneNumber: z.string() }).nullable();

const atOnce = 200;

const sealed = async ({ personalData }: SealingParts, { id, state, personal }: Unhashed) => {
  if (state.personal === null) return personal;
  return personalData.seal(subjectOfCall(id), state.personal);
};

/** The number of a row; undefined where there is none to be found any more. */
const numberOf = async (
  { personalData }: SealingParts,
  { id, state, personal }: Unhashed,
): Promise<string | undefined> => {
  if (state.personal !== null) return state.personal.phoneNumber;
  if (personal === null) return undefined;
  const opened = await personalData.open(subjectOfCall(id), personal);
  return WithNumber.parse(opened)?.phoneNumber;
};

/** @returns false when there may be more rows of this organization */
export const sealOldCalls = async (parts: SealingParts, organizationId: string): Promise<boolean> => {
  const { db, personalData } = parts;
  const { rows } = await db.query<Unhashed>(
    `select id, revision, state, personal from outbound_calls
     where organization_id = $1 and number_hash is null limit ${atOnce}`,
    [organizationId],
  );
  for (const row of rows) {
    const number = await numberOf(parts, row);
    const hash = number === undefined ? '' : await numberHash(personalData, organizationId, number);
    // A row that has changed meanwhile is taken again in the next round.
    await db.query(
      `update outbound_calls set personal = $3, number_hash = $4, state = jsonb_set(state, '{personal}', 'null')
       where id = $1 and revision = $2 and number_hash is null`,
      [row.id, row.revision, await sealed(parts, row), hash],
    );
  }
  return rows.length < atOnce;
};
