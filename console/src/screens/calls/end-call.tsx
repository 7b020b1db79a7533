// Ending a call that goes on: cutting a line is asked for by the names of both ends.
import { PhoneOff } from 'lucide-react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { confirmThat } from '../../components/confirm.js';
import { type Ends, partyOf } from '../../components/party.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { callStrings as strings } from '../../strings/calls.js';

export interface EndableCall extends Ends {
  readonly roomName: string;
  readonly agentName: string;
}

export const EndCall = ({ call }: { readonly call: EndableCall }) => {
  const end = useCommand('calls.endLive', { invalidates: ['calls.', 'outboundCalls.', 'dashboard.'] });
  const [party, agent] = [partyOf(call), call.agentName];
  const ask = (): void =>
    confirmThat({
      title: strings.endTitle(party, agent),
      text: strings.endText(party, agent),
      action: strings.end,
      wish: end.wish({ body: { roomName: call.roomName } }),
      done: ({ data }) => toast.done(data.alreadyEnded ? strings.endedBefore(party) : strings.ended(party)),
    });
  return (
    <Guarded operation="calls.endLive">
      <Button kind="danger" icon={<PhoneOff aria-hidden className="size-4" />} onClick={ask}>
        {strings.end}
      </Button>
    </Guarded>
  );
};
