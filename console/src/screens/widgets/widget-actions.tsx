// Switching a widget on and off, and deleting it.

import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { confirmThat } from '../../components/confirm.js';
import { sending } from '../../components/sending.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { widgetStrings as strings } from '../../strings/widgets.js';
import type { Widget } from './widget-values.js';

type Named = Pick<Widget, 'id' | 'name' | 'enabled'>;

export const useWidgetActions = () => {
  const update = useCommand('widgets.update');
  const remove = useCommand('widgets.delete');
  const mayUpdate = useCan('widgets.update');
  const mayDelete = useCan('widgets.delete');
  const turning = ({ id: widgetId, name, enabled }: Named) =>
    sending(update.wish({ params: { widgetId }, body: { enabled: !enabled } }), () =>
      toast.done(enabled ? strings.switchedOff(name) : strings.switchedOn(name)),
    );
  const askToDelete = ({ id: widgetId, name }: Named, after?: () => unknown): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText,
      action: strings.delete,
      wish: remove.wish({ params: { widgetId } }),
      done: async () => {
        toast.done(strings.deleted(name));
        await after?.();
      },
    });
  return {
    turning,
    askToDelete,
    turnReason: reasonOf(mayUpdate),
    deleteReason: reasonOf(mayDelete),
  };
};
