import type { Agent } from '@parlance/client';
import { Unlink } from 'lucide-react';
import { useCan } from '../../../app/permission.js';
import { reasonOf } from '../../../app/permission-rules.js';
import { confirmThat } from '../../../components/confirm.js';
import { RowMenu } from '../../../components/menu.js';
import { toast } from '../../../components/toasts.js';
import type { Wish } from '../../../data/commands.js';
import type { OperationId } from '../../../data/types.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';

/** Takes something away from an agent, after a question. */
export const DetachMenu = ({
  operation,
  agent,
  name,
  text = strings.detachText(agent.name),
  wish,
}: {
  readonly operation: OperationId;
  readonly agent: Agent;
  /** Of the thing. */
  readonly name: string;
  readonly text?: string;
  /** The request that takes the thing away. */
  readonly wish: Wish;
}) => {
  const verdict = useCan(operation);
  const ask = (): void =>
    confirmThat({
      title: strings.detachTitle(name, agent.name),
      text,
      action: strings.detach,
      wish,
      done: () => toast.done(strings.detached(name)),
    });
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.detach,
          icon: <Unlink aria-hidden className="mt-0.5 size-4 shrink-0" />,
          danger: true,
          onSelect: ask,
          reason: reasonOf(verdict),
        },
      ]}
    />
  );
};
