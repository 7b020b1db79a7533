// Works on one job: lists the pages, reads them one after the other, and serves the new generation. Each step is
// written before the next one begins, so that another worker can go on where this one died.
import { createHash } from 'node:crypto';
import type { Egress } from '@parlance/egress';
import { counter, knowledgeReadings } from '@parlance/metrics';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type Embedder, EmbeddingFailed } from '../embeddings/embeddings.js';
import { limits } from '../reading/limits.js';
import { ReadFailure } from '../reading/read-failure.js';
import type { ReadDocument, Reader } from '../reading/reader.js';
import { readerVersion } from '../reading/reader-version.js';
import { indexChunks } from '../search/index-chunks.js';
import { announceStatus } from '../sources/announce-status.js';
import { ChunkQuotaReached } from '../sources/chunk-quota.js';
import type { SourceErrorCode } from '../sources/source-record.js';
import type { CrashAt } from './crash-points.js';
import { linksToFollow } from './crawl.js';
import { Fetcher } from './fetching.js';
import { loadFile } from './files.js';
import { confirm, fail, isUnchanged, outcomeOf, swap, takeOverPage } from './generations.js';
import { HostBusy, Refused, Superseded, TryLater, TurnOver } from './job-failures.js';
import { firstPages } from './page-list.js';
import {
  countPages,
  isCopy,
  keepPage,
  leavePageOut,
  listPages,
  nextPage,
  type PageRow,
  type ServedPage,
  servedPage,
  writePage,
} from './pages.js';
import { holdJob, type Job, letGo } from './queue.js';

export interface WorkerParts {
  readonly db: Database;
  readonly egress: Egress;
  readonly reader: Reader;
  readonly storage: ObjectStorage | undefined;
  readonly embedder: Embedder | undefined;
  readonly requestsPerSecond: number;
  /** Of one organization. */
  readonly maxChunks: number;
  readonly logger: Logger;
  readonly crash: CrashAt;
}

const firstWaitMs = 2_000;
const longestWaitMs = 5 * 60_000;
/** The length of a turn. A large job then goes back to the queue, so that other organizations get their turns. */
const turnMs = 10_000;
const busyHostMs = 5_000;

const readings = counter(knowledgeReadings);
const noteEnd = (result: 'new' | 'unchanged' | 'failed'): void => readings.add({ 'parlance.result': result });

const mostPages = ({ source }: Job): number =>
  source.crawl_mode === null || source.crawl_mode === 'page' ? 1 : (source.max_pages ?? 1);

interface Loaded {
  readonly isUnchanged: boolean;
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly url: string | undefined;
}

/** The failure to record for a page that cannot be read; undefined for any other error. */
const endOf = (
  error: unknown,
  tries: number,
): { readonly code: SourceErrorCode; readonly message: string } | undefined => {
  if (error instanceof TryLater)
    return {
      code: error.code,
      message: tries > 1 ? `${error.message} It was tried ${tries} times.` : error.message,
    };
  const isFinal = error instanceof Refused || error instanceof ReadFailure;
  return isFinal ? { code: error.code, message: error.message } : undefined;
};

export class Worker {
  readonly #parts: WorkerParts;
  readonly #job: Job;
  readonly #fetcher: Fetcher;
  readonly #signal: AbortSignal;
  readonly #until = Date.now() + turnMs;

  constructor(parts: WorkerParts, job: Job, signal: AbortSignal) {
    this.#parts = parts;
    this.#job = job;
    this.#signal = signal;
    this.#fetcher = new Fetcher(parts.egress, { db: parts.db, requestsPerSecond: parts.requestsPerSecond });
  }

