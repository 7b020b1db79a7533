import type { Agent, Tool } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { ButtonLink } from '../../../components/button.js';
import { EmptyState } from '../../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../../components/data-table.js';
import { useCommand } from '../../../data/commands.js';
import { useList } from '../../../data/queries.js';
import { agentPageStrings as strings } from '../../../strings/agent.js';
import { AttachBar } from './attach-bar.js';
import { DetachMenu } from './detach-menu.js';

const columns: readonly Column<Tool>[] = [
  {
    id: 'name',
    header: strings.tool,
    cell: ({ id, name }) => (
      <Link to="/tools/$toolId" params={{ toolId: id }} className={rowLinkClass}>
        {name}
      </Link>
    ),
  },
  { id: 'about', header: strings.about, cell: ({ description }) => description },
];

const changes = { invalidates: ['tools.', 'agents.list'] };

export const AttachedTools = ({ agent }: { readonly agent: Agent }) => {
  const agentId = agent.id;
  const { rows, error, refresh } = useList('tools.listForAgent', { params: { agentId } });
  const { rows: all = [] } = useList('tools.list', {});
  const attach = useCommand('tools.attach', changes);
  const detach = useCommand('tools.detach', changes);
  const others = all.filter(({ agentIds }) => !agentIds.includes(agentId));
  return (
    <>
      <AttachBar
        operation="tools.attach"
        label={strings.tool}
        choices={others.map(({ id, name }) => ({ value: id, label: name }))}
        attach={(toolId) => attach.wish({ params: { agentId, toolId } })}
      />
      <DataTable
        caption={strings.toolsCaption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={({ id: toolId, name }) => (
          <DetachMenu
            operation="tools.detach"
            agent={agent}
            name={name}
            wish={detach.wish({ params: { agentId, toolId } })}
          />
        )}
        error={error}
        retry={() => void refresh()}
        empty={
          <EmptyState
            title={strings.noTools}
            text={strings.noToolsText}
            action={<ButtonLink to="/tools">{strings.allTools}</ButtonLink>}
          />
        }
      />
    </>
  );
};
