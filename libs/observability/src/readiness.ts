// Can this process do its work? Dependencies are checked in the background, so asking costs nothing and a hanging
// dependency cannot hang the answer. Reports are public: no hosts, no versions, no error texts.
import type { Activity } from './activity.js';
import { type Clock, systemClock } from './logging/clock.js';
import type { Logger } from './logging/logger.js';
import type { RunningPart } from './running.js';

export const checkNames = [
  'eventStore',
  'readModel',
  'queue',
  'objectStorage',
  'mediaServer',
  'telephony:TWILIO',
  'telephony:TELNYX',
  'aiRuntime',
  'mail',
] as const;
export type CheckName = (typeof checkNames)[number];

/** Thrown by a check with a reason that is safe to show to any person. The reason names no host, address or person. */
export class ShownReason extends Error {
  override readonly name = 'ShownReason';
}

export interface CheckReport {
  readonly status: 'up' | 'down' | 'skipped';
  readonly required: boolean;
  /** The time of the last check; null when there was none or it did not finish. */
  readonly latencyMs: number | null;
  readonly message: string | null;
  readonly checkedAt: string;
}

export interface ReadinessReport {
  /** Every required check is up and the process is not shutting down. */
  readonly ready: boolean;
  readonly draining: boolean;
  readonly checks: Readonly<Partial<Record<CheckName, CheckReport>>>;
  /** The largest of the lags, in milliseconds. */
  readonly projectionLagMs: number;
  /** Events and messages set aside because they could not be handled. */
  readonly parked: number;
  /** Background parts that cannot do their work now. Absent in reports of a release before this one. */
  readonly troubles?: readonly Trouble[];
}

export interface Trouble {
  /** Name of the part, such as `outbox-relay`. */
  readonly part: string;
  /** The reason, in a few words that stay the same. */
  readonly reason: string;
}

export interface CheckOptions {
  /** True for a dependency without which the process cannot do its core work. */
  readonly required: boolean;
  /** Rejects when the dependency does not work; resolves to 'skipped' when it is not in use here. */
  readonly check: () => Promise<unknown>;
  readonly intervalMs?: number;
  readonly timeoutMs?: number;
  /**
   * The wait after the start before the first look; until then it counts as skipped. For parts that no request waits
   * for.
   */
  readonly delayMs?: number;
}

interface Check extends Required<CheckOptions> {
  report: CheckReport;
  /** A check that outlived its time limit; the next one waits for it, so that they cannot pile up. */
  pending: Promise<unknown> | undefined;
  /** The first look at the dependency; undefined until then. */
  looked: Promise<void> | undefined;
}

/**
 * Pauses of a quiet process between two looks at a dependency that works, and between two counts. A lost connection ends the quiet, so
 * this bounds how late a dependency is noticed that is silent while nobody needs it.
 */
const quietCheckMs = 10_000;
const quietCountMs = 60_000;
const countEveryMs = 10_000;

const timedOut = Symbol('timed out');
const notChecked = 'not checked yet';

export class Readiness {
  /** Set when shutdown begins: the report is not ready from then on. */
  draining = false;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #activity: Activity | undefined;
  #stopping = new AbortController();
  readonly #checks = new Map<CheckName, Check>();
  readonly #lags = new Map<string, () => number>();
  readonly #parked = new Map<string, { read: () => number | Promise<number>; last: number }>();
  readonly #parts = new Set<RunningPart>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #changed = new Set<() => void>();
  #running = false;

  /** @param activity of the process, which is checked less often while it is quiet */
  constructor(logger: Logger, clock: Clock = systemClock, activity?: Activity) {
    this.#logger = logger;
    this.#clock = clock;
    this.#activity = activity;
  }

