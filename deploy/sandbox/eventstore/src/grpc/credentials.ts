// Who may call: everybody, or those who know the one user's password.
import { sameSecret } from '@parlance/sandbox-kit';
import { GrpcError, STATUS } from './status.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Throws UNAUTHENTICATED unless the header carries them. */
export function assertAuthenticated(header: string | undefined, { username, password }: Credentials): void {
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  if (sameSecret(header ?? '', expected)) return;
  throw new GrpcError(STATUS.UNAUTHENTICATED, 'the credentials are missing or wrong');
}
