// The outcomes of a campaign, hour by hour, by the organization's clock.
import type { CampaignOutcomes } from '@parlance/client';
import { lazy, Suspense, useMemo } from 'react';
import { Answered } from '../../components/answered.js';
import { Card } from '../../components/card.js';
import { cx } from '../../components/cx.js';
import { Loading } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { everyHour, groupsOf } from './hours.js';

const Chart = lazy(async () => ({ default: (await import('../../components/chart.js')).Chart }));

const dots = { ok: 'bg-ok', accent: 'bg-accent', warn: 'bg-warn', danger: 'bg-danger' } as const;
const dayHours = 24;

const Hours = ({ outcomes: { hours, timezone, complete } }: { readonly outcomes: CampaignOutcomes }) => {
  const shown = useMemo(() => everyHour(hours), [hours]);
  const moments = useMemo(() => shown.map(({ at }) => at), [shown]);
  const groups = useMemo(() => groupsOf(shown), [shown]);
  const format = useMemo(
    () =>
      new Intl.DateTimeFormat('en', {
        ...{ timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
        ...(shown.length > dayHours && ({ month: 'short', day: 'numeric' } as const)),
      }),
    [timezone, shown.length],
  );
  if (shown.length === 0) return <p className="text-ink-soft">{strings.noHours}</p>;
  return (
    <>
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
        {groups.map(({ name, color }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={cx('size-2.5 rounded-full', dots[color])} />
            {name}
          </li>
        ))}
      </ul>
      <Suspense fallback={<Loading />}>
        <Chart
          name={strings.byHourCaption}
          kind="lines"
          moments={moments}
          series={groups}
          momentLabel={(moment) => format.format(new Date(moment))}
        />
      </Suspense>
      <p className="mt-2 text-xs text-ink-soft">
        {strings.byHourIn(timezone)} {!complete && strings.byHourPart}
      </p>
    </>
  );
};

export const OutcomesByHour = ({
  campaignId,
  everyMs,
}: {
  readonly campaignId: string;
  readonly everyMs: number | undefined;
}) => {
  const query = useOperation(
    'outboundCalls.batchOutcomes',
    { params: { campaignId } },
    { keepsPrevious: true, ...(everyMs === undefined ? {} : { everyMs }) },
  );
  return (
    <Card title={strings.byHour}>
      <Answered query={query}>{(outcomes) => <Hours outcomes={outcomes} />}</Answered>
    </Card>
  );
};
