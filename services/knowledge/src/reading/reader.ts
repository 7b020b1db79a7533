// Reads documents in processes of their own: a document that takes too much memory or time ends its process and its
// job, and never the service. A process reads one document at a time and is used again while it stays small.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Chunk } from './chunking.js';
import { ReadFailure, type ReadFailureCode } from './read-failure.js';

export interface DocumentToRead {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** The name of an uploaded file. */
  readonly name?: string | undefined;
  readonly url?: string | undefined;
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
}

export interface Question {
  readonly id: number;
  readonly document: DocumentToRead;
}

export interface Answer {
  readonly id: number;
  readonly document?: ReadDocument;
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

const tookTooMuch = (what: 'memory' | 'time'): ReadFailure =>
  what === 'memory'
    ? new ReadFailure('TOO_LARGE', 'Reading the document takes too much memory.')
    : new ReadFailure('PARSE_FAILED', 'Reading the document takes too long.');

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
    await this.#turn();
    try {
      return await this.#ask(this.#idle.pop() ?? this.#begin(), document);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Ends all processes; documents that are being read fail. */
  close(): void {
    this.#isClosed = true;
    for (const child of this.#all) child.kill('SIGKILL');
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
    const child = fork(program, [String(memoryBytes)], {
      execArgv: [`--max-old-space-size=${Math.floor(memoryBytes / 1_048_576 / 1.5)}`],
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
    child.on('error', () => child.kill('SIGKILL'));
    return child;
  }

  /** Keeps the process for later. An idle process does not keep the service alive. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idle.push(child);
  }

  #ask(child: ChildProcess, document: DocumentToRead): Promise<ReadDocument> {
    this.#lastId += 1;
    const question: Question = { id: this.#lastId, document };
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, this.#options.timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        child.off('message', heard);
        child.off('exit', died);
      };
      const died = (): void => {
        end();
        if (this.#isClosed) reject(new Error('the reader is closed'));
        else reject(tookTooMuch(isLate ? 'time' : 'memory'));
      };
      const heard = (answer: Answer): void => {
        if (answer.id !== question.id) return;
        end();
        if ((answer.rss ?? 0) > usedUpBytes) child.kill('SIGKILL');
        else this.#rest(child);
        if (answer.document !== undefined) resolve(answer.document);
        else {
          const { code = 'PARSE_FAILED', message = 'The document cannot be read.' } = answer.failure ?? {};
          reject(new ReadFailure(code, message));
        }
      };
      child.on('message', heard);
      child.on('exit', died);
      // The callback ignores the error of a process that has just died, because the exit event reports it.
      child.send(question, () => undefined);
    });
  }
}
