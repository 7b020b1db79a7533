// The request of a person not to be called again, as a fact of their call.
import type { CallLog } from '@parlance/client';
import { partyNumberOf } from '../../components/party.js';
import { callDetailStrings } from '../../strings/call-detail.js';

const strings = callDetailStrings.optOut;

export interface OptOut {
  readonly text: string;
  /** Search of the do-not-call list: the number without its plus. Undefined where there is nothing to open. */
  readonly entry: { readonly number: string } | undefined;
}

type Call = Pick<CallLog, 'optedOut' | 'channel' | 'direction' | 'fromNumber' | 'toNumber'>;

/** Undefined where the person has not asked for it. */
export const optOutOf = (call: Call, mayReadList: boolean): OptOut | undefined => {
  if (call.optedOut !== true) return undefined;
  const number = partyNumberOf(call);
  if (number === null) return { text: strings.withoutNumber, entry: undefined };
  return { text: strings.asked, entry: mayReadList ? { number: number.replace(/^\+/, '') } : undefined };
};
