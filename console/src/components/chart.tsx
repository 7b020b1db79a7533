// A chart over time, and the same numbers as a table beside it.
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { componentStrings as strings } from '../strings/components.js';
import { cx } from './cx.js';

export interface Series {
  readonly name: string;
  /** One value for each moment; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Of the tokens; the accent unless said. */
  readonly color?: 'accent' | 'ok' | 'warn' | 'danger' | 'ink-soft';
}

export interface ChartProps {
  /** Name of the chart, for screen readers and as the caption of the table. */
  readonly name: string;
  /** ISO 8601, ascending. */
  readonly moments: readonly string[];
  readonly series: readonly Series[];
  readonly kind?: 'bars' | 'lines';
  /** Writes a moment in the table and below the chart. */
  readonly momentLabel: (moment: string) => string;
  readonly valueLabel?: (value: number) => string;
  readonly height?: number;
}

const dotClasses: Readonly<Record<NonNullable<Series['color']>, string>> = {
  accent: 'bg-accent',
  ok: 'bg-ok',
  warn: 'bg-warn',
  danger: 'bg-danger',
  'ink-soft': 'bg-ink-soft',
};

const colorOf = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();

/** A canvas knows no variables and no light-dark(): the browser resolves the color on an element. */
const resolved = (token: string, host: HTMLElement): string => {
  const probe = document.createElement('span');
  probe.style.color = colorOf(token) === '' ? 'currentColor' : `var(--${token})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const optionsOf = (props: ChartProps, host: HTMLElement): UPlot.Options => {
  const { moments, series, kind = 'bars', momentLabel, valueLabel = String, height = 180 } = props;
  const soft = resolved('ink-soft', host);
  const line = resolved('line', host);
  const bars = UPlot.paths.bars?.({ size: [0.7, 40] });
  return {
    ...{ width: host.clientWidth, height },
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.5, moments.length - 0.5] },
      y: { range: (_u, _min, max) => [0, Math.max(max, 1)] },
    },
    axes: [
      {
        stroke: soft,
        grid: { show: false },
        ticks: { show: false },
        values: (_u, at) =>
          at.map((index) => (moments[index] === undefined ? '' : momentLabel(moments[index]))),
        incrs: [1, 2, 3, 6, 12, 24, 48],
        size: 30,
        space: 80,
      },
      {
        stroke: soft,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_u, at) => at.map((value) => (Number.isInteger(value) ? valueLabel(value) : '')),
        size: 56,
      },
    ],
    series: [
      {},
      ...series.map(({ name, color = 'accent' }) => {
        const stroke = resolved(color, host);
        return kind === 'bars' && bars !== undefined
          ? { label: name, stroke, fill: stroke, width: 0, paths: bars, points: { show: false } }
          : { label: name, stroke, width: 2, points: { show: moments.length < 40 } };
      }),
    ],
  };
};

const Drawing = (props: ChartProps) => {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew when the numbers change; functions come from `latest`
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let plot: UPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const { moments, series } = latest.current;
      const data = [moments.map((_, index) => index), ...series.map(({ values }) => [...values])];
      plot = new UPlot(optionsOf(latest.current, element), data as UPlot.AlignedData, element); // one list for each series
    };
    const following = new ResizeObserver(() => draw());
    following.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      following.disconnect();
      scheme.removeEventListener('change', draw);
      theme.disconnect();
      plot?.destroy();
    };
  }, [props.moments, props.series, props.kind]);
  return <div ref={host} aria-hidden className="w-full overflow-hidden" />;
};

export const Chart = (props: ChartProps) => {
  const { name, moments, series, momentLabel, valueLabel = String } = props;
  return (
    <figure className="flex flex-col gap-2">
      {series.length > 1 && (
        <ul aria-hidden className="flex flex-wrap justify-end gap-x-4 text-xs text-ink-soft">
          {series.map(({ name: of, color = 'accent' }) => (
            <li key={of} className="flex items-center gap-1.5">
              <span className={cx('size-2 rounded-full', dotClasses[color])} />
              {of}
            </li>
          ))}
        </ul>
      )}
      <Drawing {...props} />
      <details>
        <summary className="w-fit text-xs text-ink-soft">{strings.showTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys */}
        <section aria-label={strings.tableOf(name)} tabIndex={0} className="mt-2 max-h-72 overflow-auto">
          <table className="w-full text-left text-xs">
            <caption className="sr-only">{name}</caption>
            <thead>
              <tr>
                <th scope="col" className="py-1 pr-4 font-medium text-ink-soft">
                  {strings.moment}
                </th>
                {series.map((one) => (
                  <th key={one.name} scope="col" className="py-1 pr-4 text-right font-medium text-ink-soft">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {moments.map((moment, index) => (
                <tr key={moment} className="border-t border-line">
                  <th scope="row" className="py-1 pr-4 font-normal">
                    {momentLabel(moment)}
                  </th>
                  {series.map(({ name: of, values }) => (
                    <td key={of} className="py-1 pr-4 text-right tabular-nums">
                      {typeof values[index] === 'number' ? valueLabel(values[index]) : strings.none}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
};
