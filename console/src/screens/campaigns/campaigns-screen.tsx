// The campaigns of the organization.
import type { BatchCampaign } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { Guarded } from '../../app/permission.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { FilterBar, SearchFilter, SelectFilter } from '../../components/filters.js';
import { Page } from '../../components/page.js';
import { Progress, StatusBadge } from '../../components/status.js';
import { Moment, Money } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { numberText } from '../../strings/format.js';
import { openPeople, toneOf } from './campaign-words.js';
import { useCurrency } from './use-currency.js';

const route = getRouteApi('/app/campaigns');
const refreshMs = 5_000;

const columnsFor = (currency: string): readonly Column<BatchCampaign>[] => [
  {
    id: 'name',
    header: strings.name,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }} className={rowLinkClass}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: ({ status }) => status,
    cell: ({ status }) => <StatusBadge tone={toneOf[status]}>{strings.states[status]}</StatusBadge>,
  },
  {
    id: 'progress',
    header: strings.progress,
    sortBy: ({ progress }) => progress.percent,
    cell: ({ name, progress }) => (
      <div className="flex min-w-32 flex-col gap-1">
        <span className="tabular-nums">
          {strings.settled(numberText(progress.total - openPeople(progress)), numberText(progress.total))}
        </span>
        <Progress name={strings.progressOf(name)} value={progress.percent} max={100} />
      </div>
    ),
  },
  {
    id: 'agent',
    header: strings.agent,
    deskOnly: true,
    sortBy: ({ agentName }) => agentName.toLowerCase(),
    cell: ({ agentName }) => <bdi>{agentName}</bdi>,
  },
  {
    id: 'cost',
    header: strings.cost,
    numeric: true,
    sortBy: ({ costMicros }) => costMicros,
    cell: ({ costMicros }) => <Money micros={costMicros} currency={currency} />,
  },
  {
    id: 'created',
    header: strings.created,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const NewCampaignLink = () => (
  <Guarded operation="outboundCalls.createBatch">
    <ButtonLink to="/campaigns/new" kind="primary" icon={<Plus aria-hidden className="size-4" />}>
      {strings.create}
    </ButtonLink>
  </Guarded>
);

const states = Object.entries(strings.states).map(([value, label]) => ({ value, label }));

export const CampaignsScreen = () => {
  const search = route.useSearch();
  const { name = '', state = '' } = search;
  const navigate = route.useNavigate();
  const { rows, error, refresh } = useList('outboundCalls.listBatches', {}, { everyMs: refreshMs });
  const currency = useCurrency();
  const columns = useMemo(() => columnsFor(currency), [currency]);
  const found = rows?.filter(
    (campaign) =>
      campaign.name.toLowerCase().includes(name.toLowerCase()) && (state === '' || campaign.status === state),
  );
  const isEmpty = rows?.length === 0;
  const change = (next: Partial<Record<'name' | 'state', string>>): void => {
    const wanted = { name, state, ...next };
    void navigate({
      search: {
        ...(wanted.name === '' ? {} : { name: wanted.name }),
        ...(wanted.state === '' ? {} : { state: wanted.state }),
      },
      replace: true,
    });
  };
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewCampaignLink />}>
      {!isEmpty && (
        <FilterBar>
          <SearchFilter label={strings.search} value={name} onChange={(next) => change({ name: next })} />
          <SelectFilter
            label={strings.state}
            value={state}
            choices={states}
            allLabel={strings.allStates}
            onChange={(next) => change({ state: next })}
          />
        </FilterBar>
      )}
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={found}
        rowId={({ id }) => id}
        error={error}
        retry={() => void refresh()}
        empty={
          isEmpty ? (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewCampaignLink />} />
          ) : (
            <EmptyState title={strings.nothingFound} />
          )
        }
      />
    </Page>
  );
};
