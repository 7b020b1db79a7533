// Reads documents in processes of their own. A document that takes too much memory or time ends its process and its
// job, and never the service. A process reads one document at a time and is used again while it stays small.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PagePart } from '../sources/source-record.js';
import { failureOfEnd } from './child-end.js';
import type { Chunk } from './chunking.js';
import { confined, memoryOf } from './confinement.js';
import { ReadFailure, type ReadFailureCode } from './read-failure.js';
import type { ReadWarning } from './read-warning.js';
import type { Sitemap } from './sitemap.js';

export interface DocumentToRead {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** The name of an uploaded file. */
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  /** Parts of a page that are read beside its content. */
  readonly include?: readonly PagePart[] | undefined;
  /** The number of chunks from which short sections share one. */
  readonly mostSections?: number | undefined;
}

export interface ReadDocument {
  readonly text: string;
  readonly mimeType: string;
  readonly title: string | undefined;
  readonly links: readonly string[];
  readonly canonical: string | undefined;
  /** True when the page asks not to be found. */
  readonly isHidden: boolean;
  /** A Postgres text search configuration. */
  readonly language: string;
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly ReadWarning[];
}

export interface SitemapToRead {
  readonly bytes: Uint8Array;
  /** The address of the sitemap. */
  readonly base: string;
}

export interface Task {
  readonly document?: DocumentToRead;
  readonly sitemap?: SitemapToRead;
}

export interface Results {
  readonly document?: ReadDocument;
  readonly sitemap?: Sitemap;
}

export interface Question extends Task {
  readonly id: number;
}

export interface Answer extends Results {
  readonly id: number;
  readonly failure?: { readonly code: ReadFailureCode; readonly message: string };
  /** The memory of the process, in bytes. */
  readonly rss?: number;
}

export interface ReaderOptions {
  /** The most processes at the same time. */
  readonly processes: number;
  readonly timeoutMs: number;
  /** A process that grows beyond this dies. */
  readonly memoryBytes: number;
}

/** The compiled program, also where a test runs the service from its sources. */
const program = fileURLToPath(new URL('../../dist/reading/child.js', import.meta.url));
/** A process that has grown this far ends after its document. */
const usedUpBytes = 350 * 1_048_576;

const memoryEveryMs = 25;

const unreadable = (): ReadFailure => new ReadFailure('PARSE_FAILED', 'The document cannot be read.');

export class Reader {
  readonly #options: ReaderOptions;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #lastId = 0;
  #isClosed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** @throws ReadFailure */
  async read(document: DocumentToRead): Promise<ReadDocument> {
    const { document: read } = await this.#do({ document });
    if (read === undefined) throw unreadable();
    return read;
  }

  /** @throws ReadFailure */
  async readSitemap(sitemap: SitemapToRead): Promise<Sitemap> {
    const { sitemap: read } = await this.#do({ sitemap });
    if (read === undefined) throw unreadable();
    return read;
  }

  /** Ends all processes; documents that are being read fail. */
  close(): void {
    this.#isClosed = true;
    for (const child of this.#all) child.kill('SIGKILL');
  }

  async #do(task: Task): Promise<Results> {
    await this.#turn();
    try {
      return await this.#ask(this.#idle.pop() ?? this.#begin(), task);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#busy >= this.#options.processes)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    this.#busy += 1;
  }

  #begin(): ChildProcess {
    if (this.#isClosed) throw new Error('the reader is closed');
    const { memoryBytes } = this.#options;
    const { execArgv, watchesItself } = confined(program);
    const child = fork(program, watchesItself ? [String(memoryBytes)] : [], {
      execArgv: [`--max-old-space-size=${Math.floor(memoryBytes / 1_048_576 / 1.5)}`, ...execArgv],
      // The process gets no variable of the service, least of all a credential.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#all.add(child);
    child.on('exit', () => {
      this.#all.delete(child);
      const index = this.#idle.indexOf(child);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    child.on('error', () => {
      child.kill('SIGKILL');
      this.#all.delete(child);
    });
    return child;
  }

  /** Keeps the process for later. An idle process does not keep the service alive. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idle.push(child);
  }

  #ask(child: ChildProcess, task: Task): Promise<Results> {
    this.#lastId += 1;
    const question: Question = { ...task, id: this.#lastId };
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, this.#options.timeoutMs);
      // Buffers lie outside the heap of JavaScript, and no option of Node.js limits them.
      const watch = setInterval(() => {
        if ((memoryOf(child.pid ?? 0) ?? 0) > this.#options.memoryBytes) child.kill('SIGKILL');
      }, memoryEveryMs);
      const end = (): void => {
        clearTimeout(timer);
        clearInterval(watch);
        child.off('message', heard);
        child.off('exit', died);
        child.off('error', broke);
      };
      const died = (_code: number | null, signal: NodeJS.Signals | null): void => {
        end();
        if (this.#isClosed) reject(new Error('the reader is closed'));
        else reject(failureOfEnd({ signal, isLate }));
      };
      // The process could not be started or not be asked, which is no fault of the document: its job is tried again.
      const broke = (error: Error): void => {
        end();
        reject(error);
      };
      const heard = (answer: Answer): void => {
        if (answer.id !== question.id) return;
        end();
        if (isLate || (answer.rss ?? 0) > usedUpBytes) child.kill('SIGKILL');
        else this.#rest(child);
        const { failure } = answer;
        if (failure === undefined) resolve(answer);
        else reject(new ReadFailure(failure.code, failure.message));
      };
      child.on('message', heard);
      child.on('exit', died);
      child.on('error', broke);
      // The callback ignores the error of a process that has just died, because the exit event reports it.
      child.send(question, () => undefined);
    });
  }
}
