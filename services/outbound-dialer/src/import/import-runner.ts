// Reads the files of new campaigns, one at a time; any number of copies do so side by side.
import { setTimeout as delay } from 'node:timers/promises';
import type { Ids, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { CampaignImport, type CampaignImportParts, claimForMs, isOutage } from './campaign-import.js';
import {
  ClaimLost,
  claimFile,
  type FileClaim,
  forgetReadFiles,
  holdFile,
  releaseFile,
} from './file-claims.js';

export interface ImportRunnerParts extends CampaignImportParts {
  readonly db: CampaignImportParts['db'] & Pick<Database, 'activity'>;
  readonly ids: Ids;
}

const everyMs = 1_000;
/** Where nobody writes: a file whose reader died waits so long at most. */
const quietEveryMs = 15_000;
const renewEveryMs = claimForMs / 3;
/** The wait before a file is tried again. It is also the longest that the read model may take to learn that the file was read. */
const againAfterMs = 5_000;

export class ImportRunner implements RunningPart {
  readonly name = 'import of campaign files';
  readonly #parts: ImportRunnerParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #canLook = true;

  constructor(parts: ImportRunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  trouble(): string | undefined {
    return this.#canLook ? undefined : 'cannot look for files of campaigns';
  }

  /** An import under way is given up; another copy, or this one when it is back, begins it anew. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const didSomething = await this.#round().then(
        (did) => {
          this.#canLook = true;
          return did;
        },
        (error: unknown) => {
          this.#canLook = false;
          this.#parts.logger.warn({ err: error }, 'could not look for files of campaigns');
          return false;
        },
      );
      if (didSomething) continue;
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (this.#canLook) await this.#parts.db.activity.whileQuiet(quietEveryMs - everyMs, signal);
    }
  }

  async #round(): Promise<boolean> {
    const { db, clock, ids } = this.#parts;
    const now = clock.now();
    await forgetReadFiles(db, now);
    const claim = await claimFile(db, ids.next(), { now, forMs: claimForMs });
    if (claim === undefined) return false;
    const isTry = await this.#import(claim);
    const isGivenUp = this.#stopping.signal.aborted && !isTry;
    await releaseFile(db, claim, { now: clock.now(), forMs: isGivenUp ? 0 : againAfterMs }, isTry);
    return true;
  }

  /** @returns whether it counts, should it be read again */
  async #import(claim: FileClaim): Promise<boolean> {
    const { logger } = this.#parts;
    const { campaignId, tries } = claim;
    const giveUp = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, giveUp.signal]);
    const renewal = setInterval(() => void this.#renew(claim, giveUp), renewEveryMs).unref();
    try {
      await new CampaignImport(this.#parts, claim).run(signal);
      return true;
    } catch (error) {
      if (this.#stopping.signal.aborted || error instanceof ClaimLost) return false;
      if (isOutage(error)) logger.warn({ err: error, campaignId }, 'the file of a campaign has to wait');
      else logger.error({ err: error, campaignId, tries }, 'reading the file of a campaign failed');
      return !isOutage(error);
    } finally {
      clearInterval(renewal);
    }
  }

  async #renew(claim: FileClaim, giveUp: AbortController): Promise<void> {
    const { db, clock } = this.#parts;
    try {
      await db.transaction((tx) => holdFile(tx, claim, { now: clock.now(), forMs: claimForMs }));
    } catch (error) {
      // While the database is down no other process can take the file either.
      if (error instanceof ClaimLost) giveUp.abort(error);
    }
  }
}
