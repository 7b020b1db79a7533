// Claims of recipients after a dialer died with recipients in hand, on a real database.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { claimMs } from '../attempt/dial-claims.js';
import { type CallingCampaign, type SpendSources } from '../ledger/call-spending.js';
import { currentRates } from '../ledger/rates.js';
import { sealRecipients } from '../personal-data/sealed-recipients.js';
import { returnLeftBehind } from '../recipients/recipients.js';
import { after, organizationId, RecipientBooks, tools } from '../testing/recipient-books.js';
import { providerPace } from './pacing.js';
import { type ClaimRules, claimForDialing } from './recipient-claims.js';

const leaseSeconds = claimMs / 1_000;
let books: RecipientBooks;

beforeAll(async () => {
  books = await RecipientBooks.start();
});
afterEach(() => books.db.query('truncate campaigns, pacing'));
afterAll(async () => {
  await books?.stop();
});

/** A running campaign of which a dialer has this many recipients in hand since the beginning. */
const campaignInHands = async (recipients: number, inHand: number): Promise<CallingCampaign> => {
  const id = await books.withRecipients(recipients);
  await books.db.query(
    `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
     values ($1, $2, $1, 'running', now(), now(), 1, '{}')`,
    [id, organizationId],
  );
  await books.claim(id, inHand, 'died');
  const created = { callsPerSecond: 100, callingWindow: null, timezone: 'UTC' };
  return { id, organizationId, state: { phase: 'running', created } } as unknown as CallingCampaign;
};

const settings = {
  maxConcurrentCalls: 1_000,
  inboundReserve: 0,
  callingWindow: null,
  operatorHours: null,
  timezone: 'UTC',
  dayZone: 'UTC',
};

const nothingLimited = {
  dayMicros: null,
  monthMicros: null,
  numbers: null,
  concurrentCalls: null,
  countries: null,
  callingWindow: null,
  dailyAttempts: null,
};

/** Nothing is limited, so that only places count. */
const unlimited: SpendSources = {
  limitsOf: async () => ({ organization: nothingLimited, installation: nothingLimited }),
  rates: currentRates,
  maxCallSeconds: 600,
};

/** A living dialer's claim, this many seconds after the dead one took its recipients. */
const resultAt = (campaign: CallingCampaign, seconds: number, limits: Partial<ClaimRules>) => {
  const rules = {
    settings,
    countries: ['US'],
    providerPace: providerPace('TWILIO', 100),
    mostNow: 100,
    mostAtOnce: Number.MAX_SAFE_INTEGER,
    spend: unlimited,
    hashNumbers: async (numbers: readonly string[]) => numbers,
    ...tools,
    ...limits,
  } as ClaimRules;
  const time = () => ({ holder: 'lives', now: after(seconds), forMs: claimMs });
  return claimForDialing(books.db, campaign, rules, time, 1);
};

/** The row numbers that the living dialer gets. */
const claimAt = async (campaign: CallingCampaign, seconds: number, limits: Partial<ClaimRules>) =>
  (await resultAt(campaign, seconds, limits)).claimed.map(({ recipient }) => recipient.rowNumber);

describe('recipients whom a dialer had in hand when it died', () => {
  it('do not keep a campaign of one call at a time from going on, nor make it two calls', async () => {
    const campaign = await campaignInHands(5, 2);
    const one = { mostAtOnce: 1 };
    expect(await claimAt(campaign, leaseSeconds - 1, one)).toEqual([]);
    expect(await claimAt(campaign, leaseSeconds + 1, one)).toHaveLength(1);
    expect(await claimAt(campaign, leaseSeconds + 2, one)).toEqual([]);
  });

  it('count as long as a dialer that lives claims their calls, whatever the read model has heard', async () => {
    const campaign = await campaignInHands(3, 1);
    const one = { mostAtOnce: 1 };
    await books.db.query(
      `insert into dial_claims (outbound_call_id, holder, claimed_until)
       select outbound_call_id, 'dials', $2 from campaign_recipients where campaign_id = $1 and state = 'queued'`,
      [campaign.id, after(2 * leaseSeconds).toISOString()],
    );
    expect(await claimAt(campaign, leaseSeconds + 1, one)).toEqual([]);
    expect(await claimAt(campaign, 2 * leaseSeconds + 1, one)).toHaveLength(1);
  });

  it('do not use up the calls that their organization may have', async () => {
    const campaign = await campaignInHands(5, 3);
    const two = { settings: { ...settings, maxConcurrentCalls: 2 } } as Partial<ClaimRules>;
    expect(await claimAt(campaign, leaseSeconds - 1, two)).toEqual([]);
    expect(await claimAt(campaign, leaseSeconds + 1, two)).toHaveLength(2);
    expect(await claimAt(campaign, leaseSeconds + 2, two)).toEqual([]);
  });
});

