// The telephone numbers of the organization.
import type { PhoneNumber } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { Bot, Plus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Guarded, useCan } from '../../app/permission.js';
import { reasonOf } from '../../app/permission-rules.js';
import { ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { countryName } from '../../components/countries.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { SearchFilter } from '../../components/filters.js';
import { menuIcon, RowMenu } from '../../components/menu.js';
import { Page } from '../../components/page.js';
import { StatusBadge, type Tone } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { Moment, Money } from '../../components/values.js';
import { useCommand } from '../../data/commands.js';
import { useList } from '../../data/queries.js';
import { numberStrings as strings } from '../../strings/numbers.js';
import { AssignNumber } from './assign-number.js';

const route = getRouteApi('/app/numbers');
const refreshMs = 5_000;

const tones: Readonly<Record<PhoneNumber['status'], Tone>> = {
  provisioning: 'accent',
  active: 'good',
  releasing: 'attention',
  released: 'neutral',
  failed: 'bad',
};

const columns: readonly Column<PhoneNumber>[] = [
  {
    id: 'number',
    header: strings.number,
    sortBy: ({ phoneNumber }) => phoneNumber,
    cell: ({ phoneNumber, isoCountry, locality, provider }) => (
      <span>
        <span className="font-medium tabular-nums">{phoneNumber}</span>
        <span className="block text-xs text-ink-soft">
          {[locality, countryName(isoCountry), strings.providers[provider]].filter(Boolean).join(', ')}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: strings.state,
    sortBy: ({ status }) => status,
    cell: ({ status }) => (
      <span>
        <StatusBadge tone={tones[status]}>{strings.states[status]}</StatusBadge>
        {strings.stateHints[status] !== undefined && (
          <span className="mt-0.5 block max-w-64 text-xs text-ink-soft">{strings.stateHints[status]}</span>
        )}
      </span>
    ),
  },
  {
    id: 'agent',
    header: strings.agent,
    sortBy: ({ agentName }) => agentName?.toLowerCase() ?? null,
    cell: ({ agentName }) =>
      agentName === null ? <span className="text-ink-soft">{strings.nobody}</span> : <bdi>{agentName}</bdi>,
  },
  {
    id: 'price',
    header: strings.price,
    numeric: true,
    sortBy: ({ monthlyPriceMicros }) => monthlyPriceMicros,
    cell: ({ monthlyPriceMicros, currency }) => <Money micros={monthlyPriceMicros} currency={currency} />,
  },
  {
    id: 'bought',
    header: strings.bought,
    deskOnly: true,
    sortBy: ({ purchasedAt }) => purchasedAt,
    cell: ({ purchasedAt }) => <Moment at={purchasedAt} />,
  },
];

const NumberMenu = ({
  number,
  onAssign,
}: {
  readonly number: PhoneNumber;
  readonly onAssign: () => void;
}) => {
  const { id, phoneNumber, agentName, status } = number;
  // The agent that answered the number is a part of the agents' own list.
  const release = useCommand('numbers.release', { invalidates: ['numbers.', 'agents.'] });
  const mayAssign = useCan('numbers.assign');
  const mayRelease = useCan('numbers.release');
  const askToRelease = (): void =>
    confirmThat({
      title: strings.releaseTitle(phoneNumber),
      text: strings.releaseText(agentName),
      action: strings.release,
      wish: release.wish({ params: { phId: id } }),
      done: () => toast.done(strings.released(phoneNumber)),
    });
  if (status === 'failed' || status === 'released') return null;
  const hint = status === 'active' ? undefined : strings.stateHints[status];
  return (
    <RowMenu
      name={phoneNumber}
      items={[
        {
          label: strings.assign,
          icon: <Bot aria-hidden className={menuIcon} />,
          onSelect: onAssign,
          reason: reasonOf(mayAssign, hint),
        },
        {
          label: strings.release,
          icon: <Undo2 aria-hidden className={menuIcon} />,
          danger: true,
          onSelect: askToRelease,
          reason: mayRelease.allowed ? (status === 'provisioning' ? hint : undefined) : mayRelease.reason,
        },
      ]}
    />
  );
};

const BuyLink = () => (
  <Guarded operation="numbers.buy">
    <ButtonLink to="/numbers/buy" kind="primary" icon={<Plus aria-hidden className="size-4" />}>
      {strings.buy}
    </ButtonLink>
  </Guarded>
);

export const NumbersScreen = () => {
  const { find = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows, error, refresh } = useList('numbers.list', {}, { everyMs: refreshMs });
  const [assigned, setAssigned] = useState<PhoneNumber>();
  const needle = find.toLowerCase();
  const found = rows?.filter(
    ({ phoneNumber, agentName }) =>
      phoneNumber.includes(needle) || (agentName?.toLowerCase().includes(needle) ?? false),
  );
  const isEmpty = rows?.length === 0;
  return (
    <Page title={strings.title} intro={strings.intro} actions={<BuyLink />}>
      {!isEmpty && (
        <SearchFilter
          label={strings.search}
          value={find}
          onChange={(next) => void navigate({ search: next === '' ? {} : { find: next }, replace: true })}
        />
      )}
      <DataTable
        caption={strings.caption}
        columns={columns}
        rows={found}
        rowId={({ id }) => id}
        rowActions={(number) => <NumberMenu number={number} onAssign={() => setAssigned(number)} />}
        error={error}
        retry={() => void refresh()}
        empty={
          isEmpty ? (
            <EmptyState title={strings.emptyTitle} text={strings.emptyText} action={<BuyLink />} />
          ) : (
            <EmptyState title={strings.nothingFound} />
          )
        }
      />
      {assigned !== undefined && <AssignNumber number={assigned} onClose={() => setAssigned(undefined)} />}
    </Page>
  );
};
