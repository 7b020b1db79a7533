// Money spent and put aside, beside the limits of the operator.
import type { Spend } from '@parlance/client';
import { lazy, Suspense, useMemo } from 'react';
import { Answered } from '../../components/answered.js';
import { Card } from '../../components/card.js';
import { Loading, Progress } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { moneyText } from '../../strings/format.js';
import { overviewStrings as strings } from '../../strings/overview.js';

const Chart = lazy(async () => ({ default: (await import('../../components/chart.js')).Chart }));

const Envelope = ({
  name,
  part,
  counted = part,
  limitMicros,
  currency,
}: {
  readonly name: string;
  readonly part: Spend['day'];
  /** The amount that counts against the limit. Its days are those of UTC. */
  readonly counted?: Spend['day'] | undefined;
  readonly limitMicros: number | null;
  readonly currency: string;
}) => {
  const used = counted.spentMicros + counted.reservedMicros;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-ink-soft">{name}</p>
      <p>
        <span className="text-xl font-semibold tabular-nums">{moneyText(part.spentMicros, currency)}</span>{' '}
        <span className="text-ink-soft">
          {limitMicros === null ? strings.noLimit : strings.limitOf(moneyText(limitMicros, currency))}
        </span>
      </p>
      {limitMicros !== null && <Progress name={name} value={used} max={limitMicros} />}
      <p className="text-xs text-ink-soft">{strings.reserved(moneyText(part.reservedMicros, currency))}</p>
    </div>
  );
};

const Days = ({ spend: { byDay, currency } }: { readonly spend: Spend }) => {
  const moments = useMemo(() => byDay.map(({ date }) => date), [byDay]);
  const series = useMemo(
    () => [
      {
        name: strings.spent,
        values: byDay.map(({ callsMicros, numbersMicros }) => callsMicros + numbersMicros),
      },
    ],
    [byDay],
  );
  return (
    <Suspense fallback={<Loading />}>
      <Chart
        name={strings.spendChart}
        moments={moments}
        series={series}
        momentLabel={(date) => date.slice(5)}
        valueLabel={(value) => moneyText(value, currency)}
        height={140}
      />
    </Suspense>
  );
};

export const SpendCard = () => {
  const spend = useOperation('spend.get', { query: {} });
  return (
    <Card title={strings.spend}>
      <Answered query={spend}>
        {(data) => (
          <div className="flex flex-col gap-5">
            <div className="grid gap-5 sm:grid-cols-2">
              <Envelope
                name={strings.today}
                part={data.day}
                counted={data.limits.day}
                limitMicros={data.limits.dayMicros}
                currency={data.currency}
              />
              <Envelope
                name={strings.month}
                part={data.month}
                counted={data.limits.month}
                limitMicros={data.limits.monthMicros}
                currency={data.currency}
              />
            </div>
            {data.byDay.some(({ callsMicros, numbersMicros }) => callsMicros + numbersMicros > 0) && (
              <Days spend={data} />
            )}
          </div>
        )}
      </Answered>
    </Card>
  );
};
