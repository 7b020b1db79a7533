// A number is found at a provider, and bought for the price of its quote.
import type { NumberSearchResult } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { Guarded, useCan } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { confirmThat } from '../../components/confirm.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { countryName } from '../../components/countries.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useNow } from '../../components/use-now.js';
import { useCommand } from '../../data/commands.js';
import { useOperation } from '../../data/queries.js';
import { numberStrings as strings } from '../../strings/numbers.js';
import { type NumberSearch, quoteLeft, quotePriceText } from './number-search.js';
import { SearchForm } from './search-form.js';

const route = getRouteApi('/app/numbers/buy');
const most = 20;
const tickMs = 1_000;

const priceOf = ({ monthlyPriceMicros, currency }: NumberSearchResult): string =>
  quotePriceText(monthlyPriceMicros, currency);

const Countdown = ({ expiresAt }: { readonly expiresAt: string }) => {
  const left = quoteLeft(expiresAt, useNow(tickMs));
  return (
    <span className={left === undefined ? 'font-medium text-danger' : 'tabular-nums'}>
      {left === undefined ? strings.quoteOver : strings.quoteLeft(left)}
    </span>
  );
};

const Buy = ({
  found,
  provider,
}: {
  readonly found: NumberSearchResult;
  readonly provider: NonNullable<NumberSearch['provider']>;
}) => {
  const { phoneNumber, quoteId, quoteExpiresAt } = found;
  const buy = useCommand('numbers.buy');
  const navigate = route.useNavigate();
  const isOver = quoteLeft(quoteExpiresAt, useNow(tickMs)) === undefined;
  const price = priceOf(found);
  const ask = (): void =>
    confirmThat({
      title: strings.confirmTitle(phoneNumber, price),
      text: strings.confirmText(price, strings.providers[provider]),
      action: strings.confirmAction(price),
      danger: false,
      wish: buy.wish({ body: { provider, phoneNumber, quoteId } }),
      done: async ({ data }) => {
        await navigate({ to: '/numbers' });
        toast.done(data.status === 'active' ? strings.done(phoneNumber) : strings.doneSoon(phoneNumber));
      },
    });
  return (
    <Guarded operation="numbers.buy" reason={isOver ? strings.quoteOver : undefined}>
      <Button aria-label={strings.buyThis(phoneNumber)} onClick={ask}>
        {strings.buyAction}
      </Button>
    </Guarded>
  );
};

const columns: readonly Column<NumberSearchResult>[] = [
  {
    id: 'number',
    header: strings.number,
    sortBy: ({ phoneNumber }) => phoneNumber,
    cell: ({ phoneNumber }) => <span className="font-medium tabular-nums">{phoneNumber}</span>,
  },
  {
    id: 'place',
    header: strings.place,
    cell: ({ locality, region, isoCountry }) =>
      [locality, region, isoCountry === undefined ? undefined : countryName(isoCountry)]
        .filter(Boolean)
        .join(', '),
  },
  {
    id: 'price',
    header: strings.price,
    numeric: true,
    sortBy: ({ monthlyPriceMicros }) => monthlyPriceMicros,
    cell: priceOf,
  },
  {
    id: 'quote',
    header: strings.quote,
    cell: ({ quoteExpiresAt }) => <Countdown expiresAt={quoteExpiresAt} />,
  },
];

const Results = ({
  provider,
  country,
  areaCode,
}: Required<Omit<NumberSearch, 'areaCode'>> & NumberSearch) => {
  const parts = {
    query: { provider, country, ...(areaCode === undefined ? {} : { areaCode }), limit: most },
  };
  const query = useOperation('numbers.search', parts, { once: true });
  const isOver =
    useNow(tickMs) > Math.min(...(query.data ?? []).map(({ quoteExpiresAt }) => Date.parse(quoteExpiresAt)));
  return (
    <>
      {isOver && (
        <Notice tone="attention">
          <p className="mb-2">{strings.quotesOver}</p>
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            {strings.searchAgain}
          </Button>
        </Notice>
      )}
      <DataTable
        caption={strings.foundCaption}
        columns={columns}
        rows={query.data}
        rowId={({ phoneNumber }) => phoneNumber}
        rowActions={(found) => <Buy found={found} provider={provider} />}
        error={query.error}
        retry={() => void query.refetch()}
        empty={<EmptyState title={strings.noneTitle} text={strings.noneText} />}
      />
      <div className="flex justify-end">
        <CopyAsCurl operation="numbers.search" parts={parts} />
      </div>
    </>
  );
};

export const BuyNumberScreen = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { provider, country } = search;
  const verdict = useCan('numbers.search');
  return (
    <Page title={strings.buyTitle} intro={strings.buyIntro} back={{ to: '/numbers', label: strings.back }}>
      <SearchForm
        key={JSON.stringify(search)}
        search={search}
        onSearch={(next) => void navigate({ search: next })}
      />
      {!verdict.allowed && <Notice tone="attention">{verdict.reason}</Notice>}
      {verdict.allowed && (provider === undefined || country === undefined) && (
        <EmptyState title={strings.startTitle} text={strings.startText} />
      )}
      {verdict.allowed && provider !== undefined && country !== undefined && (
        <Results {...search} provider={provider} country={country} />
      )}
    </Page>
  );
};
