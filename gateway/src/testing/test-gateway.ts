// A real gateway for one test file, people who sign up at it.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { callerVariables, natsUrlOf } from '@parlance/fixtures';
import { ownSecret } from '../engines.js';
import { Env } from '../environment/env.js';
import { AddressVouchers, voucherHeader } from '../mcp/address-vouchers.js';
import { type Gateway, type StartOptions, start } from '../start.js';

const random = (): string => randomBytes(32).toString('base64url');

export const internalKey = random();

/** The secret of every gateway of a test file, as all copies share one. */
const authSecret = random();

/** Limits far above the requests of a test, so that only tests about limits meet them. */
const generous = Object.fromEntries(
  [
    'READ',
    'WRITE',
    'COST',
    'PURCHASE',
    'UPLOAD',
    'AUTH',
    'FAILED_AUTH',
    'PUBLIC_CONFIG',
    'PUBLIC_SESSION',
    'PUBLIC_QUEUE',
    'PUBLIC_MESSAGE',
  ].map((name) => [`RATE_LIMIT_${name}_PER_MINUTE`, '100000']),
);

export const liveKitCredentials = { LIVEKIT_API_KEY: 'APItest', LIVEKIT_API_SECRET: random() };

export interface TestGatewayOptions extends StartOptions {
  readonly postgresUrl: Secret;
  readonly natsUrl: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export const testEnv = ({ postgresUrl, natsUrl, variables }: TestGatewayOptions): Env =>
  Env.parse({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    SIGN_UP: 'open',
    EMAIL_VERIFICATION: 'off',
    PORT: '0',
    POSTGRES_URL: postgresUrl.reveal(),
    NATS_URL: natsUrlOf(natsUrl, 'gateway'),
    ...callerVariables('gateway'),
    AUTH_SECRET: authSecret,
    INTERNAL_API_KEY: internalKey,
    LIVEKIT_URL: 'http://127.0.0.1:7880',
    LIVEKIT_WS_URL: 'ws://127.0.0.1:7880',
    ...liveKitCredentials,
    ...generous,
    GUESSES_PER_ACCOUNT: '100000',
    ...variables,
  });

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail when they look wrong
  readonly body: any;
}

export interface Send {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
}

export interface NewPerson {
  readonly email?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly organizationId: string;
  /** Cookie and Origin, as a browser on the console sends them. */
  readonly session: Readonly<Record<string, string>>;
}

/** The cookies that a browser sends back after this answer. */
export const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export class TestGateway {
  readonly gateway: Gateway;
  readonly #vouchers: AddressVouchers;

  private constructor(gateway: Gateway, vouchers: AddressVouchers) {
    this.gateway = gateway;
    this.#vouchers = vouchers;
  }

  static async start(options: TestGatewayOptions): Promise<TestGateway> {
    // No dialer runs beside most of these gateways.
    const beginLimits = options.beginLimits ?? (async () => undefined);
    const env = testEnv(options);
    return new TestGateway(
      await start(env, { ...options, beginLimits }),
      new AddressVouchers(ownSecret(env)),
    );
  }

  /** The headers of a request with this credential as the MCP facade sends it. */
  overMcp(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers, [voucherHeader]: this.#vouchers.for({ headers, ip: '127.0.0.1' }) };
  }

  /** Path from the root of the server. */
  async raw(path: string, { method = 'GET', headers = {}, body, raw }: Send = {}): Promise<Reply> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.gateway.url}${path}`, {
      method,
      headers: { ...json, ...headers },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload }),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  }

  /** Path under the base address. */
  send(path: string, options: Send = {}): Promise<Reply> {
    return this.raw(`/api/v1${path}`, options);
  }

  async signUp({ email = `${randomUUID()}@example.com`, headers = {} }: NewPerson = {}): Promise<Person> {
    const password = random();
    const body = { name: 'Ada', email, password };
    const reply = await this.send('/auth/sign-up/email', { method: 'POST', headers, body });
    if (reply.status !== 200)
      throw new Error(`sign-up answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    // Without verified addresses a sign-up also signs in; to sign in again would only hash the password once more.
    return cookiesOf(reply) === ''
      ? this.signIn({ email, password })
      : this.#personOf(reply, { email, password });
  }

  /** Cookie and Origin of a new session. */
  async signIn({ email, password }: Pick<Person, 'email' | 'password'>): Promise<Person> {
    const reply = await this.send('/auth/sign-in/email', { method: 'POST', body: { email, password } });
    if (reply.status !== 200)
      throw new Error(`sign-in answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return this.#personOf(reply, { email, password });
  }

  async #personOf(reply: Reply, { email, password }: Pick<Person, 'email' | 'password'>): Promise<Person> {
    const session = { cookie: cookiesOf(reply), origin: this.gateway.url };
    const current = await this.send('/auth/get-session', { headers: session });
    return {
      email,
      password,
      session,
      userId: reply.body.user.id,
      organizationId: current.body.session.activeOrganizationId,
    };
  }

  async createKey(
    person: Person,
    permissions: readonly string[] = ['*'],
  ): Promise<{ readonly id: string; readonly key: string }> {
    const body = { name: 'test key', permissions };
    const reply = await this.send('/auth/api-key/create', { method: 'POST', headers: person.session, body });
    if (reply.status !== 200)
      throw new Error(`key creation answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return { id: reply.body.id, key: reply.body.key };
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }
}

/** An agent as agents-config would answer it. */
export const sampleAgent = {
  id: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  name: 'Front desk',
  isActive: true,
  templateId: null,
  hasConfig: false,
  configVersion: null,
  phoneNumbers: [],
  counts: { tools: 0, knowledgeSources: 0, widgets: 0, mcpConnections: 0 },
  lastCallAt: null,
  createdAt: '2026-07-01T09:30:00.000Z',
  updatedAt: '2026-07-01T09:30:00.000Z',
};
