// The models that the organization has added to the catalog.
import type { OrganizationModel } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { modelStrings as strings } from '../../strings/models.js';
import { modelNameOf } from './values.js';

const usersOf = ({ usedBy }: OrganizationModel): string => usedBy.map(({ name }) => name).join(', ');

const columns: readonly Column<OrganizationModel>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <>
        <Link to="/models/$modelName" params={{ modelName: modelNameOf(id) }} className={rowLinkClass}>
          {name}
        </Link>
        <code className="block font-mono text-xs text-ink-soft">{id}</code>
      </>
    ),
  },
  {
    id: 'kind',
    header: strings.kind,
    sortBy: ({ kind }) => kind,
    cell: ({ kind }) => <StatusBadge>{strings.kinds[kind]}</StatusBadge>,
  },
  {
    id: 'server',
    header: strings.server,
    deskOnly: true,
    cell: ({ baseUrl, model }) => (
      <>
        <code className="font-mono text-xs">{baseUrl}</code>
        <code className="block font-mono text-xs text-ink-soft">{model}</code>
      </>
    ),
  },
  {
    id: 'usedBy',
    header: strings.usedBy,
    cell: (model) =>
      model.usedBy.length === 0 ? <span className="text-ink-soft">{strings.unused}</span> : usersOf(model),
  },
];

const ModelMenu = ({ model }: { readonly model: OrganizationModel }) => {
  const remove = useCommand('models.delete', { invalidates: ['models.', 'agents.voiceCatalog', 'secrets.'] });
  const mayDelete = useCan('models.delete');
  const { id, name, usedBy } = model;
  const ask = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText,
      action: strings.delete,
      wish: remove.wish({ params: { modelName: modelNameOf(id) } }),
      done: () => toast.done(strings.deleted(name)),
    });
  const use = usedBy.length === 0 ? undefined : strings.inUse(usersOf(model));
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: ask,
          reason: reasonOf(mayDelete, use),
        },
      ]}
    />
  );
};

const NewModelLink = () => (
  <Guarded operation="models.create">
    <ButtonLink to="/models/new" kind="primary" icon={<Plus aria-hidden className="size-4" />}>
      {strings.create}
    </ButtonLink>
  </Guarded>
);

export const ModelsScreen = () => {
  const { rows, error, refresh, hasMore, isLoadingMore, loadMore } = useList('models.list', {
    query: { limit: 100 },
  });
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewModelLink />}>
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={(model) => <ModelMenu model={model} />}
        error={error}
        retry={() => void refresh()}
        hasMore={hasMore}
        isLoadingMore={isLoadingMore}
        loadMore={loadMore}
        empty={<EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewModelLink />} />}
      />
    </Page>
  );
};
