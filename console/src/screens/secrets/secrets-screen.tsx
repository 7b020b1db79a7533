// The secrets of the organization: stored, replaced, allowed for origins, deleted. No value is ever shown.
import type { Secret } from '@parlance/client';
import { Globe, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { Moment } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { secretStrings as strings } from '../../strings/secrets.js';
import { EditOrigins, NewSecret, RotateSecret } from './secret-dialogs.js';

const usersOf = ({ usedBy }: Secret): string =>
  usedBy.map(({ type, name }) => strings.user(strings.kinds[type], name)).join(', ');

const columns: readonly Column<Secret>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name,
    cell: ({ name, description }) => (
      <>
        <code className="font-mono font-medium">{name}</code>
        {description !== null && <span className="block text-xs text-ink-soft">{description}</span>}
      </>
    ),
  },
  {
    id: 'value',
    header: strings.value,
    deskOnly: true,
    cell: ({ redactedValue }) => <code className="font-mono text-xs">{redactedValue}</code>,
  },
  { id: 'version', header: strings.version, numeric: true, cell: ({ version }) => version },
  {
    id: 'usedBy',
    header: strings.usedBy,
    cell: (secret) =>
      secret.usedBy.length === 0 ? <span className="text-ink-soft">{strings.unused}</span> : usersOf(secret),
  },
  {
    id: 'origins',
    header: strings.allowedOrigins,
    deskOnly: true,
    cell: ({ allowedOrigins }) =>
      allowedOrigins.length === 0 ? (
        <span className="text-ink-soft">{strings.noOrigins}</span>
      ) : (
        <span className="font-mono text-xs">{allowedOrigins.join(', ')}</span>
      ),
  },
  {
    id: 'lastUsed',
    header: strings.lastUsed,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="text-ink-soft">{strings.never}</span>
      ) : (
        <Moment at={lastUsedAt} />
      ),
  },
];

interface SecretMenuProps {
  readonly secret: Secret;
  readonly onRotate: () => void;
  readonly onEditOrigins: () => void;
}

const SecretMenu = ({ secret, onRotate, onEditOrigins }: SecretMenuProps) => {
  const remove = useCommand('secrets.delete');
  const mayRotate = useCan('secrets.rotate');
  const mayAllow = useCan('secrets.update');
  const mayDelete = useCan('secrets.delete');
  const { id: secretId, name, usedBy } = secret;
  const ask = (): void =>
    confirmThat({
      title: strings.deleteTitle(name),
      text: strings.deleteText,
      action: strings.delete,
      wish: remove.wish({ params: { secretId } }),
      done: () => toast.done(strings.deleted(name)),
    });
  const use = usedBy.length === 0 ? undefined : strings.inUse(usersOf(secret));
  return (
    <RowMenu
      name={name}
      items={[
        {
          label: strings.rotate,
          icon: <RefreshCw aria-hidden className={menuIcon} />,
          onSelect: onRotate,
          reason: reasonOf(mayRotate),
        },
        {
          label: strings.editOrigins,
          icon: <Globe aria-hidden className={menuIcon} />,
          onSelect: onEditOrigins,
          reason: reasonOf(mayAllow),
        },
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

export const SecretsScreen = () => {
  const { rows, error, refresh } = useList('secrets.list', {});
  const [isNew, setNew] = useState(false);
  const [rotated, setRotated] = useState<Secret>();
  const [allowed, setAllowed] = useState<Secret>();
  const create = (
    <Guarded operation="secrets.create">
      <Button kind="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setNew(true)}>
        {strings.create}
      </Button>
    </Guarded>
  );
  return (
    <Page title={strings.title} intro={strings.intro} actions={create}>
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={(secret) => (
          <SecretMenu
            secret={secret}
            onRotate={() => setRotated(secret)}
            onEditOrigins={() => setAllowed(secret)}
          />
        )}
        error={error}
        retry={() => void refresh()}
        empty={<EmptyState title={strings.emptyTitle} text={strings.emptyText} action={create} />}
      />
      {isNew && <NewSecret onClose={() => setNew(false)} />}
      {rotated !== undefined && <RotateSecret secret={rotated} onClose={() => setRotated(undefined)} />}
      {allowed !== undefined && <EditOrigins secret={allowed} onClose={() => setAllowed(undefined)} />}
    </Page>
  );
};
