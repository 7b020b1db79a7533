// Sends due webhooks. Any number of replicas may run: one at a time leases an endpoint, for one round of tries. Endpoints that fail
// or are slow have lanes of their own, and an organization gets a share of each lane, so that its endpoints delay only each other.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { FairSlots } from '@parlance/jobs';
import type { Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type TryOptions, tryOnce } from './attempt.js';
import {
  claimEndpoints,
  dueDeliveries,
  type HeldEndpoint,
  type LaneName,
  webhooksTopic,
} from './deliveries-repository.js';
import { settle } from './settle.js';

export interface DelivererOptions extends TryOptions {
  readonly db: Database;
  readonly logger: Logger;
  /** A random number from 0 to 1. */
  readonly random?: () => number;
  /** The interval, in milliseconds, of the search for due webhooks (1 s). */
  readonly pollMs?: number;
  /** The wait of a stop for tries on their way, in milliseconds (5 s). A try that the stop ends is made again. */
  readonly graceMs?: number;
}

interface LaneRules {
  readonly lane: LaneName;
  /** Endpoints held at once. */
  readonly slots: number;
  /** Webhooks sent to one endpoint at once. One is enough to find out whether it is back. */
  readonly atOnce: number;
}

const laneRules: readonly LaneRules[] = [
  { lane: 'prompt', slots: 48, atOnce: 8 },
  { lane: 'slow', slots: 32, atOnce: 8 },
  { lane: 'failing', slots: 16, atOnce: 1 },
];
/** Longer than a try can take, with the work before and after it. */
const leaseMs = 60_000;

class Lane {
  readonly #options: DelivererOptions;
  readonly #rules: LaneRules;
  readonly #signal: AbortSignal;
  readonly #slots: FairSlots;

  constructor(options: DelivererOptions, rules: LaneRules, signal: AbortSignal) {
    this.#options = options;
    this.#rules = rules;
    this.#signal = signal;
    this.#slots = new FairSlots(rules.slots);
  }

  /** Takes as many endpoints as it has room for. @returns the number of taken endpoints */
  async fill(done: () => void): Promise<number> {
    const { db, clock } = this.#options;
    const { free: limit, share, holders } = this.#slots;
    if (limit <= 0) return 0;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const { lane } = this.#rules;
    const claim = { now, leaseId: randomUUID(), leaseUntil, lane, limit, share, holders };
    const endpoints = await claimEndpoints(db, claim);
    for (const endpoint of endpoints)
      this.#slots.run(endpoint.organizationId, () => this.#serve(endpoint), done);
    return endpoints.length;
  }

  /** Resolves when the lane holds no endpoint any more, with the number that it held. */
  async empty(): Promise<number> {
    return this.#slots.drained();
  }

  async #serve(endpoint: HeldEndpoint): Promise<void> {
    const { db, clock, logger, random = Math.random } = this.#options;
    try {
      const due = await dueDeliveries(db, endpoint.id, clock.now(), this.#rules.atOnce);
      const tried = await Promise.all(
        due.map(async (delivery) => ({
          delivery,
          result: await tryOnce(delivery, this.#options, this.#signal),
        })),
      );
      const { dead } = await settle(db, { endpoint, tried, now: clock.now(), random });
      for (const { id, callId, type } of dead)
        logger.warn({ deliveryId: id, callId, webhook: type }, 'webhook given up');
    } catch (err) {
      // The lease ends by itself, and another copy tries again.
      logger.warn({ err, endpoint: endpoint.id }, 'webhooks not settled');
    }
  }
}

/** Where this process has written nothing for a minute: a delivery that another process left is late by so much at most. */
const quietPollMs = 15_000;

export class WebhookDeliverer implements RunningPart {
  readonly name = 'webhook-deliverer';
  readonly #options: DelivererOptions;
  readonly #abort = new AbortController();
  readonly #lanes: readonly Lane[];
  #bell = new AbortController();
  #running: Promise<unknown> | undefined;
  #isStopping = false;
  /** Lanes that cannot look for due deliveries. */
  readonly #failing = new Set<Lane>();
  #stopListening: () => void = () => undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
    // Every try on its way listens to it.
    setMaxListeners(0, this.#abort.signal);
    this.#lanes = laneRules.map((rules) => new Lane(options, rules, this.#abort.signal));
  }

  /** Sends from now on, until stopped. */
  start(): this {
    this.#stopListening = this.#options.db.onSignal(webhooksTopic, this.#ring);
    this.#running ??= Promise.all(this.#lanes.map((lane) => this.#run(lane)));
    return this;
  }

  /** Sends everything that is due by now. */
  async sendDue(): Promise<void> {
    for (;;) {
      const taken = await Promise.all(this.#lanes.map((lane) => lane.fill(this.#ring)));
      const held = await Promise.all(this.#lanes.map((lane) => lane.empty()));
      if ([...taken, ...held].every((count) => count === 0)) return;
    }
  }

  trouble(): string | undefined {
    return this.#failing.size > 0 ? 'cannot send webhooks' : undefined;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    this.#ring();
    const impatience = setTimeout(() => this.#abort.abort(), this.#options.graceMs ?? 5_000);
    await this.#running;
    await Promise.all(this.#lanes.map((lane) => lane.empty()));
    clearTimeout(impatience);
  }

  readonly #ring = (): void => {
    this.#bell.abort();
    this.#bell = new AbortController();
  };

  async #run(lane: Lane): Promise<void> {
    const { logger, pollMs = 1_000 } = this.#options;
    while (!this.#isStopping) {
      // Before the search, so that a ring during the search leads to another one.
      const { signal } = this.#bell;
      let taken = 0;
      try {
        taken = await lane.fill(this.#ring);
        this.#failing.delete(lane);
      } catch (err) {
        if (!this.#failing.has(lane)) logger.warn({ err }, 'webhooks cannot be sent');
        this.#failing.add(lane);
      }
      if (taken > 0 || this.#isStopping) continue;
      const idleMs = this.#options.db.activity.isQuiet ? quietPollMs : pollMs;
      await delay(idleMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
