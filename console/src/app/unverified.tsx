// Tells a person whose address is not verified what waits for that.
import { Button } from '../components/button.js';
import { sending } from '../components/sending.js';
import { toast } from '../components/toasts.js';
import { useCommand } from '../data/commands.js';
import { appStrings as strings } from '../strings/app.js';
import { useCaller, useSession } from './session.js';

export const Unverified = () => {
  const caller = useCaller();
  const session = useSession();
  const send = useCommand('auth.sendVerificationEmail', { invalidates: [] });
  if (caller?.verified !== false || session === undefined) return null;
  const again = sending(send.wish({ body: { email: session.user.email } }), () =>
    toast.done(strings.sentAgain),
  );
  return (
    <div className="flex flex-wrap items-center gap-3 bg-warn-soft px-4 py-2 text-warn sm:px-6">
      {strings.unverified}
      <Button busy={send.isPending} onClick={again.onSelect}>
        {strings.sendAgain}
      </Button>
    </div>
  );
};
