// A check is a value: its subject, the variables that it needs, and all of its possible findings, with the advice.
import type { EnvSource } from '@parlance/config';

/** `broken`: something does not work now. `soon`: something stops working unless a person acts. */
export type Severity = 'broken' | 'soon';

/** One thing that a check can find. */
export interface FindingKind {
  readonly severity: Severity;
  /** The fault, in one sentence. */
  readonly says: string;
  /** The remedy, in a sentence or two. */
  readonly advice: string;
  /** A page of the documentation, below the project's folder. */
  readonly link?: string;
}

/** An observation of a check. */
export interface Sighting {
  /** The thing that is wrong, such as a host, a role or an index. */
  readonly subject: string;
  /** The evidence: a measured value or an answer, in one sentence. */
  readonly seen: string;
}

/** A thing with a clock, and the difference that was seen. */
export interface ClockReading {
  readonly source: string;
  /** The distance of its clock ahead of the clock of this process, in milliseconds. */
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
  /** True for a host on this machine or inside its own network, by its addresses; false for a name without one. */
  isOwnNetwork(hostname: string): Promise<boolean>;
  /** Such as `22.12.0`. */
  readonly nodeVersion: string;
  /** The longest delay of a timer in the event loop of this process, while it is measured; in milliseconds. */
  eventLoopDelayMs(): Promise<number>;
}

/** A process of the platform, and the parts of its surroundings that a check may use. */
export interface Place {
  /** Such as `calls-logs`. */
  readonly process: string;
  /** The environment of the process, or a copy of it. */
  readonly variables: EnvSource;
  /** Folder of the migrations of the process, with a slash at the end. */
  readonly migrations?: URL | undefined;
  /** Folder in which `npm start` keeps everything. */
  readonly dataDir?: string | undefined;
}

/** The place, the machine and the functions that a check is given. */
export interface Looking<Code extends string = string> {
  readonly place: Place;
  readonly machine: Machine;
  /** The variables of the place, without empty ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** Aborted when the time of the check is over. */
  readonly signal: AbortSignal;
  /** Reports a finding; findings from before the check failed or ran out of time count. */
  found(code: Code, sighting: Sighting): void;
  /** Names a healthy thing: shown when everything is asked for. */
  note(text: string): void;
  /**
   * Tells the time that the source gives.
   * @param askedAt the time of the question, by `machine.now()`
   * @param roundingMs the part of its time that the source leaves out: 1000 for a header with whole seconds
   */
  clock(source: string, time: Date, askedAt: number, roundingMs?: number): void;
}

export interface Check<Code extends string = string> {
  /** Lower case with dashes, such as `object-storage`. */
  readonly name: string;
  /** The subject of the check, in one sentence. */
  readonly about: string;
  /** The check looks only where all of these variables are set. */
  readonly needs: readonly string[];
  /** The one process that it is for, such as `calls-logs`; any process unless given. */
  readonly of?: string;
  /** The work costs money or rings a phone, so the check looks only where a person asked for it by name. */
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

/** Keeps the codes of a check together with its findings. So no check can report a code that it does not declare. */
export const defineCheck = <const Code extends string>(check: Check<Code>): Check =>
  // A check is handed on among others; only its own `look` knows its codes.
  check as Check;
