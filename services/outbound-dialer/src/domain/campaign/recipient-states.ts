// The states of a recipient, and the counts that a campaign's progress consists of.
import type { RecipientState as ListedState } from '@parlance/contracts';

/** A refused row of the file is listed beside the recipients, and is none. */
type State = Exclude<ListedState, 'refused'>;

export const openStates = ['pending', 'queued', 'in_progress'] as const satisfies readonly State[];
export const terminalStates = [
  'completed',
  'voicemail',
  'no_answer',
  'busy',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly State[];

export type TerminalState = (typeof terminalStates)[number];
/**
 * `pending` waits for its turn, `queued` is in the hands of a dialer, `in_progress` is being dialled or talks (in doubt,
 * too). A terminal state is never left.
 */
export type RecipientState = (typeof openStates)[number] | TerminalState;

/** Recipients of one campaign by state, all read at one instant. */
export interface RecipientCounts {
  readonly recipients: Readonly<Record<RecipientState, number>>;
  readonly attempts: number;
  readonly costMicros: number;
}

export const noRecipients: RecipientCounts = {
  recipients: {
    pending: 0,
    queued: 0,
    in_progress: 0,
    completed: 0,
    voicemail: 0,
    no_answer: 0,
    busy: 0,
    failed: 0,
    cancelled: 0,
    skipped: 0,
  },
  attempts: 0,
  costMicros: 0,
};
