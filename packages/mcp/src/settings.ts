// The address of the platform and the key for it: out of the environment, or of the folder of `npm start`.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

export interface Settings {
  /** Scheme, host and port. */
  readonly url: string;
  readonly apiKey: string;
}

const State = z.object({
  url: z.string().optional(),
  demo: z.object({ apiKey: z.string() }).optional(),
});

const fromFolder = (folder: string): Partial<Settings> => {
  const file = resolve(folder, 'platform.json');
  if (!existsSync(file)) return {};
  const { url, demo } = State.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { ...(url === undefined ? {} : { url }), ...(demo === undefined ? {} : { apiKey: demo.apiKey }) };
};

/** Something that the person at the keyboard can mend. */
export class Mendable extends Error {
  override readonly name = 'Mendable';
}

/**
 * @param folder of a platform on this machine, which tells the settings that the environment lacks
 * @throws Mendable when one of the two is missing or no address
 */
export const readSettings = (
  environment: Readonly<Record<string, string | undefined>>,
  folder?: string,
): Settings => {
  const known = folder === undefined ? {} : fromFolder(folder);
  const url = environment.PARLANCE_URL || known.url;
  // The key of a folder belongs to its own platform, and goes to no other.
  const apiKey = environment.PARLANCE_API_KEY || (url === known.url ? known.apiKey : undefined);
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Mendable('Set PARLANCE_URL to the address of the platform, such as http://127.0.0.1:4700.');
  if (!apiKey)
    throw new Mendable(
      'Set PARLANCE_API_KEY to an API key of your organization. An owner or admin makes one with POST /api/v1/auth/api-key/create.',
    );
  return { url: new URL(url).origin, apiKey };
};
