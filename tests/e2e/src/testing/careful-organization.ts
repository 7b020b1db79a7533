// An organization on a platform that it shares with others: it has an agent, a number and one finished call. No
// request of a stranger may change any of it.
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { readCallerEnv } from '@parlance/config';
import type { Operation } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { CallTokenIssuer } from '@parlance/rpc';
import { callerVariables, DataFolder } from '@parlance/start';
import { type Account, Accounts } from './accounts.js';
import type { Refusal } from './bad-inputs.js';
import type { MediaServerKey } from './forged-webhooks.js';
import { ownLedger } from './own-ledger.js';
import { json, type Sent, send, toRefusal } from './refusals.js';
import { pathWith, randomIds } from './sample-requests.js';
import type { SharedPlatform } from './shared-platforms.js';

/** Calls that tokens are issued for, by the id in the path; the second id is none. */
export const callIds = [randomUUID(), 'not an id!'] as const;

interface Call {
  readonly id: string;
  readonly callId: string | null;
  readonly roomName: string | null;
}
export interface Log {
  readonly status: string;
  readonly analysisStatus: string;
}

interface Parts {
  readonly platform: SharedPlatform;
  readonly accounts: Accounts;
  readonly account: Account;
  readonly agentId: string;
  readonly fromNumber: string;
  /** A configuration that can be saved. */
  readonly configuration: Record<string, unknown>;
}

export class CarefulOrganization {
  readonly platform: SharedPlatform;
  readonly accounts: Accounts;
  readonly account: Account;
  readonly agentId: string;
  readonly fromNumber: string;
  readonly configuration: Record<string, unknown>;
  readonly internalKey: string;
  readonly mediaServer: MediaServerKey;
  readonly #issuer: CallTokenIssuer;
  /** By the id of the call. */
  #callTokens: ReadonlyMap<string, string> = new Map();
  #room = '';

  private constructor(parts: Parts) {
    this.platform = parts.platform;
    this.accounts = parts.accounts;
    this.account = parts.account;
    this.agentId = parts.agentId;
    this.fromNumber = parts.fromNumber;
    this.configuration = parts.configuration;
    const secrets = new DataFolder(parts.platform.dataDir).secrets();
    this.internalKey = secrets.internalKey;
    this.mediaServer = { key: secrets.liveKitApiKey, secret: secrets.liveKitApiSecret };
    this.#issuer = new CallTokenIssuer(readCallerEnv(callerVariables(secrets, 'agents-config')));
  }

  static async on(platform: SharedPlatform): Promise<CarefulOrganization> {
    try {
      const accounts = new Accounts(platform);
      const account = await accounts.create('careful');
      const world = new CarefulOrganization({
        ...{ platform, accounts, account },
        agentId: await accounts.agent(account),
        fromNumber: await accounts.number(account),
        configuration: {
          ...(await accounts.catalogDefaults(account)),
          firstMessage: 'Good morning',
          systemPrompt: 'Be brief.',
        },
      });
      world.#callTokens = new Map(await Promise.all(callIds.map((callId) => world.#tokenOf(callId))));
      world.#room = await world.#makeCall();
      return world;
    } catch (error) {
      await platform.release();
      throw error;
    }
  }

  remove(): Promise<void> {
    return this.platform.release();
  }

  /** The room of the one call that was really made. */
  get room(): string {
    return this.#room;
  }

  async refusal(path: string, sent: Sent = {}): Promise<Refusal> {
    const headers = { ...this.account.headers, ...sent.headers };
    return toRefusal(await send(`${this.platform.api}${path}`, { ...sent, headers }));
  }

  post(path: string, value: unknown): Promise<Refusal> {
    return this.refusal(path, { method: 'POST', headers: json, body: JSON.stringify(value) });
  }

  async read<T>(path: string): Promise<T> {
    const { status, text } = await send(`${this.platform.api}${path}`, { headers: this.account.headers });
    expect(status).toBe(200);
    return (JSON.parse(text) as { data: T }).data; // as the contract declares it
  }

