// The call log.
import type { CallLog } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { useTimeZone } from '../../app/session.js';
import { ButtonLink } from '../../components/button.js';
import { CallStateWithReason } from '../../components/call-status.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { Duration, Moment, Money } from '../../components/values.js';
import { useList } from '../../data/queries.js';
import { callStrings as strings } from '../../strings/calls.js';
import { CallLink } from './call-link.js';
import { CallsFilters } from './calls-filters.js';
import { isBackwards, queryOf, readCallsSearch } from './calls-search.js';
import { ExportCalls } from './export-calls.js';
import { PlaceCall } from './place-call.js';

const route = getRouteApi('/app/calls');
const pageSize = 50;
const msOfSecond = 1_000;

const columns: readonly Column<CallLog>[] = [
  {
    id: 'party',
    header: strings.party,
    cell: (call) => <CallLink callId={call.id} call={call} />,
  },
  { id: 'agent', header: strings.agent, cell: ({ agentName }) => agentName },
  {
    id: 'state',
    header: strings.state,
    cell: (call) => <CallStateWithReason {...call} />,
  },
  { id: 'when', header: strings.when, cell: ({ startedAt }) => <Moment at={startedAt} /> },
  {
    id: 'duration',
    header: strings.duration,
    numeric: true,
    cell: ({ durationSeconds }) => (
      <Duration ms={durationSeconds === null ? null : durationSeconds * msOfSecond} />
    ),
  },
  {
    id: 'cost',
    header: strings.cost,
    numeric: true,
    deskOnly: true,
    cell: ({ cost }) => <Money micros={cost?.totalMicros ?? null} currency={cost?.currency ?? 'USD'} />,
  },
];

export const CallsScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = useTimeZone();
  const isAskable = !isBackwards(filters);
  const { rows, error, refresh, ...pages } = useList(
    'calls.list',
    { query: { ...queryOf(filters, timeZone), limit: pageSize } },
    { enabled: isAskable, keepsPlace: true },
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={strings.title}
      intro={strings.intro}
      actions={
        <>
          <ButtonLink to="/live-calls" icon={<Radio aria-hidden className="size-4" />}>
            {strings.toLive}
          </ButtonLink>
          <ExportCalls filters={filters} />
          <PlaceCall />
        </>
      }
    >
      <CallsFilters
        filters={filters}
        onChange={(next) => void navigate({ search: readCallsSearch(next), replace: true })}
      />
      {isAskable && (
        <DataTable
          caption={strings.caption}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          error={error}
          retry={() => void refresh()}
          {...pages}
          endless
          empty={
            isFiltered ? (
              <EmptyState title={strings.nothingFound} />
            ) : (
              <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<PlaceCall />} />
            )
          }
        />
      )}
    </Page>
  );
};
