// The outbound calls of the organization.
import type { OutboundCall } from '@parlance/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PhoneOff, PhoneOutgoing, RotateCcw, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { Guarded } from '../../app/permission.js';
import { ButtonLink } from '../../components/button.js';
import { CallStateWithReason } from '../../components/call-status.js';
import { EmptyState } from '../../components/card.js';
import { type Column, DataTable, rowLinkClass } from '../../components/data-table.js';
import { FilterBar, SelectFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { Moment, Money } from '../../components/values.js';
import { useList, useOperation } from '../../data/queries.js';
import { callWords } from '../../strings/call-words.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';
import { calleeOf, useOutboundActions } from './outbound-actions.js';
import { type OutboundSearch, readOutboundSearch } from './outbound-search.js';
import { useAgentNames, useCurrency } from './use-agent-names.js';

const route = getRouteApi('/app/outbound-calls');
const pageSize = 50;

const columnsOf = (
  agentName: (id: string) => string,
  currency: string | undefined,
): readonly Column<OutboundCall>[] => [
  {
    id: 'callee',
    header: strings.callee,
    cell: (call) => (
      <>
        <Link to="/outbound-calls/$outboundId" params={{ outboundId: call.id }} className={rowLinkClass}>
          {call.phoneNumber}
        </Link>
        <span className="block text-xs text-ink-soft">
          <bdi>{call.username ?? strings.modes[call.mode]}</bdi>
        </span>
      </>
    ),
  },
  { id: 'agent', header: strings.agent, cell: ({ agentId }) => agentName(agentId) },
  {
    id: 'state',
    header: strings.state,
    cell: (call) => <CallStateWithReason {...call} />,
  },
  { id: 'placed', header: strings.placed, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'attempts', header: strings.attempts, numeric: true, deskOnly: true, cell: ({ attempt }) => attempt },
  {
    id: 'cost',
    header: strings.cost,
    numeric: true,
    deskOnly: true,
    cell: ({ costMicros }) => (
      <Money micros={currency === undefined ? null : costMicros} currency={currency ?? ''} />
    ),
  },
];

const CallMenu = ({ call, agentName }: { readonly call: OutboundCall; readonly agentName: string }) => {
  const { cancel, retry, remove } = useOutboundActions(call, agentName);
  return (
    <RowMenu
      name={calleeOf(call)}
      items={[
        {
          label: strings.retry,
          icon: <RotateCcw aria-hidden className={menuIcon} />,
          onSelect: retry.run,
          reason: retry.reason,
        },
        {
          label: strings.cancel,
          icon: <PhoneOff aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: cancel.run,
          reason: cancel.reason,
        },
        {
          label: strings.delete,
          icon: <Trash2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: remove.run,
          reason: remove.reason,
        },
      ]}
    />
  );
};

const NewCall = () => (
  <Guarded operation="outboundCalls.quick">
    <ButtonLink
      to="/outbound-calls/new"
      kind="primary"
      icon={<PhoneOutgoing aria-hidden className="size-4" />}
    >
      {strings.newCall}
    </ButtonLink>
  </Guarded>
);

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const Filters = ({
  filters,
  onChange,
}: {
  readonly filters: OutboundSearch;
  readonly onChange: (next: Record<string, unknown>) => void;
}) => {
  const agents = useOperation('agents.list', {});
  const put = (name: keyof OutboundSearch) => (value: string) => onChange({ ...filters, [name]: value });
  return (
    <FilterBar>
      <SelectFilter
        label={strings.agent}
        value={filters.agent ?? ''}
        allLabel={strings.allAgents}
        choices={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={put('agent')}
      />
      <SelectFilter
        label={strings.status}
        value={filters.status ?? ''}
        allLabel={strings.any}
        choices={choicesOf(callWords.status)}
        onChange={put('status')}
      />
      <SelectFilter
        label={strings.mode}
        value={filters.mode ?? ''}
        allLabel={strings.any}
        choices={choicesOf(strings.modes)}
        onChange={put('mode')}
      />
    </FilterBar>
  );
};

export const OutboundCallsScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { agent, ...others } = filters;
  const query = { ...others, ...(agent === undefined ? {} : { agentId: agent }), limit: pageSize };
  const { rows, error, refresh, ...pages } = useList('outboundCalls.list', { query }, { keepsPlace: true });
  const agentName = useAgentNames();
  const currency = useCurrency();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function changes with the names alone
  const columns = useMemo(() => columnsOf(agentName, currency), [agentName(''), currency, rows]);
  return (
    <Page title={strings.title} intro={strings.intro} actions={<NewCall />}>
      <Filters
        filters={filters}
        onChange={(next) => void navigate({ search: readOutboundSearch(next), replace: true })}
      />
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowActions={(call) => <CallMenu call={call} agentName={agentName(call.agentId)} />}
        error={error}
        retry={() => void refresh()}
        {...pages}
        endless
        empty={
          Object.keys(filters).length > 0 ? (
            <EmptyState title={strings.nothingFound} />
          ) : (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<NewCall />} />
          )
        }
      />
    </Page>
  );
};
