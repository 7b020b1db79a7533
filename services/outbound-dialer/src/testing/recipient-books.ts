// For tests: recipients in a real Postgres, the writes of dialers and projections, and a check of the books.
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Secret } from '@parlance/config';
import type { HandlerTools, Recorded } from '@parlance/event-sourcing';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { noRecipients, type RecipientCounts } from '../domain/campaign/recipient-states.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import { projectOutboundCalls } from '../read-models/outbound-call-projection.js';
import { checkCampaign, countsOf } from '../recipients/recipient-counts.js';
import { recipientCallId } from '../recipients/recipient-ids.js';
import { claimRecipients, type StoredRecipient } from '../recipients/recipients.js';
import { at, placed } from './histories.js';

export const organizationId = 'org_1';
export const start = new Date('2026-01-01T00:00:00.000Z');
export const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000);

export const ofCampaign = (campaignId: string, rowNumber: number): OutboundCallEvent => ({
  ...placed,
  data: { ...placed.data, organizationId, mode: 'batch', campaignId, rowNumber },
});

export const recordedAt = (
  entityId: string,
  event: OutboundCallEvent,
  revision: bigint,
): Recorded<OutboundCallEvent> => ({
  ...{ event, entityId, id: randomUUID(), stream: `outboundCall-${entityId}` },
  ...{ revision, position: undefined, recordedAt: start },
  metadata: {
    ...{ eventId: randomUUID(), schemaVersion: 1, occurredAt: at(0), organizationId },
    ...{ actor: 'platform:test', requestId: 'r', causationId: null, traceparent: null },
  },
});

/** Keys that seal the same value alike each time, so that rows can be compared. */
export const tools: Pick<HandlerTools, 'personalData'> = {
  personalData: {
    seal: async (subject, value) => `${subject} ${JSON.stringify(value)}`,
    open: async (subject, sealed) => JSON.parse(sealed.slice(subject.length + 1)),
    hashes: async (subject, texts) => texts.map((text) => `${subject} ${text}`),
  },
};

export class RecipientBooks {
  readonly db: Database;
  readonly url: Secret;
  readonly #engines: TestEngines;

  private constructor(db: Database, url: Secret, engines: TestEngines) {
    this.db = db;
    this.url = url;
    this.#engines = engines;
  }

  static async start(): Promise<RecipientBooks> {
    const engines = await testEngines({ postgres: true });
    const { url } = await engines.databaseFor('outbound-dialer');
    const db = createDatabase({ url, applicationName: 'test', max: 8 });
    await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
    return new RecipientBooks(db, url, engines);
  }

  async stop(): Promise<void> {
    await this.db.end();
    await this.#engines.stop();
  }

  /** A campaign's recipients, in rows 2 and on. */
  async withRecipients(rows: number): Promise<string> {
    const campaignId = randomUUID();
    const numbers = Array.from({ length: rows }, (_, index) => index + 2);
    await this.db.query(
      `insert into campaign_recipients (campaign_id, row_number, organization_id, phone_number, time_zones, row, outbound_call_id)
       select $1, r.n, $2, '+1415555' || (1000 + r.n), '{America/New_York}', '{"variables":{}}', r.id
       from unnest($3::int[], $4::uuid[]) as r (n, id)`,
      [campaignId, organizationId, numbers, numbers.map((n) => recipientCallId(campaignId, n))],
    );
    return campaignId;
  }

  claim(campaignId: string, limit: number, holder = 'h1', seconds = 0): Promise<StoredRecipient[]> {
    return this.db.transaction((tx) =>
      claimRecipients(tx, { campaignId, holder, now: after(seconds), limit, forMs: 15_000 }),
    );
  }

  async counts(campaignId: string): Promise<RecipientCounts> {
    return (await countsOf(this.db, [campaignId])).get(campaignId) ?? noRecipients;
  }

  async stateOf(campaignId: string, rowNumber: number) {
    const { rows } = await this.db.query<{ state: string; reason: string | null; attempts: number }>(
      'select state, reason, attempts from campaign_recipients where campaign_id = $1 and row_number = $2',
      [campaignId, rowNumber],
    );
    return rows[0];
  }

  /** Applies the events `from` and later of a stream, as a projection does. */
  project(entityId: string, events: readonly OutboundCallEvent[], from = 0): Promise<void> {
    return this.db.transaction(async (tx) => {
      for (const [index, event] of events.slice(from).entries())
        await projectOutboundCalls(tx, [recordedAt(entityId, event, BigInt(from + index))], tools);
    });
  }

  /** The errors in the counts of a campaign. */
  faults(campaignId: string): Promise<readonly string[]> {
    return checkCampaign(this.db, campaignId);
  }

  /** Expects counts without an error. */
  async expectInOrder(campaignId: string): Promise<void> {
    expect(await this.faults(campaignId)).toEqual([]);
  }
}
