// Finds the running platform and enters it as a person would: e-mail, password, session cookie.
import { existsSync, readFileSync } from 'node:fs';
import { type Client, createClient } from '@parlance/client';
import type { Practice } from './practice.js';

export interface Credentials {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

interface LocalState {
  readonly url?: string;
  readonly isRealMedia?: boolean;
  readonly demo?: { readonly email: string; readonly password: string };
  readonly practice?: Practice;
}

/** The platform that runs on this machine: its address, its first user, and a practice that tools may ask. */
export const localPlatform = (
  stateFile: string,
): Partial<Credentials> & Pick<LocalState, 'isRealMedia' | 'practice'> => {
  if (!existsSync(stateFile)) return {};
  const { url, demo, isRealMedia, practice }: LocalState = JSON.parse(readFileSync(stateFile, 'utf8'));
  return {
    ...(url === undefined ? {} : { url }),
    ...(isRealMedia === undefined ? {} : { isRealMedia }),
    ...(practice === undefined ? {} : { practice }),
    ...(demo === undefined ? {} : { email: demo.email, password: demo.password }),
  };
};

/** @throws ApiError with the platform's own sentence when it refuses */
export const signIn = async ({ url, email, password }: Credentials): Promise<Client> => {
  const baseUrl = `${url}/api/v1`;
  const { data, cookie } = await createClient({ baseUrl }).auth.signInEmail({ body: { email, password } });
  if ('twoFactorRedirect' in data || cookie === undefined)
    throw new Error('this account signs in with a second factor; use one without');
  return createClient({ baseUrl, cookie });
};
