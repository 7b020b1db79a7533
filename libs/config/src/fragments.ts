// Variables that several processes share, as plain objects of zod fields to spread into a process's own schema.
// docs/configuration.md is generated from the descriptions; `describe` comes last, because wrapping a field loses it.
import { z } from 'zod';
import { derivedKey, derivedPassword, derivedPasswordInUrl, derivedValue } from './derivation.js';
import { rootSecretEnv } from './root-secret.js';
import { Secret } from './secret.js';
import { randomKey, type VariableMeta } from './variable-meta.js';

/** Placeholders for a password in examples and in files of engines. */
const examplePassword = /^(change.?(me|it)|placeholder|todo|your.?password|<.*>|\.{3}|x{3,})$/i;

/** The password in a URL, or in the first of several; undefined where there is none. */
const passwordIn = (url: string): string | undefined => /^[\w+.-]+:\/\/[^/?#@]*?:([^/?#]*)@/.exec(url)?.[1];

/** True when the password of a URL is real, or the URL has none. */
const hasRealPassword = (url: string): boolean => {
  const password = passwordIn(url);
  return password === undefined || !examplePassword.test(password);
};
const realPassword = 'a real password, not a placeholder';

const placeholder = /^(change.?me|default|secret|password|example|placeholder|todo|x+$)/i;

/** Marks a value as one that must not be printed, without wrapping it. */
const holdsSecret: VariableMeta = { secret: true };

/**
 * A secret variable.
 * @param minBytes shortest value accepted, in bytes of UTF-8; a key that was never set to anything real is refused too
 */
export const secret = (minBytes = 1): z.ZodType<Secret, string> =>
  z
    .string()
    .refine((value) => Buffer.byteLength(value) >= minBytes, {
      message: `at least ${minBytes} bytes`,
      abort: true,
    })
    .refine((value) => minBytes === 1 || !placeholder.test(value), 'a real value, not a placeholder')
    .transform((value) => new Secret(value))
    .meta({ ...(minBytes === 1 ? holdsSecret : randomKey) });

/** A key of the platform's own, derived unless it is set. */
const ownKey = (): z.ZodType<Secret, string> => secret(32).meta({ derive: derivedKey });

/** Name of the account that the platform has at the engines of its own installation. */
export const ownAccount = 'parlance';

/** `calls-logs` is CALLS_LOGS. */
export const prefixOf = (process: string): string => process.toUpperCase().replaceAll('-', '_');

/** The variable with the password of a role on Postgres; the role `calls_logs` is of the process `calls-logs`. */
const databasePasswordOf = (role: string): string =>
  role === 'postgres' ? 'POSTGRES_ADMIN_PASSWORD' : `${role.toUpperCase()}_DATABASE_PASSWORD`;

/** The password in an address of Postgres. */
export const derivedDatabasePassword = derivedPasswordInUrl(databasePasswordOf, (process) =>
  process === 'provision' ? 'postgres' : process.replaceAll('-', '_'),
);

const derivedNatsPassword = derivedPasswordInUrl(
  (user) => (user === ownAccount ? 'NATS_PASSWORD' : `${prefixOf(user)}_NATS_PASSWORD`),
  (process) => (process === 'provision' ? ownAccount : process),
);

const derivedMongoPassword = derivedPasswordInUrl(
  () => 'MONGODB_PASSWORD',
  () => ownAccount,
);

/** The address of an engine, with credentials. */
const engineUrl = (): z.ZodType<Secret, string> =>
  secret().refine((url) => hasRealPassword(url.reveal()), { message: realPassword, abort: true });

/** A whole number of up to nine digits, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { message: 'a whole number', abort: true })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

const url = (...schemes: readonly [string, ...string[]]) =>
  z.url({
    protocol: new RegExp(`^(${schemes.join('|')})$`),
    message: `a URL with scheme ${schemes.join(' or ')}`,
  });

/** One URL or several, separated by commas. */
const urls = (...schemes: readonly [string, ...string[]]) => {
  const one = url(...schemes);
  return z
    .string()
    .refine((list) => list.split(',').every((part) => one.safeParse(part.trim()).success), {
      message: `URLs with scheme ${schemes.join(' or ')}, separated by commas`,
      abort: true,
    })
    .refine(hasRealPassword, realPassword);
};

/** The variables of every process. */
export const baseEnv = {
  ...rootSecretEnv,
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe('development, test or production.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least important log lines written: fatal, error, warn, info, debug, trace or silent.'),
  SERVICE_VERSION: z.string().max(64).default('0.2.0').describe('Version that GET /health tells.'),
};

/** The message broker. */
export const natsEnv = {
  NATS_URL: urls('nats', 'tls', 'wss?')
    .meta({ secret: true, derive: derivedNatsPassword })
    .describe(
      'NATS servers, separated by commas; the first carries the credentials: nats://user:password@host:4222. With tls:// in the place of nats:// the connection is encrypted; ?tlsCAFile=/path at the end does so too, and names the authority.',
    ),
};

/** The service's own role on Postgres. The URL is a secret because it holds the password. */
export const postgresEnv = {
  POSTGRES_URL: engineUrl()
    .meta({ derive: derivedDatabasePassword })
    .describe(
      "The service's own role on Postgres: postgres://role:password@host:5432/database. An empty password, as in role:@host, is derived from ROOT_SECRET, here and in the other addresses of engines.",
    ),
  POSTGRES_POOL_MAX: wholeNumber(1, 100)
    .default(10)
    .describe('Connections to Postgres at most, per process.'),
};

/** The client accepts tlsVerifyCert=false and verifies nevertheless. The platform refuses a setting without effect. */
const verifiedEventStore = (): z.ZodType<Secret, string> =>
  engineUrl().refine((url) => !/[?&]tlsVerifyCert=false(&|$)/i.test(url.reveal()), {
    message:
      'tlsVerifyCert=false has no effect: name the authority that issued the certificate as tlsCAFile=/path/ca.crt',
  });

export const eventStoreEnv = {
  EVENTSTORE_URL: verifiedEventStore().describe(
    'EventStoreDB: esdb://host:2113?tls=false or esdb+discover://user:password@host:2113?tlsCAFile=/path/ca.crt',
  ),
};

export const mongoEnv = {
  MONGODB_URL: engineUrl()
    .meta({ derive: derivedMongoPassword })
    .describe('MongoDB, a replica set: mongodb://user:password@host:27017/?replicaSet=rs0'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/i, 'a database name')
    .default('parlance')
    .describe('Database on MongoDB.'),
};

/** LiveKit: the server API that the platform calls, and the address that browsers get. */
export const livekitEnv = {
  LIVEKIT_URL: url('https?').describe("LiveKit's server API, as services reach it."),
  LIVEKIT_WS_URL: url('wss?').describe('LiveKit as browsers and the voice runtime reach it.'),
  LIVEKIT_API_KEY: z
    .string()
    .min(1)
    .meta({
      make: 'openssl rand -hex 8',
      derive: derivedValue(() => ownAccount, {
        when: ({ LIVEKIT_API_SECRET }) => LIVEKIT_API_SECRET === undefined,
      }),
    })
    .describe("Name of LiveKit's API key."),
  LIVEKIT_API_SECRET: secret(32)
    .meta({
      secret: true,
      make: 'openssl rand -hex 32',
      // the secret of another name belongs to a LiveKit of another installation
      derive: derivedPassword({ when: ({ LIVEKIT_API_KEY: name = ownAccount }) => name === ownAccount }),
    })
    .describe("LiveKit's API secret; webhooks are verified with it too. 32 characters or more."),
  VOICE_AGENT_NAME: z
    .string()
    .min(1)
    .max(64)
    .default('parlance-voice')
    .describe('Name under which the voice runtime registers with LiveKit.'),
};

export const sipEnv = {
  SIP_OUTBOUND_TRUNK_ID: z
    .string()
    .regex(/^ST_[\w-]{1,60}$/, 'the id of a trunk at LiveKit, ST_...')
    .optional()
    .describe(
      'A trunk at LiveKit that you set up yourself, ST_...: every call goes through it, whichever provider its number is of. Without it each provider account gets a trunk of its own, made by telephony-numbers.',
    ),
};

/** The operator's retention; the services that have calls apply the same. */
export const callRetentionEnv = {
  CALL_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(365)
    .describe(
      'Days after which calls are deleted, with their transcripts and recordings; an organization may choose others.',
    ),
};

/** A quota of stored files, in bytes; operators write MiB. */
export const storageQuota = (usual: number) =>
  wholeNumber(0, 999_999_999)
    .prefault(String(usual))
    .transform((mebibytes) => mebibytes * 1_048_576)
    .meta({ otherwise: String(usual) });

/** Uploads of people and programs, by addresses that are given out. */
export const uploadsEnv = {
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:4700')
    .describe('Scheme, host and port under which people reach the gateway, which also takes uploads there.'),
  OPEN_UPLOADS_MB: storageQuota(1_024).describe(
    'MiB that the upload addresses of one organization accept at the same time, of each kind of files.',
  ),
};

/** The key that signs list cursors. */
export const cursorEnv = {
  CURSOR_KEY: ownKey().describe('Signs the cursors of lists.'),
};

/** Keys that one process or two have. */
export const platformKeys = {
  AUTH_SECRET: ownKey().describe('Signs session cookies.'),
  INTERNAL_API_KEY: ownKey().describe('Held by the voice runtime, which sends it as x-internal-key.'),
  QUOTE_KEY: ownKey().describe('Signs the price quotes of number searches.'),
  MCP_CONFIRMATION_KEY: ownKey().describe(
    'Seals the tokens with which MCP clients confirm what costs money or destroys something; the same in every copy.',
  ),
};

/** The local speech service and its clients. */
export const speechKeyEnv = {
  SPEECH_KEY: secret(16)
    .meta({ make: 'openssl rand -hex 24', derive: derivedPassword() })
    .describe('API key of SPEECH_URL, which the local speech service takes. 16 characters or more.'),
};

/** Files: uploads, knowledge, recordings. Without a URL, the features that need files are switched off. */
export const objectStorageEnv = {
  OBJECT_STORAGE_URL: url('https?')
    .optional()
    .describe('S3 or something that speaks its protocol, such as https://s3.eu-central-1.amazonaws.com.'),
  OBJECT_STORAGE_PUBLIC_URL: url('https?')
    .optional()
    .describe(
      'Where browsers and programs outside reach the storage to upload files, such as https://files.example.com. Needed where OBJECT_STORAGE_URL is a name that only the services know: uploads are signed for this host, and a proxy has to pass it on.',
    ),
  OBJECT_STORAGE_REGION: z.string().min(1).max(64).default('us-east-1').describe('Region of the bucket.'),
  OBJECT_STORAGE_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .default('parlance')
    .describe('Bucket that holds the files; no other program writes to it.'),
  OBJECT_STORAGE_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe("Name of the bucket's access key; on AWS, the machine's role is used without one."),
  OBJECT_STORAGE_SECRET_ACCESS_KEY: secret()
    .optional()
    .meta({
      make: 'openssl rand -hex 24',
      // a bucket without an access key is that of a machine's role, and one with another name is not ours
      derive: derivedPassword({ when: ({ OBJECT_STORAGE_ACCESS_KEY_ID: name }) => name === ownAccount }),
    })
    .describe("The access key's secret."),
};

/** The log of erasures, beside the variables of the object storage. */
export const erasureLogEnv = {
  ERASURE_LOG_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the log of erasures where there is no object storage; all replicas share it, and no backup of the databases includes it. With an object storage, the log is in the bucket under erasures/.',
    ),
};

