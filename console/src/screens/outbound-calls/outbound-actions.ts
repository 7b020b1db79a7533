// The actions on an outbound call: it is cancelled, tried again or deleted. Each is confirmed with the names of the two ends.
import type { OutboundCall } from '@parlance/client';
import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { confirmThat } from '../../components/confirm.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';

const terminal: ReadonlySet<string> = new Set(['completed', 'no_answer', 'busy', 'failed', 'cancelled']);

export const isOver = ({ status }: Pick<OutboundCall, 'status'>): boolean => terminal.has(status);

export const calleeOf = ({ phoneNumber, username }: Pick<OutboundCall, 'phoneNumber' | 'username'>): string =>
  strings.withName(phoneNumber, username);

export interface OutboundAction {
  readonly run: () => void;
  /** Why it is not possible; undefined where it is. */
  readonly reason: string | undefined;
}

const affected = { invalidates: ['outboundCalls.', 'calls.', 'spend.', 'dashboard.'] };

/**
 * @param agentName of the call's agent
 * @param leave runs after the call was deleted
 */
export const useOutboundActions = (
  call: OutboundCall,
  agentName: string,
  leave: () => Promise<void> = async () => {},
): {
  readonly cancel: OutboundAction;
  readonly retry: OutboundAction;
  readonly remove: OutboundAction;
} => {
  const cancel = useCommand('outboundCalls.cancel', affected);
  const retry = useCommand('outboundCalls.retry', affected);
  const remove = useCommand('outboundCalls.delete', {
    invalidates: ['outboundCalls.list', 'outboundCalls.listRecipients', 'calls.', 'dashboard.'],
  });
  const mayDelete = useCan('outboundCalls.delete');
  const mayCancel = useCan('outboundCalls.cancel');
  const mayRetry = useCan('outboundCalls.retry');
  const callee = calleeOf(call);
  const parts = { params: { outboundId: call.id } };
  return {
    cancel: {
      reason: isOver(call) ? strings.overAlready : reasonOf(mayCancel),
      run: () =>
        confirmThat({
          title: strings.cancelTitle(callee),
          text: strings.cancelText(callee),
          action: strings.cancel,
          wish: cancel.wish(parts),
          done: ({ data }) =>
            toast.done(data.cancelled ? strings.cancelled(callee) : strings.notCancelled(callee)),
        }),
    },
    retry: {
      reason: call.retryable ? reasonOf(mayRetry) : strings.notRetryable,
      run: () =>
        confirmThat({
          title: strings.retryTitle(callee),
          text: strings.retryText(agentName, call.fromNumber, callee),
          action: strings.retry,
          danger: false,
          wish: retry.wish(parts),
          done: () => toast.done(strings.retried(callee)),
        }),
    },
    remove: {
      reason: isOver(call) ? reasonOf(mayDelete) : strings.notDeletable,
      run: () =>
        confirmThat({
          title: strings.deleteTitle(callee),
          text: strings.deleteText,
          action: strings.delete,
          wish: remove.wish(parts),
          done: async () => {
            await leave();
            toast.done(strings.deleted(callee));
          },
        }),
    },
  };
};
