// Reads a campaign's file in a thread of its own, and hands over the rows that may be called.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '@parlance/errors';
import type { FileReading } from './file-reading.js';
import type { ImportOutcome, ImportRules, ReadingBounds, SuppressedAmong } from './import-types.js';
import type { StoredFile } from './read-file.js';
import type { RecipientBatch } from './recipient-batch.js';
import { type FileRefusal, FileRefused, refuse } from './sheet/file-refusal.js';
import type { FromWorker, ToWorker, WorkOrder } from './worker-messages.js';

export interface ImportFileOptions extends ImportRules {
  readonly campaignId: string;
  /** The file's bytes. When it fails, the storage is at fault and not the file: STORAGE_UNAVAILABLE. */
  readonly stream: Readable;
  readonly suppressedAmong: SuppressedAmong;
  /** The next batch is not handed over before this one's promise has resolved. */
  readonly onBatch: (batch: RecipientBatch) => Promise<void>;
  /** Stops reading; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Tests run from the sources, which a thread cannot: the thread takes the built file. */
const entry = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/import/import-worker.js' : './import-worker.js',
  import.meta.url,
);
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Lets `maxBytes` pass. */
const cap = (maxBytes: number): Transform => {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) done(null, chunk);
      else done(refuse('FILE_TOO_LARGE', `the file has more than ${Math.round(maxBytes / 1024 / 1024)} MiB`));
    },
  });
};

const unread = (refusal: FileRefusal): FileReading => ({
  outcome: { kind: 'refused', refusal, report: null },
  columns: null,
  refused: { INVALID_PHONE: 0, DUPLICATE: 0, MISSING_PHONE: 0, ROW_TOO_LONG: 0, SUPPRESSED: 0 },
});

/** Runs the thread to its end. */
const work = (
  order: WorkOrder,
  { onBatch, suppressedAmong, signal }: Pick<ImportFileOptions, 'onBatch' | 'suppressedAmong' | 'signal'>,
): Promise<FileReading> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData: order, resourceLimits });
    let isSettled = false;
    const settle = (finish: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', abort);
      void worker.terminate().then(finish, finish);
    };
    const fail = (reason: unknown): void => settle(() => reject(reason));
    const abort = (): void => fail(signal?.reason);
    let batches: Promise<void> = Promise.resolve();
    const tell = (message: ToWorker): void => worker.postMessage(message);
    let isRead = false;
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'reading') {
        isRead = true;
        void batches.then(() => settle(() => resolve(message.reading)), fail);
      } else if (message.type === 'numbers') {
        suppressedAmong(message.phoneNumbers).then(
          (phoneNumbers) => tell({ type: 'suppressed', phoneNumbers }),
          fail,
        );
      } else {
        batches = batches.then(() => onBatch(message.batch)).then(() => tell({ type: 'next' }));
        batches.catch(fail);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return fail(error);
      const refusal = { code: 'FILE_INVALID' as const, message: 'the file takes too much memory to read' };
      settle(() => resolve(unread(refusal)));
    });
    worker.on('exit', (code) => {
      // The last batches may well be taken more slowly than the thread goes.
      if (!isRead) fail(new Error(`the thread that reads the file ended with ${code}`));
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
  });

/**
 * Puts the file aside on disk (a spreadsheet is read from its end), then reads it. Never throws for a bad file; rejects
 * when the stream fails, a batch cannot be taken, or the signal says so.
 * @param bounds where not all of the file is wanted
 */
export const lookAtFile = async (
  options: ImportFileOptions,
  bounds?: ReadingBounds,
): Promise<FileReading> => {
  const { campaignId, stream, onBatch, suppressedAmong, signal, ...rules } = options;
  const directory = await mkdtemp(join(tmpdir(), 'parlance-import-'));
  const file: StoredFile = { path: join(directory, 'file'), directory };
  const { maxBytes } = rules.limits;
  try {
    const stop = signal === undefined ? {} : { signal };
    await pipeline(stream, cap(maxBytes), createWriteStream(file.path, { mode: 0o600 }), stop).catch(
      (error: unknown) => {
        if (error instanceof FileRefused || signal?.aborted === true) throw error;
        throw new AppError('STORAGE_UNAVAILABLE', { cause: error });
      },
    );
    return await work({ campaignId, file, rules, bounds }, { onBatch, suppressedAmong, signal });
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return unread(error.refusal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/**
 * As `lookAtFile`, to its end.
 * @returns imported only when the whole file is: after a refusal, the caller must delete the rows that it got
 */
export const importFile = async (options: ImportFileOptions): Promise<ImportOutcome> => {
  const { outcome } = await lookAtFile(options);
  if (outcome.kind === 'cut') throw new Error('the reading of a file ended before the file did');
  return outcome;
};
