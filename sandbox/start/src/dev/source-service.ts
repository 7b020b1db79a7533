// A workspace that runs from its sources and is replaced after each edit. The next process takes over only when its code
// has loaded, so an error in the edited file leaves the last good process running.
import { relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ToSource } from './messages.js';
import { SourceChild } from './source-child.js';
import { SourceWatch } from './source-watch.js';

export interface SourceServiceOptions {
  readonly root: string;
  /** As a person names it, such as `agents-config`. */
  readonly name: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** It listens on a port, which only one process can have. */
  readonly hasPort: boolean;
  /** Has a second process at hand, so that an edit is live sooner. */
  readonly keepsSpare: boolean;
  readonly print: (line: string) => void;
}

/** Editors write several files at once. */
const settleMs = 30;

export class SourceService {
  readonly #options: SourceServiceOptions;
  readonly #watch: SourceWatch;
  #current: SourceChild | undefined;
  /** The process of the next edit. It has loaded its packages, which takes most of a start. */
  #spare: SourceChild | undefined;
  readonly #libraries = new Set<string>();
  #last: ToSource | undefined;
  #edited: { readonly path: string; readonly at: number } | undefined;
  #replacing: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: SourceServiceOptions) {
    this.#options = options;
    this.#watch = new SourceWatch((path) => this.#onEdit(path));
  }

  /** Resolves when the service answers. @throws Refused with the reason why it does not */
  async start(): Promise<void> {
    const first = this.#startFirst();
    // An edit during the start waits for its end.
    this.#replacing = first
      .then(
        () => this.#replaceAll(),
        () => undefined,
      )
      .finally(() => {
        this.#replacing = undefined;
      });
    await first;
  }

  async #startFirst(): Promise<void> {
    const child = this.#spawn();
    await child.load();
    await child.start(this.#options.variables);
    this.#adopt(child);
  }

  /** Sends a message to the process, and to each that replaces it. */
  tell(message: ToSource): void {
    this.#last = message;
    this.#current?.tell(message);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#watch.stop();
    await this.#replacing;
    await Promise.all([this.#current?.stop(), this.#spare?.stop()]);
  }

  #spawn(): SourceChild {
    const { root, folder } = this.#options;
    return new SourceChild({
      root,
      folder,
      libraries: [...this.#libraries],
      onFile: (path) => this.#watch.add(path),
      onLibrary: (address) => this.#libraries.add(address),
    });
  }

  #adopt(child: SourceChild): void {
    const { name, print } = this.#options;
    this.#current = child;
    if (this.#options.keepsSpare) this.#spare = this.#spawn();
    if (this.#last !== undefined) child.tell(this.#last);
    child.onCrash((status) => {
      if (this.#current !== child) return;
      this.#current = undefined;
      print(`${name}: ended with ${status}; it starts again after the next edit`);
    });
  }

  #onEdit(path: string): void {
    this.#edited = { path, at: performance.now() };
    this.#replacing ??= this.#replaceAll().finally(() => {
      this.#replacing = undefined;
    });
  }

  async #replaceAll(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    for (let edit = this.#edited; edit !== undefined && !this.#isStopping; edit = this.#edited) {
      this.#edited = undefined;
      await this.#replace(relative(this.#options.root, edit.path), edit.at);
    }
  }

  async #replace(path: string, editedAt: number): Promise<void> {
    const { name, variables, hasPort, print } = this.#options;
    const next = this.#spare?.lives === true ? this.#spare : this.#spawn();
    this.#spare = undefined;
    try {
      await next.load();
    } catch (error) {
      await next.stop();
      if (this.#options.keepsSpare) this.#spare = this.#spawn();
      const rest = this.#current === undefined ? '' : ' The previous code keeps running.';
      return print(
        `${name}: ${path} does not load.${rest}\n${error instanceof Error ? error.message : error}`,
      );
    }
    const before = this.#current;
    try {
      if (hasPort) await before?.stop();
      await next.start(variables);
    } catch (error) {
      await next.stop();
      if (hasPort) this.#current = undefined;
      const rest = this.#current === undefined ? '' : ' The previous code keeps running.';
      return print(
        `${name}: ${path} does not start.${rest}\n${error instanceof Error ? error.message : error}`,
      );
    }
    this.#adopt(next);
    // Both answer until the previous one has drained.
    if (!hasPort) await before?.stop();
    const seconds = ((performance.now() - editedAt) / 1_000).toFixed(1);
    print(`${name}: live after ${seconds} s (${path})`);
  }
}