describe('recipients of a paused campaign whom a dialer had in hand', () => {
  const returnedAt = ({ id }: CallingCampaign, seconds: number) =>
    books.db.transaction((tx) => returnLeftBehind(tx, id, after(seconds)));

  it('wait again once their lease has expired', async () => {
    const campaign = await campaignInHands(5, 2);
    expect(await returnedAt(campaign, leaseSeconds - 1)).toBe(0);
    expect(await returnedAt(campaign, leaseSeconds + 1)).toBe(2);
    expect(await claimAt(campaign, leaseSeconds + 2, {})).toHaveLength(5);
  });

  it('stay in hand while a dialer holds their calls', async () => {
    const campaign = await campaignInHands(3, 1);
    await books.db.query(
      `insert into dial_claims (outbound_call_id, holder, claimed_until)
       select outbound_call_id, 'dials', $2 from campaign_recipients where campaign_id = $1 and state = 'queued'`,
      [campaign.id, after(2 * leaseSeconds).toISOString()],
    );
    expect(await returnedAt(campaign, leaseSeconds + 1)).toBe(0);
    expect(await returnedAt(campaign, 2 * leaseSeconds + 1)).toBe(1);
  });
});

describe('sealed recipients', () => {
  it('are opened when they are claimed, and no others are', async () => {
    const campaign = await campaignInHands(50, 0);
    const { rows } = await books.db.query<{ n: number; phoneNumber: string }>(
      'select row_number as n, phone_number as "phoneNumber" from campaign_recipients where campaign_id = $1',
      [campaign.id],
    );
    const contents = rows.map(({ n, phoneNumber }) => ({
      phoneNumber,
      row: { variables: { name: `N${n}` } },
    }));
    const sealed = await sealRecipients(
      tools.personalData,
      { organizationId, campaignId: campaign.id },
      contents,
    );
    await books.db.query(
      `update campaign_recipients r set phone_number = s.phone, row = s.row::jsonb
       from unnest($2::int[], $3::text[], $4::text[]) as s (n, phone, row)
       where r.campaign_id = $1 and r.row_number = s.n`,
      [
        campaign.id,
        rows.map(({ n }) => n),
        sealed.map(({ phoneNumber }) => phoneNumber),
        sealed.map(({ row }) => JSON.stringify(row)),
      ],
    );
    let opened = 0;
    const personalData = {
      open: (subject: string, text: string) => {
        opened += 1;
        return tools.personalData.open(subject, text);
      },
    };
    const { claimed } = await resultAt(campaign, 0, { mostNow: 2, personalData });
    expect(claimed.map(({ recipient: { phoneNumber, row } }) => [phoneNumber, row])).toEqual([
      ['+14155551002', { variables: { name: 'N2' } }],
      ['+14155551003', { variables: { name: 'N3' } }],
    ]);
    expect(opened).toBe(2);
  });
});

describe('a claim that takes nobody tells why', () => {
  it('calls in progress take the places, the organization has none for campaigns, or others use up the pace', async () => {
    const campaign = await campaignInHands(5, 2);
    const heldBy = async (limits: Partial<ClaimRules>) => (await resultAt(campaign, 1, limits)).held;
    const of = (more: object) => ({ settings: { ...settings, ...more } }) as Partial<ClaimRules>;
    expect(await heldBy({ mostAtOnce: 2 })).toBe('places');
    expect(await heldBy(of({ maxConcurrentCalls: 2 }))).toBe('places');
    expect(await heldBy(of({ maxConcurrentCalls: 2, inboundReserve: 2 }))).toBe('no_places');
    await books.db.query('insert into pacing (account, next_at) values ($1, $2)', [
      'TWILIO',
      after(60).toISOString(),
    ]);
    expect(await heldBy({})).toBe('pace');
    await books.db.query('truncate pacing');
    expect(await heldBy({})).toBeUndefined();
  });
});
