// Decides which platform the tour visits, who signs in, and what it can check there.
import type { Practice } from './practice.js';
import type { Phones } from './simulated-phones.js';

export interface Credentials {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

/** The options of the command. */
export interface Wishes {
  readonly url?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly file?: string | undefined;
  readonly 'real-media': boolean;
}

/** The platform that was started last on a data folder of this machine. */
export interface LocalPlatform extends Partial<Credentials> {
  readonly folder: string;
  readonly isRealMedia: boolean;
  /** A scripted agent answers the keys that the telephones press. */
  readonly isScripted: boolean;
  readonly hasTelephones: boolean;
  readonly practice?: Practice | undefined;
  /** The path of the file in which its phones record each ring. */
  readonly ledger: string;
}

export interface Setting {
  readonly credentials: Credentials;
  /** Undefined where the ends of the calls are not known beforehand. */
  readonly phones: Phones | undefined;
  readonly practice: Practice | undefined;
  readonly ledger: string | undefined;
}

const originOf = (url: string): string => {
  const origin = /^https?:/.test(url) ? URL.parse(url)?.origin : undefined;
  if (origin === undefined)
    throw new Error(`--url takes an address such as http://127.0.0.1:4700, not "${url}"`);
  return origin;
};

const elsewhere = (url: string, { email, password, 'real-media': isWire, file }: Wishes): Setting => {
  // The first user of a platform here is a stranger there, and its password is nothing for another machine.
  if (!email || !password) throw new Error(`give --email and --password of a user of ${url}`);
  return {
    credentials: { url, email, password },
    phones: isWire && file === undefined ? 'wire' : undefined,
    practice: undefined,
    ledger: undefined,
  };
};

const phonesHere = (
  { file, 'real-media': isWire }: Wishes,
  { isRealMedia, isScripted }: LocalPlatform,
): Phones | undefined => {
  if (file !== undefined) return undefined;
  if (isWire !== isRealMedia)
    throw new Error(
      isWire
        ? 'the platform simulates its telephones: start it with `npm start -- --real-media --scripted-agent`'
        : 'the telephones of the platform are real ones: use `npm run tour -- --real-media`',
    );
  if (isWire && !isScripted)
    throw new Error(
      'the telephones of the tour press keys and do not speak: start the platform with `npm start -- --real-media --scripted-agent`',
    );
  return isWire ? 'wire' : 'simulated';
};

/** @throws Error with the reason why there can be no tour */
export const settingOf = (wishes: Wishes, local: LocalPlatform): Setting => {
  const url = wishes.url === undefined ? undefined : originOf(wishes.url);
  if (url !== undefined && url !== local.url) return elsewhere(url, wishes);
  const { folder, hasTelephones, practice, ledger } = local;
  if (local.url === undefined)
    throw new Error(
      `no platform was started on ${folder}: run \`npm start\` in another terminal first, name its folder with --data-dir, or give --url, --email and --password`,
    );
  if (!hasTelephones)
    throw new Error(
      'the platform has no telephones to call: it was started with --browser-voice alone. Start it without, or with --real-media',
    );
  const { email = local.email, password = local.password } = wishes;
  if (!email || !password)
    throw new Error(
      `the platform on ${folder} was started without a first user: give --email and --password`,
    );
  return {
    credentials: { url: local.url, email, password },
    phones: phonesHere(wishes, local),
    practice,
    ledger,
  };
};
