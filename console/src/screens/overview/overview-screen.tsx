// The calls of the organization in figures, and their cost.
import type { DashboardSummary } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { Card, EmptyState, StatTile } from '../../components/card.js';
import { SelectFilter } from '../../components/filters.js';
import { Page } from '../../components/page.js';
import { Loading } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { componentStrings } from '../../strings/components.js';
import { durationText, moneyText, numberText, shareText } from '../../strings/format.js';
import { overviewStrings as strings } from '../../strings/overview.js';
import { useFirstSteps } from './first-steps.js';
import { FirstStepsCard } from './first-steps-card.js';
import type { Range } from './routes.js';
import { AgentShares, OutcomeShares } from './shares.js';
import { SpendCard } from './spend-card.js';

const Chart = lazy(async () => ({ default: (await import('../../components/chart.js')).Chart }));

const route = getRouteApi('/app/');
const liveEveryMs = 30_000;
const choices = Object.entries(strings.ranges).map(([value, label]) => ({ value, label }));

const orNone = <Value,>(value: Value | null, text: (value: Value) => string): string =>
  value === null ? componentStrings.none : text(value);
const secondsText = (seconds: number): string => durationText(seconds * 1_000);

const Tiles = ({ summary: { kpis, previous } }: { readonly summary: DashboardSummary }) => (
  <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
    <StatTile
      name={strings.calls}
      value={numberText(kpis.totalCalls)}
      remark={strings.before(numberText(previous.totalCalls))}
    />
    <StatTile
      name={strings.answerRate}
      value={orNone(kpis.answerRate, shareText)}
      remark={strings.before(orNone(previous.answerRate, shareText))}
    />
    <StatTile
      name={strings.duration}
      value={orNone(kpis.averageDurationSeconds, secondsText)}
      remark={strings.before(orNone(previous.averageDurationSeconds, secondsText))}
    />
    <StatTile
      name={strings.cost}
      value={moneyText(kpis.totalCostMicros, kpis.currency)}
      remark={strings.before(moneyText(previous.totalCostMicros, kpis.currency))}
    />
    <StatTile
      name={strings.live}
      value={numberText(kpis.liveCalls)}
      remark={strings.peak(kpis.peakConcurrency)}
    />
  </div>
);

const Timeline = ({ summary: { timeline, bucket, timezone } }: { readonly summary: DashboardSummary }) => {
  const format = useMemo(
    () =>
      new Intl.DateTimeFormat('en', {
        timeZone: timezone,
        ...(bucket === 'hour'
          ? ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
          : ({ month: 'short', day: 'numeric' } as const)),
      }),
    [timezone, bucket],
  );
  const moments = useMemo(() => timeline.map(({ at }) => at), [timeline]);
  const series = useMemo(
    () => [
      { name: strings.calls, values: timeline.map(({ calls }) => calls), color: 'ink-soft' as const },
      { name: strings.answered, values: timeline.map(({ answered }) => answered) },
    ],
    [timeline],
  );
  return (
    <Card title={strings.timeline}>
      <Suspense fallback={<Loading />}>
        <Chart
          name={strings.timeline}
          kind="lines"
          moments={moments}
          series={series}
          momentLabel={(moment) => format.format(new Date(moment))}
        />
      </Suspense>
      <p className="mt-2 text-xs text-ink-soft">{strings.timelineIn(timezone)}</p>
    </Card>
  );
};

const NoCalls = () => (
  <EmptyState
    title={strings.noCalls}
    text={strings.noCallsText}
    action={<ButtonLink to="/agents">{strings.toAgents}</ButtonLink>}
  />
);

const Summary = ({
  summary,
  isNew,
}: {
  readonly summary: DashboardSummary;
  /** The first steps stand above and say what to do. */
  readonly isNew: boolean;
}) => {
  const { latency } = summary;
  const hasCalls = summary.kpis.totalCalls > 0;
  return (
    <>
      <Tiles summary={summary} />
      {!hasCalls && !isNew && <NoCalls />}
      {hasCalls && (
        <>
          <Timeline summary={summary} />
          <div className="grid gap-5 lg:grid-cols-2">
            <OutcomeShares summary={summary} />
            <AgentShares summary={summary} />
          </div>
        </>
      )}
      {latency.e2eP50Ms !== null && latency.e2eP95Ms !== null && (
        <p className="text-ink-soft">
          {strings.latency}: {strings.latencyOf(Math.round(latency.e2eP50Ms), Math.round(latency.e2eP95Ms))}
        </p>
      )}
    </>
  );
};

export const OverviewScreen = () => {
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const summary = useOperation(
    'dashboard.summary',
    { query: { range } },
    { keepsPrevious: true, everyMs: liveEveryMs },
  );
  const firstSteps = useFirstSteps();
  return (
    <Page
      title={strings.title}
      actions={
        <SelectFilter
          label={strings.range}
          value={range}
          choices={choices}
          onChange={(next) => void navigate({ search: { range: next as Range }, replace: true })} // one of the choices
        />
      }
    >
      {firstSteps && <FirstStepsCard {...firstSteps} />}
      <Answered query={summary}>
        {(data) => <Summary summary={data} isNew={firstSteps !== undefined} />}
      </Answered>
      <SpendCard />
    </Page>
  );
};