  /** Ends the job or puts it back, and then rejects only with errors of the database or of the program. */
  async run(): Promise<void> {
    const { db, logger } = this.#parts;
    const { sourceId, organizationId } = this.#job;
    try {
      if (!(await this.#listed())) return;
      await this.#readPages();
      await this.#finish();
    } catch (error) {
      if (error instanceof Superseded) {
        logger.info({ sourceId, organizationId }, 'a knowledge source changed while it was read');
        await letGo(db, this.#job, { afterMs: 0 });
      } else if (error instanceof TurnOver) await letGo(db, this.#job, { afterMs: 0 });
      else if (error instanceof HostBusy) await letGo(db, this.#job, { afterMs: busyHostMs });
      else if (error instanceof TryLater) await this.#later(error);
      else {
        // A stop of the service leads here too: the job is due again at once.
        await letGo(db, this.#job, { afterMs: this.#signal.aborted ? 0 : firstWaitMs });
        if (!this.#signal.aborted) throw error;
      }
    }
  }

  /** The source shows the failure until the next try. */
  async #later({ code, message, mostTries }: TryLater): Promise<void> {
    const { organizationId, source, tries } = this.#job;
    const afterMs = Math.min(longestWaitMs, firstWaitMs * 4 ** tries);
    await this.#parts.db.transaction(async (tx) => {
      const isHeld = await letGo(tx, this.#job, { afterMs, failure: { code, message, mostTries } });
      if (isHeld) await announceStatus(tx, organizationId, source, source.status, tries + 1);
    });
  }

  #isLastTry({ mostTries }: TryLater): boolean {
    return this.#job.tries + 1 >= mostTries;
  }

  /** Resolves with false when the job has failed. */
  async #listed(): Promise<boolean> {
    const { db, crash } = this.#parts;
    crash('ingest.afterClaim');
    if ((await countPages(db, this.#job)) > 0) return true;
    try {
      const { reader } = this.#parts;
      const parts = { fetcher: this.#fetcher, reader, signal: this.#signal };
      const pages = await firstPages(parts, this.#job);
      await listPages(db, this.#job, pages, mostPages(this.#job));
    } catch (error) {
      const end = endOf(error, this.#job.tries + 1);
      if (this.#signal.aborted || end === undefined || (error instanceof TryLater && !this.#isLastTry(error)))
        throw error;
      await fail(db, this.#job, end);
      noteEnd('failed');
      return false;
    }
    crash('ingest.afterList');
    return true;
  }

  /** Called between two pieces of work. @throws TurnOver */
  #checkTurn(): void {
    if (this.#signal.aborted || Date.now() > this.#until) throw new TurnOver();
  }

  /** @throws TurnOver */
  async #readPages(): Promise<void> {
    const { db } = this.#parts;
    for (let page = await nextPage(db, this.#job); page; page = await nextPage(db, this.#job)) {
      this.#checkTurn();
      await this.#readPage(page);
    }
  }

  async #readPage(page: PageRow): Promise<void> {
    const { db } = this.#parts;
    const served = this.#job.isFresh ? undefined : await servedPage(db, this.#job, page.id);
    try {
      await this.#tryPage(page, served);
    } catch (error) {
      const end = endOf(error, this.#job.tries + 1);
      if (end === undefined || this.#signal.aborted) throw error;
      if (error instanceof TryLater && !this.#isLastTry(error)) throw error;
      // A page that only fails for a while keeps its served chunks.
      if (error instanceof TryLater && served !== undefined) await this.#keep(page, served);
      else await leavePageOut(db, this.#job, page, end);
    }
  }

  #keep(page: PageRow, served: ServedPage): Promise<void> {
    return keepPage(this.#parts.db, this.#job, page, { served, most: mostPages(this.#job) });
  }

  async #load(page: PageRow, served: ServedPage | undefined): Promise<Loaded> {
    if (page.url !== null) {
      // The first page may lead to the site's other name. The pages behind it are pages of the site.
      const host = page.ordinal > 1 ? new URL(page.url).host : undefined;
      const fetched = await this.#fetcher.fetch(page.url, { known: served, host, signal: this.#signal });
      return { ...fetched, isUnchanged: fetched.status === 'unchanged' };
    }
    const body = await loadFile(this.#parts.storage, this.#job.source.file_key ?? '', this.#signal);
    return {
      isUnchanged: false,
      body,
      contentType: undefined,
      etag: null,
      lastModified: null,
      url: undefined,
    };
  }

  async #tryPage(page: PageRow, served: ServedPage | undefined): Promise<void> {
    const { db, reader, crash } = this.#parts;
    // An older reader made other passages of the same content.
    const known = served !== undefined && served.reader_version >= readerVersion ? served : undefined;
    const loaded = await this.#load(page, known);
    crash('ingest.afterFetch');
    // The reading may take as long again, and a source that changed meanwhile needs none.
    await holdJob(db, this.#job);
    if (loaded.isUnchanged && known !== undefined) {
      await this.#keep(page, known);
      return;
    }
    const read = await reader.read({
      bytes: loaded.body,
      contentType: loaded.contentType,
      name: this.#job.source.file_name ?? undefined,
      url: loaded.url,
      include: this.#job.source.include,
      mostSections: Math.min(limits.sectionsOfDocument, limits.chunksOfSource / mostPages(this.#job)),
    });
    crash('ingest.afterRead');
    const contentHash = createHash('sha256').update(read.text).digest('hex');
    if (known?.content_hash === contentHash) await this.#keep(page, known);
    else if (read.isHidden && page.ordinal > 1)
      await leavePageOut(db, this.#job, page, {
        code: 'ROBOTS_REFUSED',
        message: 'The page asks not to be found.',
      });
    else if (await isCopy(db, this.#job, page.id, contentHash))
      await leavePageOut(db, this.#job, page, undefined);
    else await this.#write(page, loaded, read, contentHash);
    crash('ingest.afterPage');
  }

  async #write(page: PageRow, loaded: Loaded, read: ReadDocument, contentHash: string): Promise<void> {
    const site = page.ordinal > 1 ? page.url : loaded.url;
    const facts = {
      ...{ etag: loaded.etag, lastModified: loaded.lastModified, contentHash, bytes: loaded.body.length },
      follow: this.#job.source.crawl_mode === 'site' && site ? linksToFollow(site, read.links) : [],
      most: mostPages(this.#job),
    };
    await writePage(this.#parts.db, this.#job, page, { read, facts });
  }

  async #finish(): Promise<void> {
    const { db, embedder, maxChunks, crash } = this.#parts;
    const outcome = await outcomeOf(db, this.#job);
    if (outcome.usable === 0) {
      const { errorCode: code, errorMessage: message } = outcome;
      await fail(db, this.#job, { code: code ?? 'TOO_SMALL', message: message ?? 'The source has no text.' });
      noteEnd('failed');
      return;
    }
    if (isUnchanged(outcome) && !this.#job.isFresh) {
      await confirm(db, this.#job);
      noteEnd('unchanged');
      return;
    }
    while (await takeOverPage(db, this.#job)) {
      crash('ingest.afterKept');
      this.#checkTurn();
    }
    const { organizationId, sourceId, generation, source } = this.#job;
    // The index of a large source takes longer than a lease and a turn. It goes on where it was.
    const onSegment = async (): Promise<void> => {
      await holdJob(db, this.#job);
      this.#checkTurn();
    };
    const indexed = { organizationId, sourceId, generation, agentId: source.agent_id };
    try {
      await indexChunks({ db, embedder, onSegment }, indexed);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed)) throw error;
      const later = new TryLater('EMBEDDING_FAILED', 'The embedding service did not answer.');
      if (!this.#isLastTry(later)) throw later;
      await fail(db, this.#job, later);
      noteEnd('failed');
      return;
    }
    crash('ingest.afterIndex');
    try {
      await swap(db, this.#job, { embeddingModel: embedder?.model ?? null, maxChunks });
    } catch (error) {
      if (!(error instanceof ChunkQuotaReached)) throw error;
      await fail(db, this.#job, {
        code: 'TOO_LARGE',
        message: 'The knowledge of the organization would have more pieces of text than its quota.',
      });
      noteEnd('failed');
      return;
    }
    noteEnd('new');
    crash('ingest.afterSwap');
  }
}
