// The tools of the organization.
import type { Tool } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { SearchFilter } from '../../components/filters.js';
import { RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { ActiveBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { toolStrings as strings } from '../../strings/tools.js';

const route = getRouteApi('/app/tools');

const columns: readonly Column<Tool>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <Link to="/tools/$toolId" params={{ toolId: id }} className={rowLinkClass}>
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: ({ isActive }) => isActive,
    cell: ({ isActive }) => <ActiveBadge isActive={isActive} />,
  },
  {
    id: 'request',
    header: strings.request,
    deskOnly: true,
    cell: ({ request }) => (
      <code className="font-mono text-xs">
        {request.method} {request.url}
      </code>
    ),
  },
  {
    id: 'agents',
    header: strings.agents,
    numeric: true,
    sortBy: ({ agentIds }) => agentIds.length,
    cell: ({ agentIds }) => (agentIds.length === 0 ? strings.noAgents : agentIds.length),
  },
  {
    id: 'runs',
    header: strings.runs,
    numeric: true,
    sortBy: ({ stats24h }) => stats24h.runs,
    cell: ({ stats24h }) => strings.runsText(stats24h.runs, stats24h.failures),
  },
];

const ToolMenu = ({ tool: { id: toolId, name, agentIds } }: { readonly tool: Tool }) => {
  const remove = useCommand('tools.delete', { invalidates: ['tools.', 'agents.list', 'secrets.'] });
  const mayDelete = useCan('tools.delete');
  const ask = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText(agentIds.length),
      action: strings.delete,
      wish: remove.wish({ params: { toolId } }),
      done: () => toast.done(strings.deleted(name)),
    });
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className="mt-0.5 size-4 shrink-0" />,
          danger: true,
          onSelect: ask,
          reason: reasonOf(mayDelete),
        },
      ]}
    />
  );
};

const NewToolLink = () => (
  <Guarded operation="tools.create">
    <ButtonLink to="/tools/new" kind="primary" icon={<Plus aria-hidden className="size-4" />}>
      {strings.create}
    </ButtonLink>
  </Guarded>
);

export const ToolsScreen = () => {
  const { name = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows, error, refresh } = useList('tools.list', {});
  const isEmpty = rows?.length === 0;
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewToolLink />}>
      {!isEmpty && (
        <SearchFilter
          label={strings.search}
          value={name}
          onChange={(next) => void navigate({ search: next === '' ? {} : { name: next }, replace: true })}
        />
      )}
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={rows?.filter((tool) => tool.name.toLowerCase().includes(name.toLowerCase()))}
        rowId={({ id }) => id}
        rowActions={(tool) => <ToolMenu tool={tool} />}
        error={error}
        retry={() => void refresh()}
        empty={
          isEmpty ? (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewToolLink />} />
          ) : (
            <EmptyState title={strings.nothingFound} />
          )
        }
      />
    </Page>
  );
};
