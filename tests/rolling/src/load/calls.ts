// Calls in progress: campaigns one after the other, and quick calls beside them. Every simulated person answers and talks to
// the end, so that any other outcome is a call that the platform lost.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@parlance/postgres';
import type { Tenant } from './tenant.js';

export interface CallsOptions {
  readonly tenant: Tenant;
  /** Calls that are to be in progress. */
  readonly calls: number;
  /** Of outbound-dialer. */
  readonly db: Database;
}

const everyMs = 1_000;
/** People talk for some forty seconds. At this pace, for each wanted call, those who hang up are replaced without a rush. */
const callsPerSecondOfEach = 1 / 25;
/** Phones with these last digits are picked up at once (00 to 59), or after they have rung for 20 seconds (94). */
const endings = [...Array.from({ length: 9 }, (_, index) => index), 94];

/** Exchanges that are service codes, such as 411, are no place for a telephone. */
const exchanges = Array.from({ length: 700 }, (_, index) => 200 + index).filter((code) => code % 100 !== 11);

/** A number of its own for each index, as long as there are fewer than some thousand. */
const phoneNumber = (index: number): string => {
  const ending = endings[index % endings.length] ?? 0;
  const exchange = exchanges[Math.floor(index / endings.length) % exchanges.length] ?? 200;
  return `+1415${exchange}01${String(ending).padStart(2, '0')}`;
};

/** A phone may ring for 20 seconds before it is picked up. */
const ringingTimeoutSeconds = 30;

export class Calls {
  readonly #options: CallsOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #people = 0;
  #campaignId: string | undefined;
  /** Calls in progress at each look, with `performance.now()`. */
  readonly looks: { readonly at: number; readonly inProgress: number }[] = [];
  /** Requests that began no call, with the reason. */
  readonly refused: string[] = [];

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#keepOn();
  }

  /** Begins no more calls; the calls in progress go on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #keepOn(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch((error: unknown) => this.refused.push(String(error)));
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { db, calls } = this.#options;
    const { rows } = await db.query<{ inProgress: number; waiting: number }>(
      `select (select count(*)::int from outbound_calls where phase in ('dialing', 'connected')) as "inProgress",
        (select count(*)::int from campaign_recipients where state = 'pending') as waiting`,
    );
    const { inProgress = 0, waiting = 0 } = rows[0] ?? {};
    this.looks.push({ at: performance.now(), inProgress });
    if (inProgress < this.#ofCampaigns && waiting === 0 && !(await this.#isReading())) await this.#campaign();
    if (inProgress < calls) await this.#quick();
  }

  /** One in five calls is a quick one. */
  get #ofCampaigns(): number {
    return Math.ceil(this.#options.calls * 0.8);
  }

  /** The recipients of a campaign are known once its file was read. */
  async #isReading(): Promise<boolean> {
    if (this.#campaignId === undefined) return false;
    const params = { campaignId: this.#campaignId };
    const { data } = await this.#options.tenant.client.outboundCalls.getBatch({ params });
    return data.status === 'validating';
  }

  #nextNumbers(count: number): string[] {
    const first = this.#people;
    this.#people += count;
    return Array.from({ length: count }, (_, index) => phoneNumber(first + index));
  }

  async #campaign(): Promise<void> {
    const { client, agentId, fromNumber } = this.#options.tenant;
    // Few, so that the last campaign is over soon after the load.
    const recipients = Math.ceil(this.#options.calls / 2);
    const fileName = 'people.csv';
    const contentType = 'text/csv';
    const callsPerSecond = Math.ceil(this.#options.calls * callsPerSecondOfEach);
    const { data } = await client.outboundCalls.batchUploadUrl({ query: { fileName, contentType } });
    const body = ['phone_number', ...this.#nextNumbers(recipients)].join('\n');
    const put = await fetch(data.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': contentType },
      body,
    });
    if (!put.ok) throw new Error(`the upload was refused: ${put.status}`);
    const campaign = await client.outboundCalls.createBatch({
      body: {
        ...{ name: 'Rolling', agentId, fromNumber, callsPerSecond, ringingTimeoutSeconds },
        ...{ sourceFileKey: data.sourceFileKey, sourceFileName: fileName },
      },
    });
    this.#campaignId = campaign.data.id;
  }

  async #quick(): Promise<void> {
    const { client, agentId, fromNumber } = this.#options.tenant;
    const [number = ''] = this.#nextNumbers(1);
    await client.outboundCalls.quick({
      body: { agentId, fromNumber, phoneNumber: number, ringingTimeoutSeconds },
    });
  }
}
