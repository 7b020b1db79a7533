// What an experiment is made of, as data.
import type { ProviderMode } from './diced-faults.js';

/** One dialer's life. */
export interface Life {
  /** Where it dies, and another one follows. */
  readonly crashAt?: string;
  /** Where it falls asleep for a while; it goes on living afterwards. */
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
  /** Of the recipients, the share that is cancelled a moment later. */
  readonly cancelShare: number;
  readonly seed: string;
}

/** Experiments of one world, one after the other. */
export interface Cells {
  /** Of the world; see `startWorld`. */
  readonly name: string;
  readonly cells: readonly [Cell, ...Cell[]];
  /** How long calls may take to end once the last dialer has started. */
  readonly settleMs: number;
  /** How late an outcome may be after the attempt's deadline; what was promised unless given. */
  readonly outcomeGraceMs?: number;
}
