// The agents of the organization.

import type { Agent } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Pencil, Plus, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { SearchFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { sending } from '../../components/sending.js';
import { ActiveBadge, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { agentStrings as strings } from '../../strings/agents.js';
import { RenameAgent } from './rename-agent.js';

const route = getRouteApi('/app/agents');

const columns: readonly Column<Agent>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <Link to="/agents/$agentId" params={{ agentId: id }} className={rowLinkClass}>
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
    id: 'configuration',
    header: strings.configuration,
    cell: ({ configVersion }) =>
      configVersion === null ? (
        <StatusBadge tone="attention">{strings.notConfigured}</StatusBadge>
      ) : (
        strings.version(configVersion)
      ),
  },
  {
    id: 'numbers',
    header: strings.numbers,
    deskOnly: true,
    cell: ({ phoneNumbers }) =>
      phoneNumbers.length === 0 ? (
        <span className="text-ink-soft">{strings.noNumbers}</span>
      ) : (
        phoneNumbers.map(({ phoneNumber }) => phoneNumber).join(', ')
      ),
  },
  {
    id: 'lastCall',
    header: strings.lastCall,
    sortBy: ({ lastCallAt }) => lastCallAt,
    cell: ({ lastCallAt }) =>
      lastCallAt === null ? (
        <span className="text-ink-soft">{strings.never}</span>
      ) : (
        <Moment at={lastCallAt} />
      ),
  },
];

const AgentMenu = ({ agent, onRename }: { readonly agent: Agent; readonly onRename: () => void }) => {
  const update = useCommand('agents.update');
  const remove = useCommand('agents.delete');
  const mayUpdate = useCan('agents.update');
  const mayDelete = useCan('agents.delete');
  const { id: agentId, name, isActive } = agent;
  const turning = sending(update.wish({ params: { agentId }, body: { isActive: !isActive } }), () =>
    toast.done(isActive ? strings.switchedOff(name) : strings.switchedOn(name)),
  );
  const askToDelete = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText,
      action: strings.delete,
      wish: remove.wish({ params: { agentId } }),
      done: () => toast.done(strings.deleted(name)),
    });
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.rename,
          icon: <Pencil aria-hidden className={menuIcon} />,
          onSelect: onRename,
          reason: reasonOf(mayUpdate),
        },
        {
          label: isActive ? strings.switchOff : strings.switchOn,
          icon: <Power aria-hidden className={menuIcon} />,
          ...turning,
          reason: reasonOf(mayUpdate),
        },
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: askToDelete,
          reason: reasonOf(mayDelete),
        },
      ]}
    />
  );
};

const NewAgentLink = ({ kind = 'primary' }: { readonly kind?: 'primary' | 'secondary' }) => (
  <Guarded operation="agents.create">
    <ButtonLink to="/agents/new" kind={kind} icon={<Plus aria-hidden className="size-4" />}>
      {strings.create}
    </ButtonLink>
  </Guarded>
);

export const AgentsScreen = () => {
  const { name = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows, error, refresh } = useList('agents.list', {});
  const [renamed, setRenamed] = useState<Agent>();
  const found = rows?.filter((agent) => agent.name.toLowerCase().includes(name.toLowerCase()));
  const isEmpty = rows?.length === 0;
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewAgentLink />}>
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
        rows={found}
        rowId={({ id }) => id}
        rowActions={(agent) => <AgentMenu agent={agent} onRename={() => setRenamed(agent)} />}
        error={error}
        retry={() => void refresh()}
        empty={
          isEmpty ? (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewAgentLink />} />
          ) : (
            <EmptyState title={strings.nothingFound} />
          )
        }
      />
      {renamed !== undefined && <RenameAgent agent={renamed} onClose={() => setRenamed(undefined)} />}
    </Page>
  );
};
