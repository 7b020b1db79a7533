// The actions on one key.

import { Info, Pencil, Power, RefreshCw, Trash2 } from 'lucide-react';
import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { confirmThat } from '../../components/confirm.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { sending } from '../../components/sending.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';
import { nameOfKey } from './key-dialogs.js';
import { type ApiKey, stateOf } from './key-state.js';

interface KeyMenuProps {
  readonly apiKey: ApiKey;
  readonly onDetails: () => void;
  readonly onRename: () => void;
  readonly onRotate: () => void;
}

export const KeyMenu = ({ apiKey, onDetails, onRename, onRotate }: KeyMenuProps) => {
  const invalidates = ['auth.apiKeyList'];
  const update = useCommand('auth.apiKeyUpdate', { invalidates });
  const remove = useCommand('auth.apiKeyDelete', { invalidates });
  const mayUpdate = useCan('auth.apiKeyUpdate');
  const mayRotate = useCan('auth.apiKeyRotate');
  const mayDelete = useCan('auth.apiKeyDelete');
  const name = nameOfKey(apiKey);
  const state = stateOf(apiKey);
  const ended = state === 'ended' ? strings.stopped : undefined;
  const switchingOn = sending(update.wish({ body: { keyId: apiKey.id, enabled: true } }), () =>
    toast.done(strings.switchedOn(name)),
  );
  const askToSwitchOff = (): void =>
    confirmThat({
      title: strings.switchOffTitle(name),
      text: strings.switchOffText,
      action: strings.switchOff,
      wish: update.wish({ body: { keyId: apiKey.id, enabled: false } }),
      done: () => toast.done(strings.switchedOff(name)),
    });
  const askToDelete = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText,
      action: strings.delete,
      wish: remove.wish({ body: { keyId: apiKey.id } }),
      done: () => toast.done(strings.deleted(name)),
    });
  return (
    <RowMenu
      name={name}
      items={[
        { label: strings.details, icon: <Info aria-hidden className={menuIcon} />, onSelect: onDetails },
        {
          label: strings.rename,
          icon: <Pencil aria-hidden className={menuIcon} />,
          onSelect: onRename,
          reason: reasonOf(mayUpdate, ended),
        },
        {
          label: strings.rotate,
          icon: <RefreshCw aria-hidden className={menuIcon} />,
          onSelect: onRotate,
          reason: reasonOf(mayRotate, ended, state === 'off' ? strings.isOff : undefined),
        },
        {
          label: state === 'off' ? strings.switchOn : strings.switchOff,
          icon: <Power aria-hidden className={menuIcon} />,
          ...(state === 'off' ? switchingOn : { onSelect: askToSwitchOff }),
          reason: reasonOf(mayUpdate, ended),
        },
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: askToDelete,
          reason: reasonOf(mayDelete, ended),
        },
      ]}
    />
  );
};
