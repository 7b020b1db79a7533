// Messages to webhooks: what was sent, what did not arrive, and sending it again.
import { isApiError, type WebhookDelivery } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { FilterBar, SearchFilter, SelectFilter } from '../../components/filters.js';
import { Page } from '../../components/page.js';
import { StatusBadge, type Tone } from '../../components/status.js';
import { Moment } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { numberText } from '../../strings/format.js';
import { webhookStrings as strings } from '../../strings/webhooks.js';
import { DeliveryDialog } from './delivery-dialog.js';
import type { WebhooksSearch } from './routes.js';
import { TestWebhook } from './test-webhook.js';

const route = getRouteApi('/app/webhooks');
const refreshMs = 5_000;

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'accent',
  retrying: 'attention',
  delivered: 'good',
  failed: 'bad',
};

const columnsFor = (search: WebhooksSearch): readonly Column<WebhookDelivery>[] => [
  {
    id: 'message',
    header: strings.message,
    cell: ({ id, type }) => (
      <Link to="/webhooks" search={{ ...search, open: id }} className={rowLinkClass}>
        {strings.types[type] ?? type}
      </Link>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    cell: ({ status, lastProblem }) => (
      <span>
        <StatusBadge tone={tones[status]}>{strings.states[status]}</StatusBadge>
        {status !== 'delivered' && lastProblem !== null && (
          <span className="mt-0.5 block max-w-72 text-xs text-ink-soft">{lastProblem.text}</span>
        )}
      </span>
    ),
  },
  {
    id: 'receiver',
    header: strings.receiver,
    cell: ({ origin }) => <span>{origin}</span>,
  },
  { id: 'tries', header: strings.tries, numeric: true, cell: ({ tries }) => numberText(tries) },
  {
    id: 'call',
    header: strings.call,
    deskOnly: true,
    cell: ({ callId }) => <code className="font-mono text-xs">{callId.slice(0, 12)}…</code>,
  },
  { id: 'due', header: strings.due, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const states = Object.entries(strings.states).map(([value, label]) => ({ value, label }));

export const WebhooksScreen = () => {
  const search = route.useSearch();
  const { state, agentId, callId, open } = search;
  const navigate = route.useNavigate();
  const [isTesting, setTesting] = useState(false);
  const agents = useList('agents.list', {});
  const list = useList(
    'webhooks.deliveries',
    {
      query: {
        ...(state === undefined ? {} : { status: state }),
        ...(agentId === undefined ? {} : { agentId }),
        ...(callId === undefined ? {} : { callId }),
      },
    },
    { everyMs: refreshMs, isTold: true, keepsPlace: true },
  );
  const columns = useMemo(() => columnsFor(search), [search]);
  const isFiltered = state !== undefined || agentId !== undefined || callId !== undefined;
  const isNoId = callId !== undefined && isApiError(list.error, 'VALIDATION_ERROR');
  const change = (next: { readonly [Name in keyof WebhooksSearch]: string }): void => {
    const wanted = Object.entries({ ...search, ...next }).filter(([, value]) => value !== '');
    void navigate({ search: Object.fromEntries(wanted), replace: true });
  };
  const opened = list.rows?.find(({ id }) => id === open);
  const { open: _, ...closed } = search;
  const test = (
    <Guarded operation="webhooks.test">
      <Button icon={<Send aria-hidden className="size-4" />} onClick={() => setTesting(true)}>
        {strings.test}
      </Button>
    </Guarded>
  );
  return (
    <Page title={strings.title} intro={strings.intro} actions={test}>
      <FilterBar>
        <SelectFilter
          label={strings.state}
          value={state ?? ''}
          choices={states}
          allLabel={strings.allStates}
          onChange={(next) => change({ state: next })}
        />
        <SelectFilter
          label={strings.agent}
          value={agentId ?? ''}
          choices={(agents.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          allLabel={strings.allAgents}
          onChange={(next) => change({ agentId: next })}
        />
        <SearchFilter
          label={strings.callFilter}
          value={callId ?? ''}
          onChange={(next) => change({ callId: next.trim() })}
        />
      </FilterBar>
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={isNoId ? [] : list.rows}
        rowId={({ id }) => id}
        error={isNoId ? null : list.error}
        retry={() => void list.refresh()}
        hasMore={list.hasMore}
        isLoadingMore={list.isLoadingMore}
        loadMore={list.loadMore}
        follow={list.follow}
        empty={
          isFiltered ? (
            <EmptyState title={strings.nothingFound} />
          ) : (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={test} />
          )
        }
      />
      {opened !== undefined && (
        <DeliveryDialog delivery={opened} onClose={() => void navigate({ search: closed })} />
      )}
      {isTesting && <TestWebhook onClose={() => setTesting(false)} />}
    </Page>
  );
};
