// The other end of a call, as a text.
import { callWords as words } from '../strings/call-words.js';

export interface Ends {
  readonly channel: 'phone' | 'widget' | 'preview';
  readonly direction: 'inbound' | 'outbound';
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
}

/** The number of the other party; for calls without one, where the person is. */
export const partyOf = ({ channel, direction, fromNumber, toNumber }: Ends): string => {
  if (channel === 'widget') return words.website;
  if (channel === 'preview') return words.trial;
  return (direction === 'inbound' ? fromNumber : toNumber) ?? words.withheld;
};

/** The telephone number of the other party; null where it is withheld, and for calls without a telephone. */
export const partyNumberOf = ({ channel, direction, fromNumber, toNumber }: Ends): string | null =>
  channel === 'phone' ? (direction === 'inbound' ? fromNumber : toNumber) : null;

/** The number of the organization that the call was made from, or came to. */
export const ownNumberOf = ({ direction, fromNumber, toNumber }: Ends): string | null =>
  direction === 'inbound' ? toNumber : fromNumber;
