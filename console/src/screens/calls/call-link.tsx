// A call in the first cell of a list. It shows the other party, which leads to the call, and the way that the call came or went.
import { Link } from '@tanstack/react-router';
import { rowLinkClass } from '../../components/data-table.js';
import { type Ends, partyOf } from '../../components/party.js';
import { callWords } from '../../strings/call-words.js';

export const CallLink = ({ callId, call }: { readonly callId: string; readonly call: Ends }) => (
  <>
    <Link to="/calls/$callId" params={{ callId }} className={rowLinkClass}>
      {partyOf(call)}
    </Link>
    <span className="block text-xs text-ink-soft">
      {callWords.direction[call.direction]} · {callWords.channel[call.channel]}
    </span>
  </>
);
