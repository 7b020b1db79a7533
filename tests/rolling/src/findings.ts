// The observations of a run, for the verdict and the report. Times are those of `performance.now()`.

import type { Tally, Violation } from '@parlance/tests-chaos';
import type { Sample } from '@parlance/tests-e2e';
import type { Conversation, StreamedAnswer } from './load/conversations.js';
import type { Replacement } from './processes/deployment.js';

export interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The share of this time, from 0 to 1, in which some task waited for a processor. Undefined where the kernel does not tell. */
  readonly waited: number | undefined;
}

/** One outbound call as the read model tells it. */
export interface CallOutcome {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
}

export interface ErrorLine {
  readonly process: string;
  readonly text: string;
  readonly times: number;
}

/** All copies of one process together. */
export interface ProcessUse {
  readonly process: string;
  readonly copies: number;
  readonly cpuSeconds: number;
  /** The running times of all copies, summed. */
  readonly seconds: number;
  /** Of the copy that had the most, in MiB. */
  readonly peakMebibytes: number;
}

export interface Findings {
  /** The quiet time first, then one span for each leg. */
  readonly spans: readonly Span[];
  /** Answers over HTTP and over MCP. */
  readonly samples: readonly Sample[];
  readonly answers: readonly StreamedAnswer[];
  readonly conversations: readonly Conversation[];
  readonly replacements: readonly Replacement[];
  /** Processes of which a copy ended without being told to. */
  readonly fallen: readonly string[];
  /** Conversations, campaigns and calls that could not be begun, with the reason. */
  readonly refused: readonly string[];
  readonly calls: {
    readonly wanted: number;
    readonly looks: readonly { readonly at: number; readonly inProgress: number }[];
    readonly outcomes: readonly CallOutcome[];
    readonly tally: Tally;
    readonly violations: readonly Violation[];
    /** The most rings of one attempt. */
    readonly mostRings: number;
  };
  /** Agents that were acknowledged and are not there, are there twice, or have two ids. */
  readonly writes: {
    readonly acknowledged: number;
    readonly lost: readonly string[];
    readonly doubled: readonly string[];
  };
  readonly errors: readonly ErrorLine[];
  readonly processes: readonly ProcessUse[];
  /** Of this program itself: the load, the fronts and the simulated people share the machine with the platform. */
  readonly loadCpuSeconds: number;
}
