// The rows about one person in better-auth's tables and in the gateway's own.
import type { Tx } from '@parlance/postgres';

/** All rows of better-auth and of the gateway that are about this person. Keys that the person made only have the id. */
const belongings: readonly string[] = [
  'delete from session where "userId" = $1',
  'delete from "twoFactor" where "userId" = $1',
  'delete from account where "userId" = $1',
  'delete from verification where value = $1',
  `delete from invitation where "inviterId" = $1
     or lower(email) = (select lower(email) from "user" where id = $1)`,
  'delete from member where "userId" = $1',
  'delete from tried_codes where user_id = $1',
  'delete from "user" where id = $1',
];

/** Also for an account that a restored backup has brought back. */
export const deleteAccountRows = async (tx: Tx, userId: string): Promise<void> => {
  for (const statement of belongings) await tx.query(statement, [userId]);
};
