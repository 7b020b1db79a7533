// Variables that several processes share, as plain objects of zod fields to spread into a process's own schema.
import { z } from 'zod';
import { Secret } from './secret.js';

const placeholder = /^(change.?me|default|secret|password|example|placeholder|todo|x+$)/i;

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
    .transform((value) => new Secret(value));

/** 32 random bytes in base64; anything shorter, longer or constant is refused. */
const key32 = (): z.ZodType<Secret, string> =>
  z
    .string()
    .refine(
      (value) => {
        const bytes = Buffer.from(value, 'base64');
        return bytes.length === 32 && new Set(bytes).size > 1;
      },
      { message: '32 random bytes in base64', abort: true },
    )
    .transform((value) => new Secret(value));

const integer = (min: number, max: number) =>
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

/** What every process has. */
export const baseEnv = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SERVICE_VERSION: z.string().max(64).default('0.1.0'),
};

/** Where traces go; without an endpoint nothing is traced. */
export const telemetryEnv = {
  OTEL_SERVICE_NAME: z.string().max(64).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('https?').optional(),
};

/** The message broker, and the key with which the gateway signs callers. */
export const natsEnv = {
  NATS_URL: url('nats', 'tls', 'wss?'),
  CALLER_SIGNING_KEY: secret(32),
};

/** The service's own role on Postgres. The URL is a secret because it holds the password. */
export const postgresEnv = {
  POSTGRES_URL: secret(),
  POSTGRES_POOL_MAX: integer(1, 100).default(10),
};

export const eventStoreEnv = {
  EVENTSTORE_URL: secret(),
};

export const mongoEnv = {
  MONGODB_URL: secret(),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/i, 'a database name')
    .default('parlance'),
};

/** LiveKit: the server API that we call, and the address that browsers are given. */
export const livekitEnv = {
  LIVEKIT_URL: url('https?'),
  LIVEKIT_WS_URL: url('wss?'),
  LIVEKIT_API_KEY: z.string().min(1),
  LIVEKIT_API_SECRET: secret(),
  VOICE_AGENT_NAME: z.string().min(1).max(64).default('parlance-voice'),
};

export const sipEnv = {
  SIP_OUTBOUND_TRUNK_ID: z.string().min(1),
};

/** The key that wraps all other keys at rest, and the name under which records remember it. */
export const cryptoEnv = {
  KEK_ID: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and -, at most 64'),
  KEK: key32(),
};

/** The key that signs list cursors. */
export const cursorEnv = {
  CURSOR_KEY: secret(32),
};
