// Erases everything about the other party of a call: counted first, and confirmed with the number typed.
import type { CallLog } from '@parlance/client';
import { UserX } from 'lucide-react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { confirmThat } from '../../components/confirm.js';
import { partyNumberOf } from '../../components/party.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { personStrings as strings } from '../../strings/people.js';

const changed = ['calls.', 'dashboard.', 'outboundCalls.'] as const;

export const ErasePerson = ({ call }: { readonly call: CallLog }) => {
  const count = useCommand('people.delete', { invalidates: [] });
  const erase = useCommand('people.delete', { invalidates: changed });
  const phoneNumber = partyNumberOf(call);
  if (phoneNumber === null) return null;
  const params = { phoneNumber };
  const ask = async (): Promise<void> => {
    try {
      const { data } = await count.wish({ params, query: {} }).send();
      if (data.confirmation === null) return;
      confirmThat({
        title: strings.title(phoneNumber),
        text: strings.text(data.found),
        action: strings.erase,
        typed: phoneNumber,
        wish: erase.wish({ params, query: { confirmation: data.confirmation } }),
        done: () => toast.done(strings.started(phoneNumber)),
      });
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <Guarded operation="people.delete">
      <Button
        kind="danger"
        busy={count.isPending}
        icon={<UserX aria-hidden className="size-4" />}
        onClick={() => void ask()}
      >
        {strings.erase}
      </Button>
    </Guarded>
  );
};
