// The states of a campaign. Plain data throughout: the read model keeps it as JSON.
import type {
  CampaignEventOf,
  ClosedBy,
  FileRefusalCode,
  FileReport,
  PauseReason,
} from './campaign-events.js';

export type Created = CampaignEventOf<'CampaignCreated'>;

/** Facts that every phase has. */
export interface CampaignFacts {
  readonly created: Created['data'];
  /** Null once the organization was forgotten. */
  readonly personal: Created['personal'];
  /** Null until the file was read. */
  readonly file: FileReport | null;
  readonly startedAt: string | null;
  readonly updatedAt: string;
}

/** The file is still to be read. */
export type Validating = CampaignFacts & { readonly phase: 'validating' };
/** Recipients are there; starts at `created.scheduledAt`, or at once where that is null. */
export type Scheduled = CampaignFacts & { readonly phase: 'scheduled' };
export type Running = CampaignFacts & {
  readonly phase: 'running';
  /** The reason of the last pause and the time of its end; absent before the first pause. */
  readonly resumed?: { readonly after: PauseReason; readonly at: string };
};
/** Dials no further recipient; calls in progress go on. */
export type Paused = CampaignFacts & {
  readonly phase: 'paused';
  readonly reason: PauseReason;
  readonly until: string | null;
  /** Whose calling window is closed; absent for another reason. */
  readonly closedBy?: ClosedBy;
};
export type Completed = CampaignFacts & { readonly phase: 'completed'; readonly completedAt: string };
export type Cancelled = CampaignFacts & { readonly phase: 'cancelled'; readonly cancelledAt: string };
export type Failed = CampaignFacts & {
  readonly phase: 'failed';
  readonly code: FileRefusalCode;
  readonly message: string;
  readonly failedAt: string;
};

/** A campaign that exists. */
export type KnownCampaign = Validating | Scheduled | Running | Paused | Completed | Cancelled | Failed;

export type Campaign = { readonly phase: 'absent' } | KnownCampaign;
