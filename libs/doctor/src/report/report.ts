// The report of the doctor, as plain data.
import type { Severity } from '../probe/check.js';

export interface Finding {
  /** Stable: scripts may compare it. */
  readonly code: string;
  readonly severity: Severity;
  /** Name of the check. */
  readonly check: string;
  /** Processes whose variables led there. */
  readonly processes: readonly string[];
  readonly subject: string;
  readonly says: string;
  readonly seen: string;
  readonly advice: string;
  /** A page of the documentation. */
  readonly link?: string;
}

/** A check that was made once, for all processes that have the same variables for it. */
export interface Looked {
  readonly check: string;
  readonly processes: readonly string[];
  readonly tookMs: number;
  /** Healthy things. */
  readonly notes: readonly string[];
}

export interface Report {
  readonly healthy: boolean;
  readonly lookedAt: string;
  readonly tookMs: number;
  readonly findings: readonly Finding[];
  readonly looked: readonly Looked[];
}
