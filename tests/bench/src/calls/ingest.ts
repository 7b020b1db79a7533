// Finished calls handed over at a steady pace, and the time until each of them shows in the call log.
import { randomUUID } from 'node:crypto';
import type { MeasuredPlatform } from '../harness/measured-platform.js';
import { processorMs, usedSince } from '../harness/processor-time.js';
import { Client, percentile, type Sent } from './requests.js';

export interface IngestOptions {
  readonly api: string;
  readonly apiKey: string;
  readonly internalKey: string;
  readonly organizationId: string;
  /** Agents that exist. The first one has the calls that are looked for, so that these are on the first page of a filter. */
  readonly agentIds: readonly string[];
  readonly seconds: number;
  /** Calls offered per second; undefined: as many as `connections` get through. */
  readonly perSecond: number | undefined;
  readonly connections: number;
  /** The processes of the platform, by name: then the figures have its processor time. */
  readonly pids?: MeasuredPlatform['pids'];
  /** Runs the work until the call log shows all calls, such as with counters around it. */
  readonly during?: (work: () => Promise<void>) => Promise<void>;
}

export interface IngestFigures {
  readonly offered: number | undefined;
  /** Calls that were recorded. */
  readonly calls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The time from the answer to the first list that shows the call. */
  readonly lagP50: number;
  readonly lagP99: number;
  readonly looked: number;
  readonly failures: number;
  /**
   * Processor time per call until the call log showed all calls, in milliseconds, by process. The platform's idle work and the
   * looking are included.
   */
  readonly costs: Readonly<Record<string, number>>;
}

const turns = 20;
const spoken =
  'I would like to move my appointment from Tuesday morning to some time later in the week, if that is possible.';

const transcript = Array.from({ length: turns }, (_, seq) => ({
  seq,
  role: seq % 2 === 0 ? 'agent' : 'user',
  text: spoken,
  startMs: seq * 4_000,
  endMs: seq * 4_000 + 3_500,
  language: 'en',
}));

const callBody = (organizationId: string, agentId: string, callId: string): string => {
  const endedAt = Date.now();
  const at = (secondsAgo: number): string => new Date(endedAt - secondsAgo * 1_000).toISOString();
  return JSON.stringify({
    ...{ eventId: randomUUID(), schemaVersion: 1, organizationId, agentId, callId, roomName: `rm_${callId}` },
    ...{ channel: 'phone', direction: 'inbound', fromNumber: '+14155550177', toNumber: '+14155550100' },
    ...{ status: 'completed', endedReason: 'user_hangup', answeredBy: 'human' },
    ...{ startedAt: at(85), answeredAt: at(80), endedAt: at(0), durationSeconds: 80 },
    transcript,
    usage: [{ kind: 'telephony', quantity: 80, unit: 'second', provider: 'p' }],
    latency: { e2eP50Ms: 800, e2eP95Ms: 1_500, llmP50Ms: 400, ttsP50Ms: 150, sttP50Ms: 120 },
    ...{ summary: 'They moved an appointment.', successful: 'success', analysisStatus: 'completed' },
  });
};

// Often enough for a lag of a second, and seldom enough to be a small part of the load and of its cost.
const lookEveryMs = 100;

/** Looks at the newest calls of one agent again and again, and notes the time at which a call is first seen. */
class Watch {
  readonly #client: Client;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  /** Moment of the answer, by the id of the call. */
  readonly #waiting = new Map<string, number>();
  readonly lags: number[] = [];
  readonly #running: Promise<void>;
  #isOver = false;

  constructor(client: Client, agentId: string, apiKey: string) {
    this.#client = client;
    this.#path = `/calls?agentId=${agentId}&limit=30`;
    this.#headers = { 'x-api-key': apiKey };
    this.#running = this.#run();
  }

  await(callId: string): void {
    this.#waiting.set(callId, performance.now());
  }

