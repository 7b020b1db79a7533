// The spending, day by day and campaign by campaign, beside its limits.
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTimeZone } from '../../app/session.js';
import { Answered } from '../../components/answered.js';
import { Card, Facts, StatTile } from '../../components/card.js';
import { Chart } from '../../components/chart.js';
import { Page } from '../../components/page.js';
import { now } from '../../data/clock.js';
import { useOperation } from '../../data/queries.js';
import type { DataOf } from '../../data/types.js';
import { moneyText, numberText } from '../../strings/format.js';
import { spendStrings as strings } from '../../strings/spend.js';
import { BudgetCard } from './budget-card.js';
import { CampaignsTable } from './campaigns-table.js';
import { daysOf, type RangeDays, rangeOf, ranges } from './range.js';

const route = getRouteApi('/app/spend');
const usualDays: RangeDays = 30;

type Spend = DataOf<'spend.get'>;

const Tiles = ({ spend, days }: { readonly spend: Spend; readonly days: RangeDays }) => {
  const { currency, limits, day, month, byDay } = spend;
  const money = (micros: number): string => moneyText(micros, currency);
  const remark = ({ reservedMicros }: Spend['day'], limit: number | null) => (
    <>
      {reservedMicros > 0 ? strings.reserved(money(reservedMicros)) : strings.noneReserved}
      <br />
      {limit === null ? strings.noLimit : strings.ofLimit(money(limit))}
    </>
  );
  const calls = byDay.reduce((sum, { callsMicros }) => sum + callsMicros, 0);
  const numbers = byDay.reduce((sum, { numbersMicros }) => sum + numbersMicros, 0);
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <StatTile
        name={strings.today}
        value={money(day.spentMicros)}
        remark={remark(limits.day ?? day, limits.dayMicros)}
      />
      <StatTile
        name={strings.month}
        value={money(month.spentMicros)}
        remark={remark(limits.month ?? month, limits.monthMicros)}
      />
      <StatTile
        name={strings.inRange(days)}
        value={money(calls + numbers)}
        remark={
          <>
            {strings.calls}: {money(calls)}
            <br />
            {strings.numbers}: {money(numbers)}
          </>
        }
      />
    </div>
  );
};

const Days = ({ spend: { byDay, currency } }: { readonly spend: Spend }) => {
  const moments = useMemo(() => byDay.map(({ date }) => date), [byDay]);
  const series = useMemo(
    () => [
      { name: strings.calls, values: byDay.map(({ callsMicros }) => callsMicros) },
      {
        name: strings.numbers,
        values: byDay.map(({ numbersMicros }) => numbersMicros),
        color: 'warn' as const,
      },
    ],
    [byDay],
  );
  const isEmpty = byDay.every(({ callsMicros, numbersMicros }) => callsMicros + numbersMicros === 0);
  return (
    <Card title={strings.byDay}>
      {isEmpty ? (
        <p className="text-ink-soft">{strings.nothingYet}</p>
      ) : (
        <Chart
          name={strings.byDayChart}
          kind="lines"
          moments={moments}
          series={series}
          momentLabel={(date) => date.slice(5)}
          valueLabel={(micros) => moneyText(micros, currency)}
        />
      )}
    </Card>
  );
};

const hours = (window: Spend['limits']['callingWindow']): string =>
  window == null ? strings.unlimited : `${window.start}–${window.end}`;

const Limits = ({ spend: { limits, currency } }: { readonly spend: Spend }) => {
  const money = (micros: number | null): string =>
    micros === null ? strings.unlimited : moneyText(micros, currency);
  const count = (most: number | null): string => (most === null ? strings.unlimited : numberText(most));
  return (
    <Card title={strings.limits}>
      <Facts
        facts={[
          { name: strings.limitDay, value: money(limits.dayMicros) },
          { name: strings.limitMonth, value: money(limits.monthMicros) },
          { name: strings.limitNumbers, value: count(limits.numbers) },
          { name: strings.limitCalls, value: count(limits.concurrentCalls) },
          { name: strings.limitCountries, value: limits.countries?.join(', ') ?? strings.unlimited },
          { name: strings.limitHours, value: hours(limits.callingWindow) },
          { name: strings.limitAttempts, value: count(limits.dailyAttempts ?? null) },
        ]}
      />
    </Card>
  );
};

export const SpendScreen = () => {
  const { days = usualDays } = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = useTimeZone();
  const query = useOperation('spend.get', { query: daysOf(days, timeZone, now()) }, { keepsPrevious: true });
  return (
    <Page
      title={strings.title}
      intro={strings.intro}
      actions={
        <label className="flex items-center gap-2">
          <span className="text-ink-soft">{strings.range}</span>
          <select
            className="input w-auto"
            value={String(days)}
            onChange={({ target }) => {
              const next = rangeOf(target.value);
              void navigate({ search: next === undefined ? {} : { days: next }, replace: true });
            }}
          >
            {ranges.map((one) => (
              <option key={one} value={String(one)}>
                {strings.ranges[`${one}`]}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <Answered query={query}>
        {(spend) => (
          <>
            <Tiles spend={spend} days={days} />
            <Days spend={spend} />
            <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
              <BudgetCard currency={spend.currency} />
              <Limits spend={spend} />
            </div>
            <CampaignsTable spend={spend} />
          </>
        )}
      </Answered>
    </Page>
  );
};
