import type { Agent, McpConnection } from '@parlance/client';
import { ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/card.js';
import { type Column, DataTable } from '../../../components/data-table.js';
import { useCommand } from '../../../data/commands.js';
import { useList } from '../../../data/queries.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';
import { AttachBar } from './attach-bar.js';
import { DetachMenu } from './detach-menu.js';

const columns: readonly Column<McpConnection>[] = [
  {
    id: 'name',
    header: strings.connection,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { id: 'state', header: strings.state, cell: ({ status }) => status },
];

const changes = { invalidates: ['mcp.', 'agents.list'] };

export const AttachedMcp = ({ agent }: { readonly agent: Agent }) => {
  const agentId = agent.id;
  const { rows, error, refresh } = useList('mcp.listForAgent', { params: { agentId } });
  const { rows: all = [] } = useList('mcp.connections', {});
  const attach = useCommand('mcp.attach', changes);
  const detach = useCommand('mcp.detach', changes);
  const others = all.filter(({ id }) => !(rows ?? []).some((row) => row.id === id));
  return (
    <>
      <AttachBar
        operation="mcp.attach"
        label={strings.connection}
        choices={others.map(({ id, name }) => ({ value: id, label: name }))}
        attach={(mcpConnectionId) => attach.wish({ params: { agentId, mcpConnectionId } })}
      />
      <DataTable
        caption={strings.mcpCaption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={({ id: mcpConnectionId, name }) => (
          <DetachMenu
            operation="mcp.detach"
            agent={agent}
            name={name}
            wish={detach.wish({ params: { agentId, mcpConnectionId } })}
          />
        )}
        error={error}
        retry={() => void refresh()}
        empty={
          <EmptyState
            title={strings.noMcp}
            text={strings.noMcpText}
            action={<ButtonLink to="/mcp-servers">{strings.toMcp}</ButtonLink>}
          />
        }
      />
    </>
  );
};
