// The input and the output of reading a campaign's file.
import type { ColumnMapping, Overridable, Result, serviceRequests } from '@parlance/contracts';
import type { FileReport } from '../domain/campaign/campaign-events.js';
import type { RecipientRow } from '../recipients/recipient-row.js';
import type { DialingPlan } from '../rules/phone-numbers.js';
import type { FileRefusal } from './sheet/file-refusal.js';

/** One row of the file that may be called. */
export interface ImportedRow {
  /** The number that a person sees in the spreadsheet: the header is row 1. */
  readonly rowNumber: number;
  /** E.164. */
  readonly phoneNumber: string;
  /** The zone of the row's own column, or all zones that the number may be in. */
  readonly timeZones: readonly string[];
  readonly row: RecipientRow;
}

/**
 * The second row with the same number is left out, or it is called too, or the whole file is refused.
 */
export type DuplicatePolicy = 'first' | 'all' | 'reject';

export interface ImportLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** The largest size of a spreadsheet when it is unpacked, in bytes. */
  readonly maxInflatedBytes: number;
}

export const usualLimits: ImportLimits = {
  maxRows: 1_000_000,
  maxBytes: 100 * 1024 * 1024,
  maxInflatedBytes: 200 * 1024 * 1024,
};

/** Those of the numbers that must not be called. */
export type SuppressedAmong = (phoneNumbers: readonly string[]) => Promise<ReadonlySet<string>>;

export interface ImportRules {
  readonly fileName: string;
  readonly plan: DialingPlan;
  readonly duplicates: DuplicatePolicy;
  readonly limits: ImportLimits;
  /** The meaning of columns whose headers do not give it. */
  readonly columns?: ColumnMapping | undefined;
  /** The agent that makes the calls; absent where nothing is known of it, and every column may matter to it. */
  readonly agent?: AgentOfFile | undefined;
}

/** The languages and voices that work with the agent's models. */
export type OverrideChoices = NonNullable<Result<typeof serviceRequests.agentsPlaceholders>['choices']>;

export interface AgentOfFile {
  /** The variables that its texts mention. A cell of another column refuses no row. */
  readonly mentioned: readonly string[];
  readonly allowedOverrides: readonly Overridable[];
  /** Absent where agents-config is of an older release: overrides are not checked then. */
  readonly choices?: OverrideChoices | undefined;
}

/** The most of a file that is read where a part of it is enough. */
export interface ReadingBounds {
  readonly rows: number;
  readonly ms: number;
}

export type ImportOutcome =
  | { readonly kind: 'imported'; readonly report: FileReport }
  | {
      readonly kind: 'refused';
      readonly refusal: FileRefusal;
      /** The report on the part of the file that was read; null when not even its header was. */
      readonly report: FileReport | null;
    };
