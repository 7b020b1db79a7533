// Names of series as queries write them. Each comes from a row of the catalogue, so a query cannot name a missing
// series.
import { type InstrumentDefinition, prometheusLabel, prometheusName } from '@parlance/metrics';

/** Label values by the label's name in the catalogue; `~` in front of a value makes it a regular expression. */
export type Where<T extends InstrumentDefinition> = { readonly [Name in keyof T['labels']]?: string };

const selector = (where: Readonly<Record<string, string | undefined>>): string => {
  const matchers = Object.entries(where).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const label = prometheusLabel(name);
    if (value.startsWith('!~')) return [`${label}!~"${value.slice(2)}"`];
    return value.startsWith('~') ? [`${label}=~"${value.slice(1)}"`] : [`${label}="${value}"`];
  });
  return matchers.length === 0 ? '' : `{${matchers.join(',')}}`;
};

const nameOf = ({ name, unit, kind }: InstrumentDefinition): string => prometheusName(name, unit, kind);

/** The series of a gauge or a counter. */
export const series = <T extends InstrumentDefinition>(row: T, where: Where<T> = {}): string =>
  `${nameOf(row)}${selector(where)}`;

/** The rate of a counter, per second. */
export const rate = <T extends InstrumentDefinition>(row: T, where: Where<T> = {}, window = '5m'): string => {
  const suffix = row.kind === 'histogram' ? '_count' : '';
  return `rate(${nameOf(row)}${suffix}${selector(where)}[${window}])`;
};

/** @param share such as 0.99 */
export const quantile = <T extends InstrumentDefinition>(
  share: number,
  row: T,
  { by = [], where = {} as Where<T> }: { readonly by?: readonly string[]; readonly where?: Where<T> } = {},
): string => {
  const labels = ['le', ...by.map(prometheusLabel)].join(', ');
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${nameOf(row)}_bucket${selector(where)}[5m])))`;
};
