// Who may be taken in hand when a dialer died with recipients in its hands, with a real database.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { after, organizationId, RecipientBooks } from '../testing/recipient-books.js';
import type { OpenCampaign } from './open-campaigns.js';
import { providerPace } from './pacing.js';
import { type ClaimRules, claimForDialing } from './recipient-claims.js';

const leaseSeconds = 15;
let books: RecipientBooks;

beforeAll(async () => {
  books = await RecipientBooks.start();
});
afterAll(async () => {
  await books?.stop();
});

/** A running campaign of which a dialer has this many recipients in hand since the beginning. */
const campaignInHands = async (recipients: number, inHand: number): Promise<OpenCampaign> => {
  const id = await books.withRecipients(recipients);
  await books.db.query(
    `insert into campaigns (id, organization_id, agent_id, status, created_at, updated_at, revision, state)
     values ($1, $2, $1, 'running', now(), now(), 1, '{}')`,
    [id, organizationId],
  );
  await books.claim(id, inHand, 'died');
  const created = { callsPerSecond: 100, callingWindow: null, timezone: 'UTC' };
  return { id, organizationId, state: { phase: 'running', created } } as unknown as OpenCampaign;
};

const settings = { maxConcurrentCalls: 1_000, inboundReserve: 0, callingWindow: null, timezone: 'UTC' };

/** What a living dialer gets, this many seconds after the other one took its recipients. */
const claimAt = async (campaign: OpenCampaign, seconds: number, limits: Partial<ClaimRules>) => {
  const rules = {
    settings,
    countries: ['US'],
    providerPace: providerPace('TWILIO', 100),
    mostNow: 100,
    mostAtOnce: Number.MAX_SAFE_INTEGER,
    ...limits,
  } as ClaimRules;
  const time = { holder: 'lives', now: after(seconds), forMs: 15_000 };
  return (await claimForDialing(books.db, campaign, rules, time, 1)).claimed.map(
    ({ recipient }) => recipient.rowNumber,
  );
};

describe('recipients whom a dialer had in hand when it died', () => {
  it('do not keep a campaign of one call at a time from going on, nor make it two calls', async () => {
    const campaign = await campaignInHands(5, 2);
    const one = { mostAtOnce: 1 };
    expect(await claimAt(campaign, leaseSeconds - 1, one)).toEqual([]);
    expect(await claimAt(campaign, leaseSeconds + 1, one)).toHaveLength(1);
    expect(await claimAt(campaign, leaseSeconds + 2, one)).toEqual([]);
    await books.db.query(`delete from campaigns where id = $1`, [campaign.id]);
  });

  it('do not use up the calls that their organization may have', async () => {
    const campaign = await campaignInHands(5, 3);
    const two = { settings: { ...settings, maxConcurrentCalls: 2 } } as Partial<ClaimRules>;
    expect(await claimAt(campaign, leaseSeconds - 1, two)).toEqual([]);
    expect(await claimAt(campaign, leaseSeconds + 1, two)).toHaveLength(2);
    expect(await claimAt(campaign, leaseSeconds + 2, two)).toEqual([]);
  });
});
