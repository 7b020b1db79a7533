// One campaign: stream `campaign-<id>`, written by the operations, the import of its file, and the dialers. Its
// recipients are rows of their own (recipients/); the stream tells the course of the whole.
import { AppError, unreachable } from '@parlance/errors';
import type { Decider } from '@parlance/event-sourcing';
import type { CampaignEvent, ClosedBy, FileRefusalCode, FileReport, PauseReason } from './campaign-events.js';
import { evolve } from './campaign-evolve.js';
import type { Campaign, Created, KnownCampaign } from './campaign-state.js';

export type CampaignCommand =
  | {
      readonly type: 'CreateCampaign';
      readonly created: Created['data'];
      readonly personal: NonNullable<Created['personal']>;
    }
  /** Its recipients are there. Without a single one the campaign fails. */
  | { readonly type: 'RecordImport'; readonly report: FileReport; readonly now: string }
  | {
      readonly type: 'RefuseFile';
      readonly code: FileRefusalCode;
      readonly message: string;
      readonly report: FileReport | null;
      readonly now: string;
    }
  /** Nothing happens before it is due. */
  | { readonly type: 'StartCampaign'; readonly now: string }
  | {
      readonly type: 'PauseCampaign';
      readonly reason: PauseReason;
      readonly until: string | null;
      /** The window that is closed, of a pause for calling hours. */
      readonly closedBy?: ClosedBy;
      readonly now: string;
    }
  | { readonly type: 'ResumeCampaign'; readonly now: string }
  | { readonly type: 'CompleteCampaign'; readonly now: string }
  | { readonly type: 'CancelCampaign'; readonly organizationId: string; readonly now: string };

type Command<T extends CampaignCommand['type']> = Extract<CampaignCommand, { readonly type: T }>;
type Decision = readonly CampaignEvent[];

/** @throws AppError CAMPAIGN_NOT_FOUND also for another organization's */
export const ownedCampaign = (state: Campaign, organizationId: string): KnownCampaign => {
  if (state.phase === 'absent' || state.created.organizationId !== organizationId)
    throw new AppError('CAMPAIGN_NOT_FOUND');
  return state;
};

const createCampaign = ({ created, personal }: Command<'CreateCampaign'>, state: Campaign): Decision => {
  if (state.phase === 'absent') return [{ type: 'CampaignCreated', data: created, personal }];
  // The id comes from the organization's own idempotency key: the same id is the same request again.
  if (state.created.organizationId !== created.organizationId) throw new AppError('CONFLICT');
  return [];
};

const recordImport = ({ report, now }: Command<'RecordImport'>, state: Campaign): Decision => {
  if (state.phase !== 'validating') return [];
  if (report.accepted > 0) return [{ type: 'FileImported', data: { ...report, importedAt: now } }];
  const message = 'no row of the file can be called';
  return [{ type: 'FileRefused', data: { code: 'FILE_INVALID', message, report, refusedAt: now } }];
};

const refuseFile = (command: Command<'RefuseFile'>, state: Campaign): Decision => {
  if (state.phase !== 'validating') return [];
  const { code, message, report, now } = command;
  return [{ type: 'FileRefused', data: { code, message, report, refusedAt: now } }];
};

const startCampaign = ({ now }: Command<'StartCampaign'>, state: Campaign): Decision => {
  if (state.phase !== 'scheduled') return [];
  const { scheduledAt } = state.created;
  return scheduledAt === null || scheduledAt <= now
    ? [{ type: 'CampaignStarted', data: { startedAt: now } }]
    : [];
};

const pauseCampaign = (
  { reason, until, closedBy, now }: Command<'PauseCampaign'>,
  state: Campaign,
): Decision => {
  const isSaidAlready = state.phase === 'paused' && state.reason === reason && state.until === until;
  if (isSaidAlready || (state.phase !== 'running' && state.phase !== 'paused')) return [];
  const window = closedBy === undefined ? {} : { closedBy };
  return [{ type: 'CampaignPaused', data: { reason, until, pausedAt: now, ...window } }];
};

const completeCampaign = ({ now }: Command<'CompleteCampaign'>, state: Campaign): Decision =>
  state.phase === 'running' || state.phase === 'paused'
    ? [{ type: 'CampaignCompleted', data: { completedAt: now } }]
    : [];

const cancelCampaign = ({ organizationId, now }: Command<'CancelCampaign'>, state: Campaign): Decision => {
  const campaign = ownedCampaign(state, organizationId);
  if (campaign.phase === 'cancelled') return [];
  if (campaign.phase === 'completed' || campaign.phase === 'failed')
    throw new AppError('CAMPAIGN_NOT_CANCELLABLE', { details: { status: campaign.phase } });
  return [{ type: 'CampaignCancelled', data: { cancelledAt: now } }];
};

const decide = (command: CampaignCommand, state: Campaign): Decision => {
  switch (command.type) {
    case 'CreateCampaign':
      return createCampaign(command, state);
    case 'RecordImport':
      return recordImport(command, state);
    case 'RefuseFile':
      return refuseFile(command, state);
    case 'StartCampaign':
      return startCampaign(command, state);
    case 'PauseCampaign':
      return pauseCampaign(command, state);
    case 'ResumeCampaign':
      return state.phase === 'paused' ? [{ type: 'CampaignResumed', data: { resumedAt: command.now } }] : [];
    case 'CompleteCampaign':
      return completeCampaign(command, state);
    case 'CancelCampaign':
      return cancelCampaign(command, state);
    default:
      return unreachable(command);
  }
};

export const campaignDecider: Decider<Campaign, CampaignCommand, CampaignEvent> = {
  initialState: { phase: 'absent' },
  evolve,
  decide,
};
