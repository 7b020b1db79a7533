// Finds the running platform and enters it as a person would: e-mail, password, session cookie.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '@parlance/client';
import type { Practice } from './practice.js';
import type { Credentials, LocalPlatform } from './setting.js';

interface LocalState {
  readonly url?: string;
  readonly isRealMedia?: boolean;
  readonly isScripted?: boolean;
  readonly hasTelephones?: boolean;
  readonly demo?: { readonly email: string; readonly password: string };
  readonly practice?: Practice;
}

/** The platform of a data folder: its address, its first user, and a practice that tools may ask. */
export const localPlatform = (folder: string): LocalPlatform => {
  const file = join(folder, 'platform.json');
  const {
    url,
    demo,
    isRealMedia = false,
    isScripted = false,
    hasTelephones = true,
    practice,
  }: LocalState = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return {
    folder,
    isRealMedia,
    isScripted,
    hasTelephones,
    practice,
    ledger: join(folder, 'ledger.jsonl'),
    ...(url === undefined ? {} : { url }),
    ...(demo === undefined ? {} : { email: demo.email, password: demo.password }),
  };
};

/** @throws Error when nothing answers at the address */
export const refuseAbsent = async (url: string): Promise<void> => {
  const isThere = await fetch(`${url}/api/v1/health`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere)
    throw new Error(
      `no platform answers at ${url}: run \`npm start\` in another terminal first, or name the folder of the one that runs with --data-dir`,
    );
};

/** @throws ApiError with the platform's own sentence when it refuses */
export const signIn = async ({ url, email, password }: Credentials): Promise<Client> => {
  const baseUrl = `${url}/api/v1`;
  const { data, cookie } = await createClient({ baseUrl }).auth.signInEmail({ body: { email, password } });
  if ('twoFactorRedirect' in data || cookie === undefined)
    throw new Error('this account signs in with a second factor; use one without');
  return createClient({ baseUrl, cookie });
};
