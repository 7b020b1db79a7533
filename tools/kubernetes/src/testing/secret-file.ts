import { credentialsOf, newRootSecret, RootSecret, readRootSecret } from '@parlance/config';
import { CredentialsEnv } from '@parlance/provision';

/** The file that `credentials all` prints for a new root secret, for `kubectl create secret --from-env-file`. */
export const secretFile = (): string => {
  const root = readRootSecret({ ROOT_SECRET: newRootSecret() });
  if (!(root instanceof RootSecret)) throw new Error('a new root secret is not accepted');
  return credentialsOf(CredentialsEnv, root)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
};