  /** Waits at most `ms` for the calls that the call log does not show yet; returns the number of missing ones. */
  async finish(ms: number): Promise<number> {
    const until = performance.now() + ms;
    while (this.#waiting.size > 0 && performance.now() < until)
      await new Promise((next) => setTimeout(next, 20));
    this.#isOver = true;
    await this.#running;
    return this.#waiting.size;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      if (this.#waiting.size > 0) await this.#look();
      await new Promise((next) => setTimeout(next, lookEveryMs));
    }
  }

  async #look(): Promise<void> {
    const { body } = await this.#client.send(this.#path, { headers: this.#headers });
    const now = performance.now();
    for (const [callId, since] of this.#waiting)
      if (body.includes(callId)) {
        this.lags.push(now - since);
        this.#waiting.delete(callId);
      }
  }
}

/** Every so many calls, one is looked for. */
const lookedForEvery = 15;

class Load {
  readonly took: number[] = [];
  failures = 0;
  #sent = 0;

  constructor(
    private readonly options: IngestOptions,
    private readonly client: Client,
    private readonly watch: Watch,
  ) {}

  async one(): Promise<void> {
    const { organizationId, agentIds, internalKey } = this.options;
    const number = this.#sent++;
    const isLookedFor = number % lookedForEvery === 0;
    const agentId = agentIds[isLookedFor ? 0 : 1 + (number % (agentIds.length - 1))] ?? '';
    const callId = randomUUID();
    const sent: Sent = {
      method: 'POST',
      headers: { 'x-internal-key': internalKey },
      body: callBody(organizationId, agentId, callId),
    };
    const { status, ms } = await this.client.send('/calls', sent);
    if (status !== 201) {
      this.failures += 1;
      return;
    }
    this.took.push(ms);
    if (isLookedFor) this.watch.await(callId);
  }
}

/** Beyond this many without an answer the pace is not held; more would only measure the queue. */
const mostOpen = 500;

/** Offers calls by the clock, whether or not those before them have been answered. */
const paced = async (load: Load, perSecond: number, seconds: number): Promise<void> => {
  const began = performance.now();
  const open = new Set<Promise<void>>();
  for (let offered = 0; performance.now() < began + seconds * 1_000; ) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - began) / 1_000) * perSecond));
    for (; offered < due && open.size < mostOpen; offered += 1) {
      const sending = load.one().finally(() => open.delete(sending));
      open.add(sending);
    }
    await new Promise((next) => setTimeout(next, 2));
  }
  await Promise.all(open);
};

const unpaced = async (load: Load, connections: number, seconds: number): Promise<void> => {
  const until = performance.now() + seconds * 1_000;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) await load.one();
  };
  await Promise.all(Array.from({ length: connections }, worker));
};

export const measureIngest = async (options: IngestOptions): Promise<IngestFigures> => {
  const { api, apiKey, agentIds, seconds, perSecond, connections, pids = {} } = options;
  const { during = (work) => work() } = options;
  const sender = new Client(api, connections);
  const reader = new Client(api, 1);
  const watch = new Watch(reader, agentIds[0] ?? '', apiKey);
  const load = new Load(options, sender, watch);
  const before = processorMs(pids);
  let took = 0;
  let unseen = 0;
  await during(async () => {
    const began = performance.now();
    if (perSecond === undefined) await unpaced(load, connections, seconds);
    else await paced(load, perSecond, seconds);
    took = (performance.now() - began) / 1_000;
    unseen = await watch.finish(30_000);
  });
  const costs = usedSince(before, processorMs(pids), load.took.length);
  sender.close();
  reader.close();
  return {
    offered: perSecond,
    calls: load.took.length,
    perSecond: load.took.length / took,
    ...{ p50: percentile(load.took, 0.5), p99: percentile(load.took, 0.99) },
    ...{
      lagP50: percentile(watch.lags, 0.5),
      lagP99: percentile(watch.lags, 0.99),
      looked: watch.lags.length,
    },
    failures: load.failures + unseen,
    costs,
  };
};
