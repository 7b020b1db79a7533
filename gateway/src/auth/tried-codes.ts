// A code of a second factor opens something once. A code that was seen over a shoulder would open a second session for
// up to a minute and a half. So a code is taken before it is judged.
import { sha256 } from '@parlance/crypto';
import { inLocked, type Tx } from '@parlance/postgres';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import type { SecondFactorGuesses } from './second-factor-guesses.js';

/** True for the first request that tries this code of this person. */
export type TakeCode = (userId: string, code: string) => Promise<boolean>;

const old = { table: 'tried_codes', where: `tried_at < now() - interval '1 hour'` };

// A code is good for 90 seconds at most, the neighbouring periods included.
const take = `
  with forgotten as (
    delete from tried_codes where ${inLocked(old, 100)})
  insert into tried_codes (user_id, code_hash) values ($1, $2)
      on conflict (user_id, code_hash) do update set tried_at = now()
   where tried_codes.tried_at < now() - interval '5 minutes'`;

export const takeCodeIn =
  (db: Tx): TakeCode =>
  async (userId, code) => {
    const { rowCount } = await db.query(take, [userId, sha256(`${userId}|${code}`)]);
    return rowCount === 1;
  };

const twoFactorCookie = 'two_factor';

const paths: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

export interface CodeChecks {
  readonly takeCode: TakeCode;
  readonly guesses: Pick<SecondFactorGuesses, 'admit'>;
}

/** A hook in front of better-auth's own check: counts the guess, and takes the code. */
export const codesOpenOnce = ({ takeCode, guesses }: CodeChecks) =>
  createAuthMiddleware(async (ctx) => {
    if (!paths.has(ctx.path)) return;
    const session = await getSessionFromCtx(ctx);
    const { name } = ctx.context.createAuthCookie(twoFactorCookie);
    const challenge = session === null ? await ctx.getSignedCookie(name, ctx.context.secret) : undefined;
    const waiting = challenge
      ? await ctx.context.internalAdapter.findVerificationValue(challenge)
      : undefined;
    const userId = session?.user.id ?? waiting?.value;
    // The request names no account or no code: better-auth refuses it.
    if (userId === undefined || typeof ctx.body?.code !== 'string') return;
    // A person who is signed in is setting up a second factor; there is nothing to guess.
    const person = session === null ? await ctx.context.internalAdapter.findUserById(userId) : null;
    if (person !== null && !(await guesses.admit(person)))
      throw new APIError('TOO_MANY_REQUESTS', { code: 'ACCOUNT_TEMPORARILY_LOCKED' });
    // Backup codes are taken by better-auth.
    if (ctx.path !== '/two-factor/verify-totp') return;
    if (!(await takeCode(userId, ctx.body.code)))
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE' });
  });