/** Accounts at telephone providers; each is used where its credentials are given. */
export const telephonyEnv = {
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "Twilio's account SID, AC and 32 hexadecimal digits")
    .optional()
    .describe('Account at Twilio, AC...'),
  TWILIO_AUTH_TOKEN: secret().optional().describe("The account's auth token."),
  TWILIO_API_URL: url('https?')
    .optional()
    .describe("Where Twilio's API is, when not at its own address: for a proxy or a stand-in."),
  TELNYX_API_KEY: secret().optional().describe('API key of the account at Telnyx.'),
  TELNYX_API_URL: url('https?')
    .optional()
    .describe("Where Telnyx's API is, with its /v2, when not at its own address."),
};

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter(Boolean),
  );

/** The networks that customers' addresses may lead to. */
export const egressEnv = {
  EGRESS_ALLOW_PRIVATE: list.describe(
    'Hosts in your private network, or host:port, that webhooks, tools and sources may call, separated by commas. Meant for development.',
  ),
  EGRESS_DENY: list.describe(
    "Addresses and ranges (10.1.0.0/16) that are refused although they are public, such as the cluster's own.",
  ),
};

/** The operator's own models. */
export const modelsEnv = {
  MODELS_FILE: z
    .string()
    .optional()
    .describe(
      'JSON file with models and voices of your own, at any address that speaks the OpenAI protocol, and with fall-backs (docs/models.md). Every process that has this variable needs the same file.',
    ),
};

/** The authorization server whose access tokens are taken beside API keys. */
export const mcpOauthEnv = {
  MCP_OAUTH_ISSUER: url('https?')
    .optional()
    .describe(
      'Authorization server (OAuth 2.1) whose access tokens MCP clients may use instead of an API key, exactly as its metadata names it. A token has to be for the address of /mcp under PUBLIC_URL.',
    ),
};

/** The key that signs webhooks. */
export const webhookEnv = {
  WEBHOOK_SIGNING_KEY: ownKey().describe(
    'Every organization has its webhook signing secret from this key. An installation of version 0.1 without one takes the value of its CALLER_SIGNING_KEY, and keeps all secrets.',
  ),
  WEBHOOK_SIGNING_KEY_PREVIOUS: secret(32)
    .optional()
    .meta({ ...randomKey })
    .describe('The key before, while receivers go over to the new secrets: both sign.'),
};

/** The variables of processes with a listener that clients connect to. */
export const drainEnv = {
  DRAIN_DELAY_MS: wholeNumber(0, 60_000)
    .optional()
    .describe('Time to keep serving after SIGTERM, while load balancers notice. 5000 in production, else 0.'),
};
