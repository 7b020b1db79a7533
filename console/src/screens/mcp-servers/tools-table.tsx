// The tools of a connection: approved, switched on and off.

import { Eye, Power, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { sending } from '../../components/sending.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { awaitsPerson, type Connection, type Tool, toolSign } from './connection-facts.js';
import { ToolDialog } from './tool-dialog.js';

const longestShown = 240;

const columns: readonly Column<Tool>[] = [
  {
    id: 'tool',
    header: strings.tool,
    sortBy: ({ name }) => name,
    cell: ({ name, title, description }) => (
      <div className="min-w-0">
        <p className="font-mono font-medium">{name}</p>
        <p className="text-xs text-ink-soft">
          <bdi>
            {title ?? ''} {description.slice(0, longestShown)}
          </bdi>
        </p>
      </div>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: (tool) => toolSign(tool).text,
    cell: (tool) => {
      const { tone, text } = toolSign(tool);
      return <StatusBadge tone={tone}>{text}</StatusBadge>;
    },
  },
];

export const ToolsTable = ({ connection }: { readonly connection: Connection }) => {
  const [opened, setOpened] = useState<string>();
  const update = useCommand('mcp.update');
  const mayUpdate = useCan('mcp.update');
  const tool = connection.tools.find(({ name }) => name === opened);
  const turning = ({ name, enabled }: Tool) =>
    sending(
      update.wish({
        params: { mcpConnectionId: connection.id },
        body: { tools: [{ name, enabled: !enabled }] },
      }),
      () => toast.done(enabled ? strings.toolOff(name) : strings.toolOn(name)),
    );
  return (
    <>
      <DataTable
        caption={strings.toolsCaption(connection.name)}
        columns={columns}
        rows={connection.tools}
        rowId={({ name }) => name}
        rowActions={(one) => (
          <RowMenu
            name={one.name}
            items={[
              {
                label: awaitsPerson(one) ? strings.approve : strings.look,
                icon: awaitsPerson(one) ? (
                  <ShieldCheck aria-hidden className={menuIcon} />
                ) : (
                  <Eye aria-hidden className={menuIcon} />
                ),
                onSelect: () => setOpened(one.name),
              },
              {
                label: one.enabled ? strings.switchOff : strings.switchOn,
                icon: <Power aria-hidden className={menuIcon} />,
                ...turning(one),
                reason: reasonOf(mayUpdate),
              },
            ]}
          />
        )}
        empty={<EmptyState title={strings.noToolsTitle} text={strings.noToolsText} />}
      />
      {tool !== undefined && (
        <ToolDialog connectionId={connection.id} tool={tool} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
};
