// The organizations behind the requests: one has a thing of every kind that is read, the other one's agents are written.
import { type Client, createClient } from '@parlance/client';
import { eventually } from '@parlance/fixtures';
import { type Account, Accounts, type Reachable } from '@parlance/tests-e2e';

export interface Tenant {
  readonly client: Client;
  readonly headers: Readonly<Record<string, string>>;
  readonly agentId: string;
  readonly fromNumber: string;
  readonly widgetId: string;
  readonly toolId: string;
  /** Calls of the organization at the same time. */
  readonly maxConcurrentCalls: number;
}

export interface Tenants {
  /** Its things are read, its phones ring and its visitors write. */
  readonly reader: Tenant;
  /** Nothing but its agents is looked at, and each request may add one. */
  readonly writer: { readonly client: Client; readonly headers: Readonly<Record<string, string>> };
}

/** The page that the widget is on. */
export const page = 'https://shop.example.com';

/** A client that repeats a request would hide the failure of the first one. */
const clientOf = ({ api }: Reachable, { apiKey }: Account): Client =>
  createClient({ baseUrl: api, apiKey, retries: 0 });

const tool = (url: string) => ({
  name: 'appointments',
  description: 'Tells the next appointment of a patient.',
  request: { method: 'GET' as const, url: `${url}/appointments` },
  parameters: [],
});

/** Calls of campaigns leave some places for calls that come in. */
const inboundReserve = 0;
const manySessions = { sessionsPerIpPerHour: 10_000, maxConcurrentSessions: 1_000 };

/** @param practice address of a system that tools may ask */
export const makeTenants = async (
  platform: Reachable,
  { practice, calls }: { readonly practice: string; readonly calls: number },
): Promise<Tenants> => {
  const accounts = new Accounts(platform);
  const account = await accounts.create('reader');
  const writer = await accounts.create('writer');
  const client = clientOf(platform, account);
  const owner = createClient({ baseUrl: platform.api, cookie: account.cookie });
  // Quick calls and conversations in text take places too.
  const maxConcurrentCalls = calls * 2 + 20;
  await owner.settings.update({ body: { maxConcurrentCalls, inboundReserve } });
  const agentId = await accounts.agent(account);
  // Services that have just started find each other a moment later.
  const once = <T>(work: () => Promise<T>): Promise<T> => eventually(work, { intervalMs: 250 });
  const fromNumber = await once(() => accounts.buyNumber(account, 'TWILIO'));
  const widget = await once(() =>
    client.widgets.create({
      params: { agentId },
      body: { name: 'Shop', allowedOrigins: [page], modes: ['text'], limits: manySessions },
    }),
  );
  const made = await once(() => client.tools.create({ body: tool(practice) }));
  return {
    reader: {
      ...{ client, headers: account.headers, agentId, fromNumber, maxConcurrentCalls },
      widgetId: widget.data.id,
      toolId: made.data.id,
    },
    writer: { client: clientOf(platform, writer), headers: writer.headers },
  };
};
