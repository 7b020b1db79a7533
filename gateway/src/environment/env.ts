// The environment of the gateway.
import {
  acceptKeysEnv,
  baseEnv,
  callerEnv,
  drainEnv,
  egressEnv,
  erasureLogEnv,
  livekitEnv,
  mcpOauthEnv,
  natsEnv,
  objectStorageEnv,
  opsEnv,
  platformKeys,
  postgresEnv,
  Secret,
  secret,
  telemetryEnv,
  wholeNumber,
} from '@parlance/config';
import { usualWaitLimitMs } from '@parlance/contracts';
import { parseMailbox } from '@parlance/mail';
import { z } from 'zod';

const perMinute = (otherwise: number, what: string) =>
  wholeNumber(1, 100_000_000).default(otherwise).describe(`${what}, per minute.`);

const isOrigin = (value: string): boolean => URL.parse(value)?.origin === value;

const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isOrigin), 'origins such as https://console.example.com, separated by commas');

// Browsers give an address of a WebSocket no origin of its own kind, so it is compared without its path.
const isConnectOrigin = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && /^(https?|wss?):$/.test(url.protocol) && `${url.protocol}//${url.host}` === value;
};

const connectOrigins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine(
    (list) => list.every(isConnectOrigin),
    'origins such as https://storage.example.com or wss://media.example.com, separated by commas',
  );

const isSmtpUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
};

const mailbox = z.string().transform((text, context) => {
  const parsed = parseMailbox(text);
  if (parsed !== undefined) return parsed;
  context.addIssue('an address, or a name and an address: Parlance <no-reply@example.com>');
  return z.NEVER;
});

