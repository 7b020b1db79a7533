// All copies of one process, as a Deployment keeps them: a new copy serves before an old one is told to leave.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { millicores, type Workload } from '@parlance/kubernetes';
import type { Build } from './build.js';
import { Copy, type Leaving } from './copy.js';
import type { Front } from './front.js';

export interface DeploymentOptions {
  readonly workload: Workload;
  readonly variables: Readonly<Record<string, string>>;
  /** The front that gives connections to the copies; undefined for a process without a listener. */
  readonly front: { readonly listener: Front; readonly portVariable: string } | undefined;
  /** Folder of the logs. */
  readonly logs: string;
}

export interface Replacement {
  readonly process: string;
  readonly from: string;
  readonly to: string;
  /** From the start of the new copy until it was ready. */
  readonly readySeconds: number;
  /** From SIGTERM until the old copy was gone. */
  readonly leaving: Leaving;
  /** `performance.now()` at the start of the new copy, and at the end of the old one. */
  readonly beganAt: number;
  readonly endedAt: number;
}

export class Deployment {
  readonly #options: DeploymentOptions;
  #copies: readonly Copy[] = [];
  readonly #former: Copy[] = [];

  constructor(options: DeploymentOptions) {
    this.#options = options;
  }

  get process(): string {
    return this.#options.workload.name;
  }

  /** Oldest first. */
  get copies(): readonly Copy[] {
    return this.#copies;
  }

  /** Those that have left too. */
  get everyCopy(): readonly Copy[] {
    return [...this.#former, ...this.#copies];
  }

  /** One file for all copies. */
  get logFile(): string {
    return join(this.#options.logs, `${this.process}.log`);
  }

  /** Adds copies of a build; resolves when all are ready. */
  async start(build: Build, copies: number): Promise<void> {
    const added = await Promise.all(Array.from({ length: copies }, () => this.#start(build)));
    await Promise.all(added.map((copy) => this.#enter(copy)));
  }

  /**
   * Puts a copy of the build in the place of the oldest one.
   * @param settleSeconds both serve for so long
   * @throws Error when the new one does not become ready
   */
  async replaceOldest(build: Build, settleSeconds: number): Promise<Replacement> {
    const [old] = this.#copies;
    if (old === undefined) throw new Error(`${this.process} has no copy`);
    const beganAt = performance.now();
    const added = await this.#start(build);
    const readySeconds = await this.#enter(added);
    await pause(settleSeconds * 1_000);
    // A cluster takes a copy out of its Service as it tells the copy to leave. Clients hear of it a little later.
    this.#remove(old);
    await pause(this.#options.workload.preStopSeconds * 1_000);
    const leaving = await old.leave();
    return {
      process: this.process,
      ...{ from: old.build.name, to: build.name, readySeconds, leaving, beganAt },
      endedAt: performance.now(),
    };
  }

  /** All copies at once. */
  async stop(): Promise<void> {
    const copies = this.#copies;
    for (const copy of copies) this.#remove(copy);
    await Promise.all(copies.map((copy) => copy.leave()));
  }

  #start(build: Build): Promise<Copy> {
    const { variables, front, workload } = this.#options;
    return Copy.start({
      graceSeconds: workload.gracePeriodSeconds,
      cpuRequest: millicores(workload.resources.requests.cpu),
      ...{ process: this.process, build, variables, logFile: this.logFile },
      portVariable: front?.portVariable,
    });
  }

  async #enter(copy: Copy): Promise<number> {
    this.#copies = [...this.#copies, copy];
    const seconds = await copy.ready();
    if (copy.port !== undefined) this.#options.front?.listener.add(copy.port);
    return seconds;
  }

  #remove(copy: Copy): void {
    if (copy.port !== undefined) this.#options.front?.listener.remove(copy.port);
    this.#copies = this.#copies.filter((other) => other !== copy);
    this.#former.push(copy);
  }
}