  async organizationOf(person: Account): Promise<string> {
    const headers = { cookie: person.cookie };
    const { text } = await send(`${this.platform.api}/auth/get-session`, { headers });
    const { session } = JSON.parse(text) as { session: { activeOrganizationId: string } }; // as better-auth answers
    return session.activeOrganizationId;
  }

  /** All that the interface shows of this organization, and all that the media server was asked to dial but for others. */
  async everything(): Promise<unknown> {
    return {
      agents: await this.read('/agents'),
      configuration: await this.read(`/agents/${this.agentId}/config`),
      outboundCalls: await this.read('/outbound-calls?limit=100'),
      calls: await this.read('/calls?limit=100'),
      live: await this.read('/calls/live'),
      ledger: await ownLedger(this.platform.dataDir, [this.fromNumber]),
    };
  }

  /** Everything, once it does not change any more: the same twice, a moment apart. */
  settled(): Promise<unknown> {
    let last: unknown;
    return eventually(
      async () => {
        const previous = last;
        last = await this.everything();
        expect(last).toEqual(previous);
        return last;
      },
      { timeoutMs: 60_000, intervalMs: 1_000 },
    );
  }

  /** The credentials with which the body of a request is looked at. */
  credentialsFor({ auth }: Operation, callId: string = callIds[0]): Record<string, string> {
    if (auth.kind === 'orgAdmin') return { cookie: this.account.cookie, origin: this.platform.url };
    if (auth.kind === 'internal') return { 'x-internal-key': this.internalKey };
    if (auth.kind === 'call')
      return {
        authorization: `Bearer ${this.#callTokens.get(callId)}`,
        ...(auth.withInternalKey === true && { 'x-internal-key': this.internalKey }),
      };
    return auth.kind === 'org' || auth.kind === 'member' ? this.account.headers : {};
  }

  /** Sends a body to an operation, with ids of things that do not exist. */
  async ask(row: Operation, headers: Record<string, string>, body: Sent['body']): Promise<Refusal> {
    const path = pathWith(row, { ...randomIds(), agentId: this.agentId, callId: callIds[0] });
    const sent = { method: row.method, headers: { ...this.credentialsFor(row), ...headers } };
    const url = `${this.platform.api}${path}`;
    return toRefusal(await send(url, body === undefined ? sent : { ...sent, body }));
  }

  async #tokenOf(callId: string): Promise<readonly [string, string]> {
    const organizationId = await this.organizationOf(this.account);
    const { token } = await this.#issuer.issue({ organizationId, agentId: this.agentId, callId }, 3_600);
    return [callId, token];
  }

  /** One call that is really made, and over: the subject of forged news. */
  async #makeCall(): Promise<string> {
    const { agentId, fromNumber } = this;
    const body = JSON.stringify({ agentId, phoneNumber: '+14155550100', fromNumber });
    const sent = { method: 'POST', headers: { ...this.account.headers, ...json }, body };
    const placed = await send(`${this.platform.api}/outbound-calls/quick`, sent);
    expect(placed.status).toBe(201);
    const { id } = (JSON.parse(placed.text) as { data: Call }).data; // the contract's OutboundCall
    return eventually(
      async () => {
        const { callId, roomName } = await this.read<Call>(`/outbound-calls/${id}`);
        expect(await this.read<Log>(`/calls/${callId}`)).toMatchObject({ status: 'completed' });
        expect((await this.read<Log>(`/calls/${callId}`)).analysisStatus).not.toBe('pending');
        expect(await this.read<readonly Log[]>('/outbound-calls')).toMatchObject([{ status: 'completed' }]);
        expect(await this.read<readonly Log[]>('/calls')).toMatchObject([{ status: 'completed' }]);
        return String(roomName);
      },
      { timeoutMs: 60_000, intervalMs: 100 },
    );
  }
}
