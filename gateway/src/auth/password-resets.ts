// A password that was reset by mail: the reader of the mail is the owner, so the browser becomes known. Strangers with
// guesses at the account cannot keep a known browser out.
import type { Tx } from '@parlance/postgres';
import type { AuthHandler } from './auth-handlers.js';
import type { KnownDevices } from './known-devices.js';

/** better-auth keeps a token of a reset with the user's id as its value. */
const findAccount = `
  select lower(u.email) as email from verification v join "user" u on u.id = v.value
   where v.identifier = 'reset-password:' || $1 and v."expiresAt" > now()`;

const accountOf = async (db: Tx, body: object): Promise<string | undefined> => {
  if (!('token' in body)) return undefined;
  const { rows } = await db.query<{ email: string }>(findAccount, [body.token]);
  return rows[0]?.email;
};

export const resetPassword =
  (db: Tx, devices: KnownDevices): AuthHandler =>
  async ({ input, askBetterAuth }) => {
    // looked up first, because the reset uses the token up
    const account = await accountOf(db, input.body);
    const answer = await askBetterAuth();
    if (!answer.ok || account === undefined) return answer;
    const headers = new Headers(answer.headers);
    headers.append('set-cookie', devices.cookieFor(account));
    return new Response(answer.body, { status: answer.status, headers });
  };
