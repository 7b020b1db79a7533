// The agents that may use the tool.

import type { Agent, Tool } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { sending } from '../../components/sending.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { toolStrings as strings } from '../../strings/tools.js';

const changes = { invalidates: ['tools.', 'agents.list'] };

const AttachButton = ({ tool, agent }: { readonly tool: Tool; readonly agent: Agent }) => {
  const attach = useCommand('tools.attach', changes);
  const detach = useCommand('tools.detach', changes);
  const isAttached = tool.agentIds.includes(agent.id);
  const command = isAttached ? detach : attach;
  const { wish, onSelect } = sending(command.wish({ params: { toolId: tool.id, agentId: agent.id } }), () =>
    toast.done(isAttached ? strings.detached(agent.name) : strings.attached(agent.name)),
  );
  return (
    <div className="flex justify-end">
      <CopyAsCurl operation={wish.operation} parts={wish.parts as never} />
      <Guarded operation={isAttached ? 'tools.detach' : 'tools.attach'}>
        <Button busy={command.isPending} onClick={onSelect}>
          {isAttached ? strings.detachAction : strings.attachAction}
          <span className="sr-only"> {agent.name}</span>
        </Button>
      </Guarded>
    </div>
  );
};

export const ToolAgents = ({ tool }: { readonly tool: Tool }) => {
  const { rows, error, refresh } = useList('agents.list', {});
  const columns: readonly Column<Agent>[] = [
    {
      id: 'name',
      header: strings.agent,
      cell: ({ id, name }) => (
        <Link to="/agents/$agentId" params={{ agentId: id }} search={{ tab: 'tools' }} className="link">
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: strings.state,
      cell: ({ id }) =>
        tool.agentIds.includes(id) ? (
          <StatusBadge tone="good">{strings.mayUse}</StatusBadge>
        ) : (
          <StatusBadge>{strings.doesNotUse}</StatusBadge>
        ),
    },
  ];
  return (
    <DataTable
      caption={strings.agentsCaption}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      rowActions={(agent) => <AttachButton tool={tool} agent={agent} />}
      error={error}
      retry={() => void refresh()}
      empty={<EmptyState title={strings.noAgentYet} />}
    />
  );
};