  /** Adds a dependency; it counts as down until its first check has passed. */
  add(name: CheckName, options: CheckOptions): void {
    const check: Check = {
      intervalMs: 2_000,
      timeoutMs: 1_500,
      delayMs: 0,
      ...options,
      report: this.#reportOf(options.required, options.delayMs ? 'skipped' : 'down', null, notChecked),
      pending: undefined,
      looked: undefined,
    };
    this.#checks.set(name, check);
    if (this.#running) this.#startCheck(name, check);
  }

  /** Adds a projection; `read` gives its lag in milliseconds. */
  addLag(name: string, read: () => number): void {
    this.#lags.set(name, read);
  }

  /** Adds a place where unhandled things are set aside; `read` counts them, every ten seconds, or every minute while nothing happens. */
  addParked(name: string, read: () => number | Promise<number>): void {
    this.#parked.set(name, { read, last: 0 });
    if (this.#running) this.#count(name);
  }

  /** Adds a background part; its trouble shows in every report until it is over. */
  addPart(part: RunningPart): void {
    if (part.trouble !== undefined) this.#parts.add(part);
  }

  /** Calls the listener when the result of a check has changed. */
  onChange(listener: () => void): void {
    this.#changed.add(listener);
  }

  /** Resolves when each check was made once, with any result; those with a delay are not waited for. */
  async firstLook(): Promise<void> {
    await Promise.all([...this.#checks.values()].map(({ looked }) => looked));
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#stopping = new AbortController();
    for (const [name, check] of this.#checks) this.#startCheck(name, check);
    for (const name of this.#parked.keys()) this.#count(name);
  }

  stop(): void {
    this.#running = false;
    this.#stopping.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  report(): ReadinessReport {
    const checks = Object.fromEntries([...this.#checks].map(([name, { report }]) => [name, report]));
    const works = [...this.#checks.values()].every(
      ({ report }) => !report.required || report.status !== 'down',
    );
    return {
      ready: works && !this.draining,
      draining: this.draining,
      checks,
      projectionLagMs: Math.max(0, ...[...this.#lags.values()].map((read) => read())),
      parked: [...this.#parked.values()].reduce((sum, { last }) => sum + last, 0),
      troubles: this.#troubles(),
    };
  }

  #troubles(): Trouble[] {
    return [...this.#parts].flatMap((part) => {
      const reason = part.trouble?.();
      return reason === undefined ? [] : [{ part: part.name.replaceAll(/[^\w.-]+/g, '-'), reason }];
    });
  }

  #reportOf(
    required: boolean,
    status: CheckReport['status'],
    latencyMs: number | null,
    message: string | null,
  ): CheckReport {
    return { status, required, latencyMs, message, checkedAt: this.#clock.now().toISOString() };
  }

  #startCheck(name: CheckName, check: Check): void {
    const rest = async (signal: AbortSignal): Promise<void> => {
      if (check.report.status === 'down') this.#activity?.note();
      else await this.#activity?.whileQuiet(quietCheckMs - check.intervalMs, signal);
    };
    const start = (): void => this.#repeat(() => this.#runCheck(name, check), check.intervalMs, rest);
    if (check.delayMs > 0) this.#later(start, check.delayMs);
    else start();
  }

  #count(name: string): void {
    const rest = async (signal: AbortSignal) =>
      this.#activity?.whileQuiet(quietCountMs - countEveryMs, signal);
    this.#repeat(() => this.#countParked(name), countEveryMs, rest);
  }

  /** @param rest a further pause, which ends with the signal */
  #repeat(work: () => Promise<void>, intervalMs: number, rest: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#stopping;
    const again = async (): Promise<void> => {
      await rest(signal);
      if (!signal.aborted) this.#repeat(work, intervalMs, rest);
    };
    void work().finally(() => {
      if (!signal.aborted) this.#later(() => void again(), intervalMs);
    });
  }

  #later(work: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  #runCheck(name: CheckName, check: Check): Promise<void> {
    const looking = this.#look(name, check);
    check.looked ??= looking;
    return looking;
  }

  async #look(name: CheckName, check: Check): Promise<void> {
    const before = check.report;
    const startedAt = performance.now();
    let failure: unknown;
    try {
      const outcome = await this.#withinLimit(check);
      if (outcome === timedOut) {
        check.report = this.#reportOf(check.required, 'down', null, 'took too long');
      } else {
        const latencyMs = Math.round(performance.now() - startedAt);
        check.report = this.#reportOf(
          check.required,
          outcome === 'skipped' ? 'skipped' : 'up',
          latencyMs,
          null,
        );
      }
    } catch (error) {
      failure = error;
      const reason = error instanceof ShownReason ? error.message : 'does not work';
      check.report = this.#reportOf(check.required, 'down', null, reason);
    }
    if (before.status === check.report.status && before.message === check.report.message) return;
    this.#logChange(name, before, check.report, failure);
    for (const listener of this.#changed) listener();
  }

  async #withinLimit(check: Check): Promise<unknown> {
    if (check.pending !== undefined) return timedOut;
    const running = check.check();
    const forget = (): void => {
      check.pending = undefined;
    };
    check.pending = running.then(forget, forget);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<typeof timedOut>((resolve) => {
      timer = setTimeout(() => resolve(timedOut), check.timeoutMs);
      timer.unref();
    });
    return Promise.race([running, limit]).finally(() => clearTimeout(timer));
  }

  async #countParked(name: string): Promise<void> {
    const entry = this.#parked.get(name);
    if (entry === undefined) return;
    try {
      entry.last = await entry.read();
    } catch {
      // The store that would be counted has a check of its own; the last count stands until it answers again.
    }
  }

  #logChange(name: CheckName, before: CheckReport, after: CheckReport, failure: unknown): void {
    if (after.status === 'down')
      this.#logger.warn({ check: name, reason: after.message, err: failure }, 'dependency is down');
    else if (before.status === 'down') this.#logger.info({ check: name }, 'dependency is up');
  }
}
