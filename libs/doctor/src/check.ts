// A check is a value: what it looks at, the variables that it needs, and everything that it can find, with the advice.
import type { EnvSource } from '@parlance/config';

/** `broken`: something does not work now. `soon`: something stops working if nobody acts. */
export type Severity = 'broken' | 'soon';

/** One thing that a check can find. */
export interface FindingKind {
  readonly severity: Severity;
  /** What is wrong, in one sentence. */
  readonly says: string;
  /** What to do, in a sentence or two. */
  readonly advice: string;
  /** A page of the documentation, below the project's folder. */
  readonly link?: string;
}

/** What a check saw. */
export interface Sighting {
  /** The thing that is wrong, such as a host, a role or an index. */
  readonly subject: string;
  /** How it was seen. */
  readonly seen: string;
}

/** A thing with a clock, and the difference that was seen. */
export interface ClockReading {
  readonly source: string;
  /** How far its clock is ahead of the clock of this process, in milliseconds. */
  readonly aheadMs: number;
  /** The reading may be off by so many milliseconds. */
  readonly withinMs: number;
}

/** The machine that the doctor runs on. Tests give one of their own. */
export interface Machine {
  /** Milliseconds since 1970, by the clock of this machine. */
  now(): number;
  /** Undefined for a folder that is not there. Both numbers are bytes. */
  disk(path: string): Promise<{ readonly total: number; readonly free: number } | undefined>;
  /** Whether a host is on this machine or inside its own network, by its addresses; false for a name without one. */
  isOwnNetwork(hostname: string): Promise<boolean>;
  /** Such as `22.12.0`. */
  readonly nodeVersion: string;
  /** How late the event loop of this process comes to a timer, at most, while it is measured; in milliseconds. */
  eventLoopDelayMs(): Promise<number>;
}

/** A process of the platform, and what of its surroundings a check may use. */
export interface Place {
  /** Such as `calls-logs`. */
  readonly process: string;
  /** Its environment, or what stands for it. */
  readonly variables: EnvSource;
  /** Folder of the migrations of the process, with a slash at the end. */
  readonly migrations?: URL | undefined;
  /** Folder in which `npm start` keeps everything. */
  readonly dataDir?: string | undefined;
}

/** What a check is given. */
export interface Looking<Code extends string = string> {
  readonly place: Place;
  readonly machine: Machine;
  /** The variables of the place, without empty ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** Aborted when the time of the check is over. */
  readonly signal: AbortSignal;
  /** Reports a finding; what was reported before the check failed or ran out of time counts. */
  found(code: Code, sighting: Sighting): void;
  /** Says what is well: shown when everything is asked for. */
  note(text: string): void;
  /**
   * Tells what time the source says it is.
   * @param askedAt when the source was asked, by `machine.now()`
   * @param roundingMs how much of its time the source leaves out: 1000 for a header with whole seconds
   */
  clock(source: string, time: Date, askedAt: number, roundingMs?: number): void;
}

export interface Check<Code extends string = string> {
  /** Lower case with dashes, such as `object-storage`. */
  readonly name: string;
  /** What it looks at, in one sentence. */
  readonly about: string;
  /** It looks only where all of these variables are set. */
  readonly needs: readonly string[];
  /** The one process that it is for, such as `calls-logs`; any process unless given. */
  readonly of?: string;
  /** What it does costs money or is heard by somebody, so it looks only where this was asked for by name. */
  readonly onlyWhenAsked?: 'call';
  /** Variables that it reads besides. */
  readonly uses?: readonly string[];
  readonly findings: Readonly<Record<Code, FindingKind>>;
  /** Loads its libraries, before the time of any check begins: loading keeps a process busy for a second. */
  readonly load?: () => Promise<unknown>;
  /** The longest that it may take, in milliseconds; 10 seconds unless given. */
  readonly limitMs?: number;
  look(looking: Looking<Code>): Promise<void>;
}

/** Keeps the codes of a check together with its findings, so that no check can report what it does not declare. */
export const defineCheck = <const Code extends string>(check: Check<Code>): Check =>
  // A check is handed on among others; only its own `look` knows its codes.
  check as Check;