const variables = z.object({
  ...baseEnv,
  ...telemetryEnv,
  ...opsEnv,
  ...drainEnv,
  ...natsEnv,
  ...callerEnv,
  ...acceptKeysEnv,
  ...postgresEnv,
  ...livekitEnv,
  ...egressEnv,
  // Uploads of an unknown size are passed on to it. The console uploads to OBJECT_STORAGE_PUBLIC_URL, so its policy allows that address.
  ...objectStorageEnv,
  ...erasureLogEnv,
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that the gateway listens on.'),
  PORT: wholeNumber(0, 65_535)
    .default(4700)
    .describe('Port that the gateway listens on; 0 takes any free one.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Scheme, host and port under which people reach the gateway; the listening address unless given.',
    ),
  CONSOLE_ORIGINS: origins
    .default([])
    .describe('Other origins whose pages may call with the session cookie, separated by commas.'),
  CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether the console, the pages for people, is served at /.'),
  CONSOLE_CONNECT_ORIGINS: connectOrigins
    .default([])
    .describe(
      'Further origins that the pages of the console may ask, separated by commas. Those of PUBLIC_URL, LIVEKIT_WS_URL and OBJECT_STORAGE_PUBLIC_URL are allowed anyway.',
    ),
  MCP_FACADE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Scheme, host and port of the MCP facade, which answers at /mcp. Without it there is nothing at /mcp.',
    ),
  ...mcpOauthEnv,
  MCP_OAUTH_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the keys of MCP_OAUTH_ISSUER are; its metadata says it unless given.'),
  TRUST_PROXY_HOPS: wholeNumber(0, 10)
    .default(0)
    .describe('How many proxies stand in front and append to X-Forwarded-For.'),
  SIGN_UP: z
    .enum(['open', 'invite', 'closed'])
    .default('invite')
    .describe(
      'Who may make an account: anybody, addresses that an invitation waits for, or nobody. The first account of an empty installation comes in with SETUP_CODE.',
    ),
  ORGANIZATIONS: z
    .enum(['operator', 'verified', 'anybody'])
    .optional()
    .describe(
      'Who may make organizations: the first account of the installation alone, people with a verified address, or every account. Further organizations of a person begin without money, and with operator those that come with a new account do, too. verified where SIGN_UP is open, else operator.',
    ),
  SETUP_CODE: secret(12)
    .optional()
    .describe(
      'Lets the first account in, as the header x-setup-code. Without it the gateway makes one and writes it to its log while there is no account.',
    ),
  EMAIL_VERIFICATION: z
    .enum(['required', 'off'])
    .default('required')
    .describe(
      'required: an address that is not verified may look and configure, and nothing that costs money or reaches others. off counts every address as verified, and is for loopback alone.',
    ),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, { message: 'smtp://user:password@host:587 or smtps://...', abort: true })
    .transform((value) => new Secret(value))
    .optional()
    .meta({ secret: true })
    .describe(
      'Server that sends e-mail: smtp://user:password@host:587 takes TLS where it is offered (with ?requireTLS=true nothing else), smtps:// begins with it. Mails wait until it is set.',
    ),
  MAIL_FROM: mailbox
    .optional()
    .describe('Sender of e-mail, such as Parlance <no-reply@example.com>; goes with SMTP_URL.'),
  AUTH_SECRET: platformKeys.AUTH_SECRET,
  CALLER_SIGNING_KEY_PREVIOUS: secret(32)
    .optional()
    .describe(
      'CALLER_SIGNING_KEY after it was taken away, until the calls that began under it have ended: their voice runtimes still hold tokens of it.',
    ),
  INTERNAL_API_KEY: platformKeys.INTERNAL_API_KEY,
  INTERNAL_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of a listener for the voice runtime alone: it serves what the runtime asks with the internal key or the token of a call. 0 takes any free one. Without it, PORT serves that too.',
    ),
  INTERNAL_HOST: z.string().min(1).default('127.0.0.1').describe('Address of the listener of INTERNAL_PORT.'),
  INTERNAL_ROUTES: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Whether PORT serves the operations of the internal key. Off where INTERNAL_PORT is set, and on where it is not, unless given.',
    ),
  API_KEY_ENVIRONMENT: z
    .string()
    .regex(/^[a-z]{2,8}$/)
    .default('live')
    .describe('The second part of an API key: parl_<this>_...'),
  VALIDATE_RESPONSES: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Hold every answer to its schema, which also strips what it does not name. On unless in production.',
    ),
  RPC_TIMEOUT_MS: wholeNumber(100, usualWaitLimitMs)
    .default(3_000)
    .describe(
      'How long the gateway waits for a service. A late read may be tried again until ten seconds are over.',
    ),
  RATE_LIMIT_READ_PER_MINUTE: perMinute(300, 'Reads of one caller'),
  RATE_LIMIT_WRITE_PER_MINUTE: perMinute(120, 'Writes of one caller'),
  RATE_LIMIT_COST_PER_MINUTE: perMinute(30, 'Requests that cost money, of one caller'),
  RATE_LIMIT_PURCHASE_PER_MINUTE: perMinute(5, 'Purchases of one caller'),
  RATE_LIMIT_UPLOAD_PER_MINUTE: perMinute(20, 'Uploads of one caller'),
  RATE_LIMIT_PUBLIC_CONFIG_PER_MINUTE: perMinute(120, "Reads of a widget's configuration, per address"),
  RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE: perMinute(6, 'Widget sessions, per address'),
  RATE_LIMIT_PUBLIC_QUEUE_PER_MINUTE: perMinute(
    120,
    "Requests for a widget session, with those of visitors who wait in a widget's queue, per address",
  ),
  RATE_LIMIT_PUBLIC_MESSAGE_PER_MINUTE: perMinute(240, 'Messages in conversations of widgets, per address'),
  RATE_LIMIT_INTERNAL_PER_MINUTE: perMinute(6_000, 'Requests of the voice runtime'),
  RATE_LIMIT_AUTH_PER_MINUTE: perMinute(
    10,
    'Wrong passwords and codes, and sign-ups, per address and account',
  ),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: perMinute(20, 'Credentials that turn out wrong, per address'),
  GUESSES_PER_ACCOUNT: wholeNumber(1, 100_000_000)
    .default(20)
    .describe(
      'Wrong passwords and codes for one account in 15 minutes, from all addresses together; as many mails go to one address at most.',
    ),
});

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** True when only people on this machine can reach the gateway, as far as its settings tell. */
const isOnLoopback = ({ HOST, PUBLIC_URL, TRUST_PROXY_HOPS }: z.output<typeof variables>): boolean =>
  loopback.test(HOST) &&
  (PUBLIC_URL === undefined || loopback.test(new URL(PUBLIC_URL).hostname)) &&
  TRUST_PROXY_HOPS === 0;

export const Env = variables
  .refine((env) => env.EMAIL_VERIFICATION === 'required' || isOnLoopback(env), {
    path: ['EMAIL_VERIFICATION'],
    message: 'is off only where HOST and PUBLIC_URL are on loopback and no proxy stands in front',
  })
  .refine((env) => env.SMTP_URL === undefined || env.MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    message: 'goes with SMTP_URL',
  })
  .meta({ process: 'gateway' });
export type Env = z.output<typeof Env>;
