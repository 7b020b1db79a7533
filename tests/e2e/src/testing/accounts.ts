// People and keys for tests, made through the interface as anybody would make them.
import { randomUUID } from 'node:crypto';
import { eventually } from '@parlance/fixtures';
import type { RunningPlatform } from './running-platform.js';

/** Variables of a platform on which the operator limits no organization. */
export const withoutLimits = {
  ORGANIZATION_SPEND_PER_DAY: 'none',
  ORGANIZATION_SPEND_PER_MONTH: 'none',
  ORGANIZATION_MAX_NUMBERS: 'none',
  ORGANIZATION_MAX_CONCURRENT_CALLS: 'none',
  CALLING_WINDOW: 'none',
  DAILY_ATTEMPTS_PER_NUMBER: 'none',
  INSTALLATION_SPEND_PER_DAY: 'none',
  INSTALLATION_SPEND_PER_MONTH: 'none',
  INSTALLATION_MAX_NUMBERS: 'none',
  INSTALLATION_MAX_CONCURRENT_CALLS: 'none',
};

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
  readonly apiKey: string;
  /** Credentials of the account's all-powerful key. */
  readonly headers: Record<string, string>;
}

/** The addresses of a platform, however it was started. */
export type Reachable = Pick<RunningPlatform, 'url' | 'api'>;

export class Accounts {
  readonly platform: Reachable;
  readonly #keys = new Map<string, Promise<string>>();
  readonly #agents = new Map<string, Promise<string>>();
  readonly #numbers = new Map<string, Promise<string>>();
  #defaults: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(platform: Reachable) {
    this.platform = platform;
  }

  /** Signs up, which makes an organization, and makes a key that may do everything. */
  create(name: string): Promise<Account> {
    // As any client would: a platform that has just started on a busy machine may say 503, come back.
    return eventually(() => this.#signUp(name), { timeoutMs: 60_000, intervalMs: 500 });
  }

  async #signUp(name: string): Promise<Account> {
    const email = `${name}-${randomUUID()}@example.com`;
    const password = randomUUID();
    const response = await this.#post('/auth/sign-up/email', { email, password, name });
    if (!response.ok) throw new Error(`sign-up failed: ${response.status} ${await response.text()}`);
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const apiKey = await this.#makeKey(cookie, ['*']);
    return { email, password, cookie, apiKey, headers: { 'x-api-key': apiKey } };
  }

  /** A key of this account with these permissions; the same one when asked again. */
  key(account: Account, permissions: readonly string[]): Promise<string> {
    const name = `${account.email} ${permissions.join()}`;
    const known = this.#keys.get(name) ?? this.#makeKey(account.cookie, permissions);
    this.#keys.set(name, known);
    return known;
  }

  /** An agent of this account that can take calls; the same one when asked again. */
  agent(account: Account): Promise<string> {
    const known = this.#agents.get(account.email) ?? this.#makeAgent(account);
    this.#agents.set(account.email, known);
    return known;
  }

  /** A number that this account has bought and can call from; the same one when asked again. */
  number(account: Account): Promise<string> {
    const known = this.#numbers.get(account.email) ?? this.buyNumber(account, 'TWILIO');
    this.#numbers.set(account.email, known);
    return known;
  }

  /** Lets an organization of a platform `withoutLimits` have more calls in progress than it is ever going to have. */
  async allowManyCalls({ cookie }: Account): Promise<void> {
    const response = await fetch(`${this.platform.api}/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', origin: this.platform.url, cookie },
      body: JSON.stringify({ maxConcurrentCalls: 10_000 }),
    });
    if (!response.ok) throw new Error(`no settings: ${response.status} ${await response.text()}`);
  }

  /** Language, models and voice that fit together. */
  catalogDefaults(account: Account): Promise<Readonly<Record<string, string>>> {
    this.#defaults ??= this.#readDefaults(account);
    return this.#defaults;
  }

  async #readDefaults(account: Account): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(`${this.platform.api}/agents/voice/catalog`, { headers: account.headers });
    const { data } = (await response.json()) as { data: { defaults: Record<string, string> } }; // the contract's VoiceCatalog
    return data.defaults;
  }

  async #makeAgent(account: Account): Promise<string> {
    const body = { name: 'Fixture', isActive: true, templateId: 'business' };
    const response = await this.#post('/agents', body, account.headers);
    const { data } = (await response.json()) as { data: { id: string } }; // the contract's Agent
    return data.id;
  }

  /** One more number of this provider. Another organization may buy the offered one first, and then there is another offer. */
  buyNumber(account: Account, provider: 'TWILIO' | 'TELNYX'): Promise<string> {
    return eventually(() => this.#buyOffered(account, provider));
  }

  async #buyOffered({ cookie, headers }: Account, provider: string): Promise<string> {
    // An area in which no test searches by hand.
    const query = `provider=${provider}&country=US&areaCode=602&limit=1`;
    const found = await fetch(`${this.platform.api}/numbers/search?${query}`, { headers });
    const { data } = (await found.json()) as { data: { phoneNumber: string; quoteId: string }[] }; // the contract's NumberSearchResult
    const [offer] = data;
    if (offer === undefined) throw new Error('no number is for sale');
    const { phoneNumber, quoteId } = offer;
    const bought = await this.#post('/numbers', { provider, phoneNumber, quoteId }, { cookie });
    if (!bought.ok) throw new Error(`no number: ${bought.status} ${await bought.text()}`);
    return phoneNumber;
  }

  async #makeKey(cookie: string, permissions: readonly string[]): Promise<string> {
    const body = { name: 'test', permissions };
    const response = await this.#post('/auth/api-key/create', body, { cookie });
    const { key } = (await response.json()) as { key?: string }; // shown this once
    if (!response.ok || key === undefined) throw new Error(`no key: ${response.status}`);
    return key;
  }

  #post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.platform.api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.platform.url, ...headers },
      body: JSON.stringify(body),
    });
  }
}
