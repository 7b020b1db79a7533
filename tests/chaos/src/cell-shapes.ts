// The parts of an experiment, as data.
import type { ProviderMode } from './diced-faults.js';

/** One dialer's life. */
export interface Life {
  /** The point at which this dialer dies; another one follows. */
  readonly crashAt?: string;
  /** The point at which this dialer falls asleep for a while; it goes on living afterwards. */
  readonly stopAt?: string;
  readonly clockOffsetMs?: number;
}

export interface Cell {
  /** At least one. */
  readonly lives: readonly Life[];
  readonly mode: ProviderMode;
  readonly recipients: number;
  /** All recipients are called by one campaign. */
  readonly isCampaign: boolean;
  /** The campaign is cancelled in the middle of it. */
  readonly isCampaignCancelled?: boolean;
  /** The share of the recipients that is cancelled a moment later. */
  readonly cancelShare: number;
  readonly seed: string;
}

/** Experiments of one world, one after the other. */
export interface Cells {
  /** The name of the world; see `startWorld`. */
  readonly name: string;
  readonly cells: readonly [Cell, ...Cell[]];
  /** The longest that calls may take to end after the start of the last dialer, in milliseconds. */
  readonly settleMs: number;
  /**
   * The longest time from the deadline of an attempt to its outcome, in milliseconds.
   * Without it, the audit allows the usual time.
   */
  readonly outcomeGraceMs?: number;
}
