// The API keys of the organization. Only owners and admins may see them.
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { SelectFilter } from '../../components/filters.js';
import { Page } from '../../components/page.js';
import { StatusBadge } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { permissionsOfRole } from '../../data/roles.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';
import { KeyDetails, nameOfKey, RenameKey, RotateKey } from './key-dialogs.js';
import { KeyMenu } from './key-menu.js';
import { KeyOnce } from './key-once.js';
import { type ApiKey, carriedBy, keyStates, stateOf } from './key-state.js';

const route = getRouteApi('/app/api-keys');

const State = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { disabledReason } = apiKey;
  if (disabledReason !== null) return <StatusBadge tone="bad">{strings.reasons[disabledReason]}</StatusBadge>;
  return apiKey.enabled ? (
    <StatusBadge tone="good">{strings.active}</StatusBadge>
  ) : (
    <StatusBadge tone="attention">{strings.off}</StatusBadge>
  );
};

const carriedText = (permissions: readonly string[]): string => {
  const carried = carriedBy(permissions, permissionsOfRole('owner'));
  if (carried.kind === 'everything') return strings.everything;
  return carried.kind === 'reads' ? strings.readsOnly(carried.count) : strings.some(carried.count);
};

const columns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    header: strings.name,
    sortBy: (key) => nameOfKey(key).toLowerCase(),
    cell: (key) => (
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{nameOfKey(key)}</bdi>
        </p>
        <p className="font-mono text-xs text-ink-soft">{key.prefix}…</p>
      </div>
    ),
  },
  { id: 'state', header: strings.state, sortBy: stateOf, cell: (key) => <State apiKey={key} /> },
  { id: 'carries', header: strings.carries, cell: ({ permissions }) => carriedText(permissions) },
  {
    id: 'lastUsed',
    header: strings.lastUsed,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="text-ink-soft">{strings.neverUsed}</span>
      ) : (
        <Moment at={lastUsedAt} />
      ),
  },
  {
    id: 'expires',
    header: strings.expires,
    sortBy: ({ expiresAt }) => expiresAt,
    deskOnly: true,
    cell: ({ expiresAt }) => (expiresAt === null ? strings.noEnd : <Moment at={expiresAt} />),
  },
];

const NewKeyLink = ({ kind = 'primary' }: { readonly kind?: 'primary' | 'secondary' }) => (
  <Guarded operation="auth.apiKeyCreate">
    <ButtonLink to="/api-keys/new" kind={kind} icon={<Plus aria-hidden className="size-4" />}>
      {strings.create}
    </ButtonLink>
  </Guarded>
);

interface Opened {
  readonly what: 'details' | 'rename' | 'rotate';
  readonly apiKey: ApiKey;
}

export const KeysScreen = () => {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const verdict = useCan('auth.apiKeyList');
  const { data, error, refetch } = useOperation(
    'auth.apiKeyList',
    { query: {} },
    { enabled: verdict.allowed },
  );
  const [opened, setOpened] = useState<Opened>();
  const [made, setMade] = useState<string>();
  const all = data?.apiKeys;
  const shown = state === undefined ? all : all?.filter((key) => stateOf(key) === state);
  const isEmpty = all?.length === 0;
  const close = (): void => setOpened(undefined);
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewKeyLink />}>
      {!verdict.allowed && <EmptyState title={strings.forbiddenTitle} text={verdict.reason} />}
      {verdict.allowed && !isEmpty && (
        <SelectFilter
          label={strings.state}
          value={state ?? ''}
          allLabel={strings.all}
          choices={keyStates.map((value) => ({ value, label: strings.states[value] }))}
          onChange={(next) => {
            const chosen = keyStates.find((one) => one === next);
            void navigate({ search: chosen === undefined ? {} : { state: chosen }, replace: true });
          }}
        />
      )}
      {verdict.allowed && (
        <DataTable
          caption={strings.caption}
          columns={columns}
          rows={shown}
          rowId={({ id }) => id}
          rowActions={(apiKey) => (
            <KeyMenu
              apiKey={apiKey}
              onDetails={() => setOpened({ what: 'details', apiKey })}
              onRename={() => setOpened({ what: 'rename', apiKey })}
              onRotate={() => setOpened({ what: 'rotate', apiKey })}
            />
          )}
          error={error}
          retry={() => void refetch()}
          empty={
            isEmpty ? (
              <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewKeyLink />} />
            ) : (
              <EmptyState title={strings.nothingFound} />
            )
          }
        />
      )}
      {opened?.what === 'details' && <KeyDetails apiKey={opened.apiKey} onClose={close} />}
      {opened?.what === 'rename' && <RenameKey apiKey={opened.apiKey} onClose={close} />}
      {opened?.what === 'rotate' && <RotateKey apiKey={opened.apiKey} onClose={close} onMade={setMade} />}
      {made !== undefined && <KeyOnce value={made} onKept={() => setMade(undefined)} />}
    </Page>
  );
};
