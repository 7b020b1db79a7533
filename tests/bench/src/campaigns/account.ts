// An organization that can run campaigns: signed in as its owner, with an agent and a number.
import { randomUUID } from 'node:crypto';
import type { MeasuredPlatform } from '../harness/measured-platform.js';

export interface CampaignAccount {
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agentId: string;
  readonly fromNumber: string;
}

export interface Campaign {
  readonly id: string;
  readonly createdAt: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly progress: { readonly total: number; readonly attempts: number; readonly percent: number };
  readonly file: { readonly rows: number; readonly accepted: number };
}

type About = Pick<CampaignAccount, 'api' | 'headers'>;

interface Envelope<T> {
  readonly data: T;
  readonly error?: { readonly retryable: boolean };
}

const tries = 5;

/** A busy machine answers late, so a request is repeated; by its idempotency key all tries count as one. */
const ask = async <T>({ api, headers }: About, path: string, init: RequestInit = {}): Promise<T> => {
  const key = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const all = { ...headers, 'idempotency-key': key, ...init.headers };
    const response = await fetch(`${api}${path}`, { ...init, headers: all });
    const text = await response.text();
    const { data, error }: Envelope<T> = JSON.parse(text); // the contract's envelope
    if (response.ok) return data;
    if (error?.retryable !== true || attempt === tries)
      throw new Error(`${path} answered ${response.status}: ${text}`);
    await new Promise((next) => setTimeout(next, 1_000));
  }
};

export const get = <T>(about: About, path: string): Promise<T> => ask(about, path);

export const send = <T>(about: About, path: string, body: object, method = 'POST'): Promise<T> =>
  ask(about, path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const buy = async (about: About): Promise<string> => {
  const search = '/numbers/search?provider=TWILIO&country=US&limit=1';
  const [offer] = await get<{ phoneNumber: string; quoteId: string }[]>(about, search);
  if (offer === undefined) throw new Error('no number is for sale');
  const { phoneNumber, quoteId } = offer;
  await send(about, '/numbers', { provider: 'TWILIO', phoneNumber, quoteId });
  return phoneNumber;
};

/** Signs in as the first user of the platform, and takes the organization's own limits out of the way. */
export const openAccount = async ({ url, api, owner }: MeasuredPlatform): Promise<CampaignAccount> => {
  const signedIn = await fetch(`${api}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(owner),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const about = { api, headers: { cookie, origin: url } };
  await send(about, '/settings', { maxConcurrentCalls: 10_000, inboundReserve: 0 }, 'PATCH');
  const agent = await send<{ id: string }>(about, '/agents', {
    name: `Bench ${randomUUID().slice(0, 8)}`,
    isActive: true,
    templateId: 'support',
  });
  return { ...about, agentId: agent.id, fromNumber: await buy(about) };
};

export interface Spreadsheet {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Blob;
}

/** Uploads the file and creates the campaign; resolves with the platform's first answer. */
export const createCampaign = async (
  account: CampaignAccount,
  { fileName, contentType, content }: Spreadsheet,
  more: object,
): Promise<Campaign> => {
  const query = new URLSearchParams({ fileName, contentType });
  const place = await get<{ uploadUrl: string; sourceFileKey: string }>(
    account,
    `/outbound-calls/batch-upload-url?${query}`,
  );
  const uploaded = await fetch(place.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: content,
  });
  if (!uploaded.ok) throw new Error(`the upload was answered ${uploaded.status}`);
  const { agentId, fromNumber } = account;
  const body = {
    name: fileName,
    agentId,
    fromNumber,
    sourceFileKey: place.sourceFileKey,
    sourceFileName: fileName,
  };
  return send(account, '/outbound-calls/batches', { ...body, ...more });
};

/** Asks every `everyMs` until the campaign is in the wanted state. @throws Error when it ends otherwise, or not in time */
export const untilCampaign = async (
  account: CampaignAccount,
  id: string,
  isReached: (campaign: Campaign) => boolean,
  { limitMs, everyMs = 100 }: { readonly limitMs: number; readonly everyMs?: number },
): Promise<Campaign> => {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const campaign = await get<Campaign>(account, `/outbound-calls/batches/${id}`);
    if (isReached(campaign)) return campaign;
    const { status, statusReason } = campaign;
    if (['failed', 'cancelled', 'completed'].includes(status) || Date.now() > deadline)
      throw new Error(`campaign ${id} is ${status} (${statusReason}): ${JSON.stringify(campaign.progress)}`);
    await new Promise((next) => setTimeout(next, everyMs));
  }
};
