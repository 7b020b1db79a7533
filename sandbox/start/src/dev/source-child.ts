// A process that runs a workspace from its sources, as `npm run dev` sees it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { FromSource, ToSource } from './messages.js';

export class Refused extends Error {}

export interface SourceChildOptions {
  /** The root of the repository. */
  readonly root: string;
  /** The folder of the workspace, such as `services/agents-config`. */
  readonly folder: string;
  /** Modules of packages that it loads before its code. */
  readonly libraries: readonly string[];
  /** Called with each source file that the process loads. */
  readonly onFile: (path: string) => void;
  /** Called with each module of a package that a source file imports. */
  readonly onLibrary: (address: string) => void;
}

const stopLimitMs = 8_000;

export class SourceChild {
  readonly #child: ChildProcess;
  readonly #messages: FromSource[] = [];
  #wake: () => void = () => undefined;
  #isStopping = false;
  readonly #ended: Promise<void>;

  constructor({ root, folder, libraries, onFile, onLibrary }: SourceChildOptions) {
    const program = join(root, 'sandbox/start/dist/dev/source-process.js');
    this.#child = spawn(
      process.execPath,
      ['--enable-source-maps', '--no-warnings=ExperimentalWarning', program, root, folder],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    this.#child.on('message', (message: FromSource) => {
      if (typeof message === 'object' && 'file' in message) return onFile(message.file);
      if (typeof message === 'object' && 'library' in message) return onLibrary(message.library);
      this.#messages.push(message);
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve());
      this.#child.once('exit', () => resolve());
    });
    void this.#ended.then(() => this.#wake());
    this.tell({ libraries });
  }

  /** Calls back with the status when the process ends without having been stopped. */
  onCrash(crashed: (status: number | string) => void): void {
    void this.#ended.then(() => {
      if (!this.#isStopping) crashed(this.#child.signalCode ?? this.#child.exitCode ?? 'no status');
    });
  }

  /** True until it ends. */
  get lives(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Loads its code. @throws Refused with the reason why it does not load */
  async load(): Promise<void> {
    this.tell('load');
    await this.#until('loaded');
  }

  /** Resolves when it answers. @throws Refused with the reason why it does not start */
  async start(variables: Readonly<Record<string, string>>): Promise<void> {
    this.tell({ variables });
    await this.#until('ready');
  }

  tell(message: ToSource): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Lets it finish what it has begun. Resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill('SIGTERM');
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), stopLimitMs);
    await this.#ended;
    clearTimeout(limit);
  }

  async #until(wanted: 'loaded' | 'ready'): Promise<void> {
    for (;;) {
      const message = this.#messages.shift();
      if (message === wanted) return;
      if (typeof message === 'object' && 'refused' in message) throw new Refused(message.refused);
      if (message === undefined) {
        if (!this.lives)
          throw new Refused(`The process ended with ${this.#child.signalCode ?? this.#child.exitCode}.`);
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
