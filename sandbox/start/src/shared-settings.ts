// The platform and the simulated parts have to hold the same value of each setting here. A secret that the environment
// sets replaces the one of the data folder for every part that uses it, before anything starts.
import { callerPublicKeysOf } from '@parlance/config';
import type { Secrets } from './data-folder.js';

export type Source = Readonly<Record<string, string | undefined>>;

/** The variable by which services know each secret of the data folder. */
const variables = {
  webhookSigningKey: 'WEBHOOK_SIGNING_KEY',
  internalKey: 'INTERNAL_API_KEY',
  authSecret: 'AUTH_SECRET',
  cursorKey: 'CURSOR_KEY',
  quoteKey: 'QUOTE_KEY',
  mcpConfirmationKey: 'MCP_CONFIRMATION_KEY',
  kekId: 'KEK_ID',
  kek: 'KEK',
  liveKitApiKey: 'LIVEKIT_API_KEY',
  liveKitApiSecret: 'LIVEKIT_API_SECRET',
  s3AccessKeyId: 'OBJECT_STORAGE_ACCESS_KEY_ID',
  s3SecretAccessKey: 'OBJECT_STORAGE_SECRET_ACCESS_KEY',
  twilioAuthToken: 'TWILIO_AUTH_TOKEN',
} as const satisfies Partial<Record<keyof Secrets, string>>;

/** Secrets that every service takes from the environment, and no engine. */
const ofServices = [
  'webhookSigningKey',
  'internalKey',
  'authSecret',
  'cursorKey',
  'quoteKey',
  'mcpConfirmationKey',
  'kekId',
  'kek',
] as const satisfies readonly (keyof typeof variables)[];

const entries = Object.entries(variables) as [keyof typeof variables, string][]; // its own keys

/** The variables that are set; an empty one counts as absent, as it does for every service. */
export const setVariables = (source: Source): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** The secrets of a run: those of the folder, but for each one that the environment sets. */
export const secretsOfRun = (folder: Secrets, source: Source): Secrets => ({
  ...folder,
  ...Object.fromEntries(
    entries.flatMap(([secret, variable]) => {
      const given = source[variable];
      return given ? [[secret, given]] : [];
    }),
  ),
});

/** The variables with the secrets that no engine has. Each engine sets the variables of its own secrets. */
export const secretVariables = (secrets: Secrets): Readonly<Record<string, string>> =>
  Object.fromEntries(ofServices.map((secret) => [variables[secret], secrets[secret]]));

/** The keys with which a process proves itself to the others: its own private one, and everybody's public ones. */
export const callerVariables = (
  { callerPrivateKeys }: Secrets,
  name: string,
): Readonly<Record<string, string>> => {
  const own = callerPrivateKeys[name];
  const CALLER_PUBLIC_KEYS = callerPublicKeysOf(callerPrivateKeys);
  return own === undefined ? {} : { CALLER_PRIVATE_KEY: own, CALLER_PUBLIC_KEYS };
};
