// The environment of the gateway.
import { baseEnv, livekitEnv, natsEnv, postgresEnv, secret } from '@parlance/config';
import { z } from 'zod';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { message: 'a whole number', abort: true })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

const perMinute = (otherwise: number) => integer(1, 100_000_000).default(otherwise);

const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;

const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isOrigin), 'origins such as https://console.example.com, separated by commas');

export const Env = z.object({
  ...baseEnv,
  ...natsEnv,
  ...postgresEnv,
  ...livekitEnv,
  HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  PORT: integer(0, 65_535).default(4700),
  /** Scheme, host and port under which people reach this gateway; the listening address unless given. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Other origins whose pages may call with the session cookie. */
  CONSOLE_ORIGINS: origins.default([]),
  /** How many proxies stand in front and append to X-Forwarded-For. */
  TRUST_PROXY_HOPS: integer(0, 10).default(0),
  /** Signs session cookies. */
  AUTH_SECRET: secret(32),
  /** Held by the voice runtime; see x-internal-key. */
  INTERNAL_API_KEY: secret(32),
  /** `off` takes the internal operations off this listener. */
  INTERNAL_ROUTES: z.enum(['on', 'off']).default('on'),
  /** The second part of an API key: parl_<this>_... */
  API_KEY_ENVIRONMENT: z
    .string()
    .regex(/^[a-z]{2,8}$/)
    .default('live'),
  /** Hold every answer to its schema, which also strips what the schema does not name. On unless in production. */
  VALIDATE_RESPONSES: z.enum(['true', 'false']).optional(),
  /** How long to keep serving after SIGTERM, while load balancers notice. 5 s in production, else none. */
  DRAIN_DELAY_MS: integer(0, 60_000).optional(),
  RPC_TIMEOUT_MS: integer(100, 30_000).default(3_000),
  RATE_LIMIT_READ_PER_MINUTE: perMinute(300),
  RATE_LIMIT_WRITE_PER_MINUTE: perMinute(120),
  RATE_LIMIT_COST_PER_MINUTE: perMinute(30),
  RATE_LIMIT_PURCHASE_PER_MINUTE: perMinute(5),
  RATE_LIMIT_UPLOAD_PER_MINUTE: perMinute(20),
  RATE_LIMIT_PUBLIC_CONFIG_PER_MINUTE: perMinute(120),
  RATE_LIMIT_PUBLIC_SESSION_PER_MINUTE: perMinute(6),
  RATE_LIMIT_INTERNAL_PER_MINUTE: perMinute(6_000),
  /** Sign-in and sign-up, per address and account. */
  RATE_LIMIT_AUTH_PER_MINUTE: perMinute(10),
  /** Credentials that turn out wrong, per address. */
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: perMinute(20),
});
export type Env = z.output<typeof Env>;
