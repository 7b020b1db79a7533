// One copy of one process of the platform: started, asked whether it is ready, told to leave.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { dyingWithParent, freePort } from '@parlance/engines';
import { type Build, commandOf } from './build.js';
import { type Footprint, footprintOf } from './footprint.js';

type Variables = Readonly<Record<string, string>>;

export interface CopyOptions {
  /** Name of the process, such as `calls-logs`. */
  readonly process: string;
  readonly build: Build;
  readonly variables: Variables;
  /** The variable that tells the port of its own listener, where it has one. */
  readonly portVariable: string | undefined;
  readonly logFile: string;
  /** It is killed when it is not gone so long after it was told to leave. */
  readonly graceSeconds: number;
  /** Its share of the processors, in thousandths of one, as its Deployment asks for. */
  readonly cpuRequest: number;
}

/** The end of a copy that was told to stop. */
export interface Leaving {
  readonly seconds: number;
  /** Zero, unless it was killed or failed to stop in order. */
  readonly exitCode: number | null;
}

/** Start-up includes migrations, and a busy machine. */
const startPatienceMs = 240_000;
const probeEveryMs = 100;

/**
 * The engines and the load share one session, and each copy has its own. In a cluster the engines have machines of their own.
 * Here a copy with the usual request leaves them six times its share.
 */
const usualNiceness = 8;
const usualRequest = 100;
/** One step of niceness changes the share by a quarter (sched(7)). */
const stepOfShare = 1.25;

/** As in a cluster, the shares of busy processors follow the requests of the copies, from their start on. */
const nicenessOf = (cpuRequest: number): number =>
  Math.round(usualNiceness - Math.log(cpuRequest / usualRequest) / Math.log(stepOfShare));

/** Where the system forbids a change of priority, the copy goes on as it is. */
const attemptTo = (change: () => void): void => {
  try {
    change();
  } catch {
    // the copy has ended, or may not be faster than it began
  }
};

/** Sets the weight of a copy against others. Linux shares processors among sessions first, then within each. */
const giveWay = (pid: number | undefined, niceness: number): void => {
  if (pid === undefined || !existsSync('/proc/self/task')) return;
  attemptTo(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
  });
  attemptTo(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness), { flag: 'r+' }));
};

export class Copy {
  readonly process: string;
  readonly build: Build;
  /** Of its listener for requests; undefined where it answers over NATS alone. */
  readonly port: number | undefined;
  readonly #child: ChildProcess;
  readonly #graceSeconds: number;
  readonly #opsPort: number;
  readonly #startedAt = performance.now();
  readonly #gone: Promise<number | null>;
  #isLeaving = false;
  #last: (Footprint & { readonly seconds: number }) | undefined;

  private constructor(
    { process, build, graceSeconds }: CopyOptions,
    child: ChildProcess,
    ports: { readonly own: number | undefined; readonly ops: number },
  ) {
    this.process = process;
    this.build = build;
    this.port = ports.own;
    this.#opsPort = ports.ops;
    this.#child = child;
    this.#graceSeconds = graceSeconds;
    this.#gone = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }

  /** Resolves when the process is there; it is ready a moment later. */
  static async start(options: CopyOptions): Promise<Copy> {
    const { build, portVariable, variables, logFile } = options;
    const ports = {
      own: portVariable === undefined ? undefined : await freePort(),
      ops: await freePort(),
    };
    const log = openSync(logFile, 'a');
    const [file, ...args] = dyingWithParent([process.execPath, ...commandOf(build, options.process)], 'KILL');
    const child = spawn(file, args, {
      stdio: ['ignore', log, log],
      // A session of its own has a share of the processors of its own, as a pod has in a cluster. Where sessions have no such
      // share, the copy stays in the session of the terminal, and Ctrl-C there ends it.
      detached: existsSync('/proc/self/autogroup'),
      env: {
        ...process.env,
        ...variables,
        OPS_PORT: String(ports.ops),
        ...(portVariable === undefined ? {} : { [portVariable]: String(ports.own) }),
      },
    });
    closeSync(log);
    giveWay(child.pid, nicenessOf(options.cpuRequest));
    return new Copy(options, child, ports);
  }

  /** Resolves with the seconds that it took. @throws Error when it ends before, or takes too long */
  async ready(): Promise<number> {
    const deadline = performance.now() + startPatienceMs;
    while (!(await this.#isReady())) {
      if (this.#child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${this.process} of ${this.build.name} does not become ready; its log says why`);
      await pause(probeEveryMs);
    }
    return (performance.now() - this.#startedAt) / 1_000;
  }

  /** SIGTERM; after the grace period SIGKILL. Resolves when it is gone. */
  async leave(): Promise<Leaving> {
    this.footprint();
    this.#isLeaving = true;
    const toldAt = performance.now();
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), this.#graceSeconds * 1_000);
    const exitCode = await this.#gone;
    clearTimeout(kill);
    return { seconds: (performance.now() - toldAt) / 1_000, exitCode };
  }

  /** It ended although it was not told to. */
  get hasFallen(): boolean {
    return !this.#isLeaving && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  /** Up to now, or up to when it was told to leave; undefined where the system does not tell. */
  footprint(): (Footprint & { readonly seconds: number }) | undefined {
    const now = this.#isLeaving ? undefined : footprintOf(this.#child.pid ?? 0);
    if (now !== undefined) this.#last = { ...now, seconds: (performance.now() - this.#startedAt) / 1_000 };
    return this.#last;
  }

  async #isReady(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.#opsPort}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }
}
