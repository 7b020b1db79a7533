// Over a page whose session another tab has given to another organization, or has ended.
import { useEffect, useRef } from 'react';
import { Button } from '../components/button.js';
import { Dialog, DialogActions } from '../components/dialog.js';
import { useOperation } from '../data/queries.js';
import { useStore } from '../data/store.js';
import { hearTurns, turned } from '../data/tabs.js';
import { appStrings as strings } from '../strings/app.js';
import { useSession } from './session.js';

export const OtherTabs = () => {
  const session = useSession();
  const { data: organizations = [] } = useOperation('auth.organizationList', {});
  const own = useRef<string>(undefined);
  own.current = session?.activeOrganizationId;
  useEffect(() => hearTurns(() => own.current), []);
  const turn = useStore(turned);
  if (turn === undefined) return null;
  const name =
    turn.kind === 'switched' ? organizations.find(({ id }) => id === turn.organizationId)?.name : undefined;
  return (
    <Dialog
      open
      closable={false}
      onClose={() => undefined}
      title={
        turn.kind === 'signedOut'
          ? strings.signedOutElsewhere
          : strings.switchedElsewhere(name ?? strings.anotherOrganization)
      }
      text={turn.kind === 'signedOut' ? strings.signedOutElsewhereText : strings.switchedElsewhereText}
    >
      <DialogActions>
        <Button kind="primary" onClick={() => location.reload()}>
          {strings.reloadPage}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
